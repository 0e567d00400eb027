"""Effective draws a second: ours beside the paper's moves, on the structures of Fig. 4."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.mixing.convergence import effective_draws
from benchmarks.mixing.errors import co_linkage
from benchmarks.mixing.structures import STRUCTURES, table_of
from hiddencauses import DEFAULT_SPEC, ModelSpec, sample
from hiddencauses.sampling.draws import Draws

__all__ = ["QUANTITIES", "TITLE", "effective_quantities", "run", "table"]

TITLE = "Effective draws a second"
SPECS = {"paper": ModelSpec.paper(), "default": DEFAULT_SPEC}
SAMPLERS = ("auto", "gibbs")
#: Chains of about the same length in time.
CHAINS, WARMUP, DRAWS = 4, 1000, {"auto": 4000, "gibbs": 16000}
QUANTITIES = ("number of causes", "log joint", "co-linkage")


def run(_: int) -> list[dict[str, Any]]:
    """Return effective draws and processor seconds of both samplers, by structure and spec."""
    found = []
    for name, spec in SPECS.items():
        for sampler in SAMPLERS:
            sample([[0, 1], [1, 0]], spec, sampler=sampler, draws=1, warmup=1, chains=1, seed=0)
        for structure in STRUCTURES:
            table = table_of(structure, 0).table
            for sampler in SAMPLERS:
                began = time.process_time()
                draws = sample(
                    table,
                    spec,
                    sampler=sampler,
                    draws=DRAWS[sampler],
                    warmup=WARMUP,
                    chains=CHAINS,
                    seed=1,
                )
                seconds = time.process_time() - began
                found.append(
                    {"spec": name, "structure": structure, "sampler": sampler, "seconds": round(seconds, 2)}
                    | effective_quantities(draws)
                )
    return found


def effective_quantities(draws: Draws) -> dict[str, float]:
    """Return effective draws of each of `QUANTITIES`."""
    pairs = np.stack([co_linkage(draws, chain) for chain in range(draws.n_chains)])
    upper = np.triu_indices(pairs.shape[-1], k=1)
    of_pairs = [
        effective_draws(pairs[:, :, i, j]) for i, j in zip(*upper, strict=True) if pairs[:, :, i, j].std() > 0
    ]
    return {
        "number of causes": effective_draws(draws.n_causes),
        "log joint": effective_draws(draws.log_joint),
        # of the pair that moves worst
        "co-linkage": min(of_pairs) if of_pairs else float("nan"),
    }


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return rates and their ratios as lines of Markdown."""
    lines = [
        f"{CHAINS} chains of {DRAWS['auto']} draws (`auto`) and {DRAWS['gibbs']} (`gibbs`, the paper's",
        f"moves) after {WARMUP} from empty; effective draws (bulk) a processor second, warm-up included;",
        "co-linkage: of the pair of variables whose number of common causes moves worst.",
        "",
        "| spec | structure | "
        + " | ".join(f"{quantity}: auto, gibbs, ratio" for quantity in QUANTITIES)
        + " |",
        "|---|---|" + "---|" * len(QUANTITIES),
    ]
    at = {(each["spec"], each["structure"], each["sampler"]): each for each in found}
    for name in SPECS:
        for structure in STRUCTURES:
            cells = []
            for quantity in QUANTITIES:
                ours, papers = (
                    at[name, structure, sampler][quantity] / at[name, structure, sampler]["seconds"]
                    for sampler in SAMPLERS
                )
                cells.append(f"{ours:.0f}, {papers:.0f}, {ours / papers:.2f}")
            lines.append(f"| {name} | {structure} | {' | '.join(cells)} |")
    return lines
