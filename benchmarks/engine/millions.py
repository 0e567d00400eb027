"""A million rows: `python -m benchmarks.engine.millions --seed S`; `--table wide` is 100,000 × 1,000.

One chain of `sample` from empty, sampler `auto`, `DEFAULT_SPEC`, looked at after every sweep: when were all
true causes there with exactly their links? The table is simulated beforehand, in a process of its own, and
kept outside the repository; `--prepare` does only that. Run it under GNU time (`time -v`) for the peak memory
as the system sees it; prepare first, since GNU time counts processes started from this one as well.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine.memory import own_peak_megabytes
from benchmarks.engine.store import as_text
from benchmarks.engine.tables import Size
from benchmarks.engine.watch import Watch, watching
from benchmarks.engine.written_tables import FOLDER, written_table
from benchmarks.recovery.chains import compile_first
from benchmarks.recovery.store import setting
from hiddencauses import DEFAULT_SPEC, read_table, sample
from hiddencauses.errors import HiddenCausesWarning

__all__ = ["TITLE", "main", "run", "table"]

TITLE = "A million rows"
RESULTS = Path(__file__).parents[1] / "results" / "engine"
TABLES = {"million": Size(1_000_000, 200, 20, 0.08), "wide": Size(100_000, 1000, 100, 0.02)}
#: Sweeps of warm-up, and kept.
WARMUP, DRAWS = 40, 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one seed and write what was seen."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.engine.millions", description="A million rows, from an empty start."
    )
    parser.add_argument("--table", choices=list(TABLES), default="million")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=int, help="instead of the table's own; so are the next three")
    parser.add_argument("--variables", type=int)
    parser.add_argument("--causes", type=int)
    parser.add_argument("--links", type=float, metavar="PROBABILITY")
    parser.add_argument("--warmup", type=int, default=WARMUP)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--tables", type=Path, default=FOLDER, metavar="FOLDER", help="where tables are kept")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER")
    parser.add_argument("--prepare", action="store_true", help="only simulate the table")
    asked = parser.parse_args(arguments)
    whole = TABLES[asked.table]
    size = Size(
        asked.rows or whole.rows,
        asked.variables or whole.variables,
        asked.causes or whole.causes,
        asked.links or whole.link_probability,
    )
    if asked.prepare:
        path, _ = written_table(size, asked.seed, asked.tables)
        sys.stdout.write(f"{path}\n")
        return 0
    found = run(size, asked.seed, warmup=asked.warmup, draws=asked.draws, tables=asked.tables)
    name = asked.table if size == whole else f"{size.rows}x{size.variables}x{size.causes}"
    asked.out.mkdir(parents=True, exist_ok=True)
    path = asked.out / f"millions-{name}-{asked.seed}.json"
    path.write_text(as_text(found), encoding="utf-8")
    sys.stdout.write("\n".join(table([found])) + "\n")
    return 0


def run(size: Size, seed: int, *, warmup: int, draws: int, tables: Path) -> dict[str, Any]:
    """Return what one chain found, when, and with how much memory."""
    path, links = written_table(size, seed, tables)
    began = time.perf_counter()
    compile_first("auto")
    compiled = time.perf_counter()
    read = read_table(path)
    ready = time.perf_counter()
    ready_processor = time.process_time()
    with warnings.catch_warnings(), watching(links, DEFAULT_SPEC) as watch:
        warnings.simplefilter("ignore", HiddenCausesWarning)
        sample(read, DEFAULT_SPEC, sampler="auto", draws=draws, warmup=warmup, chains=1, seed=seed)
    done = time.perf_counter()
    kept = np.array(watch.found[warmup:])
    return {
        "size": size.name,
        "causes": size.causes,
        "seed": seed,
        "first seconds": {"compiling or loading kernels": compiled - began, "reading": ready - compiled},
        "seconds": done - ready,
        "processor seconds": time.process_time() - ready_processor,
        "seconds looking": watch.looking,
        "seconds to 95 %": watch.seconds_to(0.95),
        "seconds to all": watch.seconds_to(1.0),
        "sweeps to all": watch.sweeps_to(1.0),
        "found in most draws": int((kept.mean(axis=0) > 0.5).sum()),
        "draws with all": float(kept.all(axis=1).mean()),
        "causes of kept draws": _shares(watch, warmup),
        "found by sweep": [sum(found) for found in watch.found],
        "causes by sweep": watch.n_causes,
        "seconds by sweep": [round(seconds, 3) for seconds in watch.ended],
        "peak megabytes": own_peak_megabytes(),
        "setting": setting(warmup=warmup, draws=draws, spec=DEFAULT_SPEC.to_dict()),
    }


def _shares(watch: Watch, warmup: int) -> dict[str, float]:
    numbers, times = np.unique(watch.n_causes[warmup:], return_counts=True)
    return {str(n): float(t / times.sum()) for n, t in zip(numbers, times, strict=True)}


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return seeds as lines of Markdown."""
    lines = [
        "One chain from empty, `auto`, `DEFAULT_SPEC`; seconds by the clock. Found: true causes that are",
        "there, with exactly their links, in more than half of the kept draws. All at: when all were there",
        "for the first time. Total: the whole of `sample`, with a look at the links after each sweep; before",
        "it come reading, and compiling or loading kernels.",
        "",
        "| rows × variables × causes | seed | found | 95 % at | all at | sweeps | draws with all "
        "| numbers of causes | total | reading | kernels | peak MB |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in found:
        first = each["first seconds"]
        most, whole = (
            "never" if at is None else f"{at:.1f} s"
            for at in (each["seconds to 95 %"], each["seconds to all"])
        )
        numbers = ", ".join(f"{n}: {share:.0%}" for n, share in each["causes of kept draws"].items())
        lines.append(
            f"| {each['size']} | {each['seed']} | {each['found in most draws']} of {each['causes']} "
            f"| {most} | {whole} | {each['sweeps to all'] or '–'} "
            f"| {each['draws with all']:.0%} | {numbers} | {each['seconds']:.1f} s "
            f"| {first['reading']:.1f} s | {first['compiling or loading kernels']:.1f} s "
            f"| {each['peak megabytes']:.0f} |"
        )
    return lines


if __name__ == "__main__":
    sys.exit(main())
