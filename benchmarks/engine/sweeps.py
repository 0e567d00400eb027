"""A sweep of the paper's moves: the engine beside the frozen baseline, one thread, from the same state."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.engine.contestants import baseline_sweeps, engine_sweeps
from benchmarks.engine.tables import SIZES, SPECS, Size, draw_problem, in_spec
from benchmarks.engine.timing import milliseconds_a_sweep

__all__ = ["TITLE", "run", "table"]

TITLE = "Time a sweep, beside the baseline"
#: Sweeps timed together at each size, and how often.
NUMBERS, REPEATS = (1000, 30, 2), 7
QUICK_SIZES, QUICK_NUMBERS, QUICK_REPEATS = (SIZES[0], Size(200, 12, 3, 0.3)), (3, 3), 2
#: What is asked of the ratio at least, by spec and size.
ASKED = {
    "shared": dict(zip(SIZES, (3, 10, 10), strict=True)),
    "per link": dict(zip(SIZES[1:], (4, 4), strict=True)),
}


def run(seed: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Return milliseconds a sweep of both, by size and spec."""
    sizes, numbers, repeats = (
        (QUICK_SIZES, QUICK_NUMBERS, QUICK_REPEATS) if quick else (SIZES, NUMBERS, REPEATS)
    )
    found = []
    for size, number in zip(sizes, numbers, strict=True):
        problem = draw_problem(size, seed)
        for name, spec in SPECS.items():
            start = in_spec(problem.truth, spec)
            told = milliseconds_a_sweep(
                {
                    "baseline": partial(baseline_sweeps, problem, name, seed=seed),
                    "engine": partial(engine_sweeps, problem.table, start, spec, seed=seed),
                },
                {"baseline": number, "engine": number},
                repeats,
            )
            found.append({"size": size.name, "spec": name, "asked": ASKED[name].get(size)} | told)
    return found


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return times and ratios as lines of Markdown."""
    lines = [
        "Milliseconds of one processor a sweep (links, own causes, activity, parameters) from the truth,",
        "medians of runs in turns; nothing is recorded.",
        "",
        "| rows × variables × causes | spec | baseline | engine | ratio | asked |",
        "|---|---|---|---|---|---|",
    ]
    for each in found:
        asked = f"≥ {each['asked']}" if each["asked"] else "–"
        lines.append(
            f"| {each['size']} | {each['spec']} | {each['baseline']:.3g} | {each['engine']:.3g} "
            f"| {each['baseline'] / each['engine']:.1f} | {asked} |"
        )
    return lines
