"""Other ways into the right mode, in as many sweeps: is the default schedule the one to take?

`plain` is the default: moves on groups from the first sweep on. `several starts` runs three chains of a third
of the warm-up from different seeds and goes on with the one of the highest log joint density. `shared first`
spends the first half of the warm-up on a model with one strength for all links and goes on with the full one
from there. `annealed` adds the rows bit by bit: warm-up begins with an eighth of them, then a quarter, a
half, all. `paper's moves` is the paper's sampler. Warm-ups are short, so that there is something to fail.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.recovery.judge import compare
from benchmarks.recovery.tables import LINES, Problem
from hiddencauses import DEFAULT_SPEC, ModelSpec, Table, sample
from hiddencauses.errors import HiddenCausesWarning
from hiddencauses.model.world import Parameters, World
from hiddencauses.sampling.draws import Draws

__all__ = ["TITLE", "run", "table"]

TITLE = "Ways through warm-up"
CHOSEN = ("sets24", "varied", "common", "lifelike", "rare")
SEEDS, WARMUP, DRAWS = 4, 24, 40
SHARED = ModelSpec(leak_scope="per_variable", prevalence_scope="per_cause")


def _last(draws: Draws) -> World:
    return draws.world(0, draws.n_draws - 1)


def _go(
    table: Table,
    spec: ModelSpec,
    seed: int,
    warmup: int,
    draws: int,
    init: Any = "empty",
    sampler: str = "auto",
) -> Draws:
    return sample(table, spec, draws=draws, warmup=warmup, chains=1, seed=seed, init=init, sampler=sampler)


def _plain(problem: Problem, seed: int) -> Draws:
    return _go(problem.table, DEFAULT_SPEC, seed, WARMUP, DRAWS)


def _paper(problem: Problem, seed: int) -> Draws:
    return _go(problem.table, DEFAULT_SPEC, seed, WARMUP, DRAWS, sampler="gibbs")


def _several(problem: Problem, seed: int) -> Draws:
    short = [_go(problem.table, DEFAULT_SPEC, 100 * seed + n, WARMUP // 3 - 1, 1) for n in range(3)]
    best = max(short, key=lambda draws: float(draws.log_joint[0, 0]))
    return _go(problem.table, DEFAULT_SPEC, seed, 0, DRAWS, init=_last(best))


def _shared_first(problem: Problem, seed: int) -> Draws:
    first = _last(_go(problem.table, SHARED, seed, WARMUP // 2 - 1, 1))
    strength = np.where(first.links == 1, float(first.parameters.strength), np.nan)
    par = first.parameters
    begun = World(
        first.links, first.activity, Parameters(strength, par.leak, par.prevalence, par.concentration)
    )
    return _go(problem.table, DEFAULT_SPEC, seed + 1000, WARMUP // 2, DRAWS, init=begun)


def _annealed(problem: Problem, seed: int) -> Draws:
    cells = problem.table.codes().astype(np.float64)
    order = np.random.default_rng(seed).permutation(len(cells))
    init: Any = "empty"
    for step, share in enumerate((8, 4, 2)):
        rows = order[: len(cells) // share]
        world = _last(
            _go(Table.from_array(cells[rows]), DEFAULT_SPEC, seed + 1000 * step, WARMUP // 4 - 1, 1, init)
        )
        more = len(cells) // max(share // 2, 1) - len(rows)
        # rows that join have no cause at work yet
        activity = np.vstack([world.activity, np.zeros((more, world.n_total), dtype=np.int8)])
        init = World(world.links, activity, world.parameters)
    back = np.argsort(order)
    whole = World(init.links, init.activity[back], init.parameters)
    return _go(problem.table, DEFAULT_SPEC, seed + 5000, WARMUP // 4, DRAWS, init=whole)


WAYS: dict[str, Callable[[Problem, int], Draws]] = {
    "plain": _plain,
    "several starts": _several,
    "shared first": _shared_first,
    "annealed": _annealed,
    "paper's moves": _paper,
}


def run(first: int) -> list[dict[str, Any]]:
    """Return what each way found, table by table."""
    found = []
    for line in LINES:
        if line.name not in CHOSEN:
            continue
        for seed in range(first, first + SEEDS):
            problem = line.make(seed)
            for name, way in WAYS.items():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", HiddenCausesWarning)
                    began = time.process_time()
                    draws = way(problem, seed)
                    seconds = time.process_time() - began
                seen = compare(draws, problem)
                found.append(
                    {
                        "table": line.name,
                        "seed": seed,
                        "way": name,
                        "found": sum(seen["found"]),
                        "of": len(seen["found"]),
                        "number right": seen["mode"] == len(seen["found"]),
                        "log joint": round(seen["log_joint"], 1),
                        "seconds": round(seconds, 2),
                    }
                )
    return found


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return ways × what they found as lines of Markdown."""
    lines = [
        f"Tables {', '.join(CHOSEN)}, {SEEDS} seeds each; {WARMUP} sweeps of warm-up in all, {DRAWS} draws.",
        "",
        "| way | true causes found | number of causes right | processor seconds a chain |",
        "|---|---|---|---|",
    ]
    for name in WAYS:
        mine = [each for each in found if each["way"] == name]
        lines.append(
            f"| {name} | {sum(each['found'] for each in mine)} of {sum(each['of'] for each in mine)} "
            f"| {sum(each['number right'] for each in mine)} of {len(mine)} "
            f"| {np.mean([each['seconds'] for each in mine]):.1f} |"
        )
    return lines
