"""Time to the true structure from an empty start: ours, the paper's moves, the twin, and the rivals."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from benchmarks.engine.tables import Size, draw_problem
from benchmarks.engine.watch import watching
from benchmarks.recovery.chains import SAMPLERS, compile_first
from benchmarks.recovery.rivals import RIVALS, run_rival
from benchmarks.recovery.tables import LINES, Problem
from hiddencauses import DEFAULT_SPEC, sample
from hiddencauses.errors import HiddenCausesWarning
from hiddencauses.sampling.initial import initial_world
from verification.twin.algorithms import gibbs_sweep
from verification.twin.source import StreamSource
from verification.twin.world import twin_of

__all__ = ["TITLE", "run", "table"]

TITLE = "Time to the true structure, from an empty start"
#: A table so small that the twin has a chance, and lines of the recovery suite.
SMALL, CHOSEN = Size(300, 12, 3, 0.4), ("sets8", "common", "links15")
SEEDS, LIMIT = 3, 8.0
QUICK_SMALL, QUICK_LIMIT = Size(80, 6, 2, 0.6), 0.2
#: Those that go on until they are ended; and times below this are not told apart.
CHAINS, SHORTEST = (*SAMPLERS, "twin"), 0.01
#: More sweeps than any chain makes within the limit.
ENDLESS = 1_000_000


def run(seed: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Return, by table, method and seed, what was found and in how many processor seconds."""
    for sampler in SAMPLERS:
        compile_first(sampler)
    small, limit = (QUICK_SMALL, QUICK_LIMIT) if quick else (SMALL, LIMIT)
    makers = {small.name: lambda each: draw_problem(small, each)}
    if not quick:
        makers |= {line.name: line.make for line in LINES if line.name in CHOSEN}
    rivals = [rival for rival in RIVALS if rival.why_not() is None]
    found = []
    for name, make in makers.items():
        for each in range(seed, seed + (1 if quick else SEEDS)):
            problem = make(each)
            told = {sampler: _chain(problem, sampler, each, limit) for sampler in SAMPLERS}
            if each == seed:  # once is enough to see
                told["twin"] = _twin(problem, each, limit)
            for rival in rivals[:1] if quick else rivals:
                fitted = run_rival(rival, problem, seed=each)
                told[rival.slug] = {
                    "seconds": fitted["seconds"],
                    "found": sum(fitted["found"]),
                    "all": all(fitted["found"]),
                }
            found += [
                {"table": name, "seed": each, "method": method, "causes": problem.links.shape[1]} | figures
                for method, figures in told.items()
            ]
    return found


def _chain(problem: Problem, sampler: str, seed: int, limit: float) -> dict[str, Any]:
    """Run a chain from empty until all true causes are there with exactly their links."""
    with warnings.catch_warnings(), watching(problem.links, DEFAULT_SPEC, limit=limit, end=True) as watch:
        warnings.simplefilter("ignore", HiddenCausesWarning)
        sample(problem.table, DEFAULT_SPEC, sampler=sampler, draws=1, warmup=ENDLESS, chains=1, seed=seed)
    return {
        "seconds": limit if watch.processor_seconds is None else watch.processor_seconds,
        "found": sum(watch.found[-1]),
        "all": watch.processor_seconds is not None,
        "sweeps": len(watch.found),
    }


def _twin(problem: Problem, seed: int, limit: float) -> dict[str, Any]:
    """Run the twin from the same start; its draws are those of `gibbs`."""
    start = initial_world("empty", problem.table, DEFAULT_SPEC, seed=seed, chain=0)
    state, source = twin_of(problem.table.codes(), start, DEFAULT_SPEC), StreamSource(seed, 0)
    true = {tuple(column) for column in problem.links.T.tolist()}
    began, sweeps, present = time.process_time(), 0, 0
    while present < len(true) and time.process_time() - began < limit:
        gibbs_sweep(source, state, sweeps, warming=True)
        sweeps += 1
        present = len(true & {tuple(cause.links) for cause in state.causes})
    return {
        "seconds": time.process_time() - began,
        "found": present,
        "all": present == len(true),
        "sweeps": sweeps,
    }


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return methods × tables as lines of Markdown."""
    tables = list(dict.fromkeys(each["table"] for each in found))
    methods = list(dict.fromkeys(each["method"] for each in found))
    lines = [
        "Processor seconds (median over seeds) until all true causes are there with exactly their links;",
        "where that was not reached, the share of causes found when the chain or the fit ended. Chains of",
        "`auto`, `gibbs` (the paper's moves only) and the twin (which draws what `gibbs` draws) begin at the",
        f"empty start, `DEFAULT_SPEC`, and end after {LIMIT:.0f} s. Rivals are told the number of causes,",
        "and their weights are cut wherever it suits them best. In brackets: times the time of `auto`.",
        "",
        f"| method | {' | '.join(tables)} |",
        "|---|" + "---|" * len(tables),
    ]
    for method in methods:
        cells = [_cell(found, name, method) for name in tables]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    return lines


def median_seconds(found: list[dict[str, Any]], name: str, method: str) -> tuple[float, float, float]:
    """Return median seconds of a method on a table, the share of seeds with all causes, that of causes."""
    chosen = [each for each in found if (each["table"], each["method"]) == (name, method)]
    if not chosen:
        return np.nan, np.nan, np.nan
    shares = [each["found"] / each["causes"] for each in chosen]
    seconds = float(np.median([each["seconds"] for each in chosen]))
    return seconds, float(np.mean([each["all"] for each in chosen])), float(np.mean(shares))


def _cell(found: list[dict[str, Any]], name: str, method: str) -> str:
    seconds, reached, share = median_seconds(found, name, method)
    if np.isnan(seconds):
        return "–"
    seconds = max(seconds, SHORTEST)
    ratio = seconds / max(median_seconds(found, name, "auto")[0], SHORTEST)
    # a chain that was ended might have got there, a fit is over
    more = "> " if reached < 0.5 and method in CHAINS else ""
    times = "" if method == "auto" else f" ({more}{ratio:.{int(ratio < 10)}f}×)"
    return f"{more}{seconds:.2g} s{times}" + ("" if reached == 1 else f", {share:.0%} of causes")
