"""Our sampler on a table of the suite: one chain, from an empty start."""

from __future__ import annotations

import time
import warnings
from typing import Any

from benchmarks.recovery.judge import compare
from benchmarks.recovery.tables import Problem
from hiddencauses import DEFAULT_SPEC, sample
from hiddencauses.errors import HiddenCausesWarning
from hiddencauses.sampling.draws import Draws

__all__ = ["SAMPLERS", "compile_first", "run_chain"]

#: Ours, and the paper's moves alone.
SAMPLERS = ("auto", "gibbs")


def run_chain(
    problem: Problem, sampler: str, *, seed: int, warmup: int, draws: int
) -> tuple[dict[str, Any], Draws]:
    """Run a chain and return what it found, with the processor time it took, and its draws."""
    with warnings.catch_warnings():
        # constant columns are part of some lines
        warnings.simplefilter("ignore", HiddenCausesWarning)
        began = time.process_time()
        kept = sample(
            problem.table, DEFAULT_SPEC, sampler=sampler, draws=draws, warmup=warmup, chains=1, seed=seed
        )
        seconds = time.process_time() - began
    counters = {name: int(values[0]) for name, values in kept.counters.items() if values[0]}
    return {"seconds": round(seconds, 2), **compare(kept, problem), "counters": counters}, kept


def compile_first(sampler: str) -> None:
    """Have the kernels compiled, so that no chain's time includes it."""
    sample([[0, 1], [1, 0]], DEFAULT_SPEC, sampler=sampler, draws=1, warmup=1, chains=1, seed=0)
