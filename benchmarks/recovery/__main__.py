"""Run the suite: `python -m benchmarks.recovery [--line NAME] [--method NAME] [--seeds A:B]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.recovery.chains import SAMPLERS, compile_first, run_chain
from benchmarks.recovery.report import report
from benchmarks.recovery.rivals import RIVALS, run_rival
from benchmarks.recovery.store import Results, setting
from benchmarks.recovery.tables import LINES, Line
from hiddencauses import DEFAULT_SPEC

RESULTS = Path(__file__).parents[1] / "results"
METHODS = (*SAMPLERS, *(rival.slug for rival in RIVALS))
#: Sweeps of a chain, the same on every line.
WARMUP, DRAWS = 100, 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and not done yet, and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recovery", description="From an empty start to the true structure."
    )
    parser.add_argument("--line", action="append", choices=[line.name for line in LINES], metavar="NAME")
    parser.add_argument("--method", action="append", choices=METHODS, metavar="NAME")
    parser.add_argument("--seeds", type=_span, metavar="A:B", help="default: as many as the line asks for")
    parser.add_argument("--warmup", type=int, default=WARMUP)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER")
    parser.add_argument("--again", action="store_true", help="also what is done already")
    asked = parser.parse_args(arguments)
    folder = asked.out / "recovery"
    for method in asked.method or METHODS:
        if not _ready(method):
            continue
        for line in LINES:
            if asked.line is None or line.name in asked.line:
                _run(line, method, asked, folder)
                (asked.out / "recovery.md").write_text(report(folder, METHODS), encoding="utf-8")
    _say((asked.out / "recovery.md").read_text(encoding="utf-8"))
    return 0


def _span(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last))


def _ready(method: str) -> bool:
    """Get a method ready, or say why it cannot be run."""
    if method in SAMPLERS:
        compile_first(method)
        return True
    reason = next(rival for rival in RIVALS if rival.slug == method).why_not()
    if reason:
        _say(reason)
    return reason is None


def _run(line: Line, method: str, asked: argparse.Namespace, folder: Path) -> None:
    results = Results(folder, line.name, method)
    ours = method in SAMPLERS
    chosen = setting(
        **({"warmup": asked.warmup, "draws": asked.draws, "spec": DEFAULT_SPEC.to_dict()} if ours else {})
    )
    for seed in asked.seeds or range(line.seeds):
        if seed in results and not asked.again and results.held["setting"] == chosen:
            continue
        problem = line.make(seed)
        found: dict[str, Any]
        if ours:
            found, _ = run_chain(problem, method, seed=seed, warmup=asked.warmup, draws=asked.draws)
        elif problem.links.shape[1] == 0:
            return  # a rival that is told that there is no cause has nothing to do
        else:
            found = run_rival(next(rival for rival in RIVALS if rival.slug == method), problem, seed=seed)
        results.keep(seed, found, chosen)
        what = f"{sum(found['found'])} of {len(found['found'])}" + (f", mode {found['mode']}" if ours else "")
        _say(f"{line.name} {method} seed {seed}: {what}, {found['seconds']} s")


def _say(line: str) -> None:
    sys.stdout.write(line.rstrip("\n") + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
