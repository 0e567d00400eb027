"""Time a sweep of everyone who makes sweeps: ours, the paper's moves, the baseline, the twin."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.engine.contestants import Sweeps, baseline_sweeps, engine_sweeps
from benchmarks.engine.tables import SIZES, SPECS, Size, draw_problem, in_spec
from benchmarks.engine.timing import milliseconds_a_sweep
from benchmarks.recovery.tables import Problem
from hiddencauses.kernels.schedule import AUTO_INFINITE
from verification.twin.algorithms import gibbs_sweep
from verification.twin.source import StreamSource
from verification.twin.world import twin_of

__all__ = ["TITLE", "run", "table", "twin_sweeps"]

TITLE = "Time a sweep"
SPEC_NAME = "per link"
#: Sweeps of `auto` beforehand: it makes many moves on groups at first, and fewer when they gain nothing.
BEFORE = 20
#: Sweeps timed together by size, and how often; the twin is only asked where it is done within seconds.
NUMBERS, REPEATS = ((1000, 100, 1), (30, 10, 1), (2, 1, 0)), 5
QUICK_SIZES, QUICK_NUMBERS, QUICK_REPEATS = (Size(60, 6, 2, 0.5),), ((3, 2, 1),), 1


def twin_sweeps(problem: Problem, spec_name: str, *, seed: int) -> Sweeps:
    """Return sweeps of the plain-Python twin from the truth."""
    spec = SPECS[spec_name]
    state = twin_of(problem.table.codes(), in_spec(problem.truth, spec), spec)
    source, done = StreamSource(seed, 0), 0

    def run_twin(number: int) -> None:
        nonlocal done
        for _ in range(number):
            gibbs_sweep(source, state, done, warming=True)
            done += 1

    return run_twin


def run(seed: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Return milliseconds a sweep by size."""
    sizes, numbers, repeats = (
        (QUICK_SIZES, QUICK_NUMBERS, QUICK_REPEATS) if quick else (SIZES, NUMBERS, REPEATS)
    )
    spec = SPECS[SPEC_NAME]
    found = []
    for size, (number, of_auto, of_twin) in zip(sizes, numbers, strict=True):
        problem = draw_problem(size, seed)
        start = in_spec(problem.truth, spec)
        auto = engine_sweeps(problem.table, start, spec, seed=seed, schedule=AUTO_INFINITE)
        auto(BEFORE)
        makers = {
            "auto": lambda auto=auto: auto,
            "gibbs": partial(engine_sweeps, problem.table, start, spec, seed=seed),
            "baseline": partial(baseline_sweeps, problem, SPEC_NAME, seed=seed),
        }
        told = milliseconds_a_sweep(makers, {"auto": of_auto, "gibbs": number, "baseline": number}, repeats)
        if of_twin:
            twin = twin_sweeps(problem, SPEC_NAME, seed=seed)
            told |= milliseconds_a_sweep({"twin": lambda twin=twin: twin}, {"twin": of_twin}, 1)
        found.append({"size": size.name} | told)
    return found


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return times, and ratios to ours with the paper's moves, as lines of Markdown."""
    lines = [
        f"Milliseconds of one processor a sweep from the truth, `DEFAULT_SPEC`: ours (`auto`, after {BEFORE}",
        "sweeps), ours with the paper's moves only (`gibbs`), the frozen baseline and the plain-Python twin,",
        "which make the moves of `gibbs`. In brackets: times the time of `gibbs`. Rivals make no sweeps.",
        "",
        "| rows × variables × causes | auto | gibbs | baseline | twin |",
        "|---|---|---|---|---|",
    ]
    for each in found:
        cells = [f"{each['auto']:.3g}", f"{each['gibbs']:.3g}"]
        for name in ("baseline", "twin"):
            cells.append(f"{each[name]:.3g} ({each[name] / each['gibbs']:.1f}×)" if name in each else "–")
        lines.append(f"| {each['size']} | {' | '.join(cells)} |")
    return lines
