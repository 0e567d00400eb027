"""Effective samples a second on the structures of the paper's Fig. 4: ours, the paper's moves, the twin."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.mixing.efficiency import QUANTITIES, effective_quantities
from benchmarks.mixing.structures import STRUCTURES, table_of
from benchmarks.recovery.chains import SAMPLERS, compile_first
from hiddencauses import DEFAULT_SPEC, sample
from verification.twin.algorithms import gibbs_sweep
from verification.twin.source import StreamSource
from verification.twin.world import twin_of

__all__ = ["TITLE", "run", "table"]

TITLE = "Effective samples a second"
#: Chains of about the same length in time.
CHAINS, WARMUP, DRAWS = 4, 1000, {"auto": 3000, "gibbs": 12_000}
QUICK_CHAINS, QUICK_WARMUP, QUICK_DRAWS = 2, 20, {"auto": 50, "gibbs": 50}
#: Sweeps the twin is timed over.
TWIN_SWEEPS = 5


def run(seed: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Return effective samples and processor seconds, by structure and method."""
    for sampler in SAMPLERS:
        compile_first(sampler)
    chains, warmup, draws = (QUICK_CHAINS, QUICK_WARMUP, QUICK_DRAWS) if quick else (CHAINS, WARMUP, DRAWS)
    found = []
    for structure in list(STRUCTURES)[: 1 if quick else None]:
        problem = table_of(structure, seed)
        for sampler in SAMPLERS:
            began = time.process_time()
            kept = sample(
                problem.table,
                DEFAULT_SPEC,
                sampler=sampler,
                draws=draws[sampler],
                warmup=warmup,
                chains=chains,
                seed=seed,
            )
            seconds = time.process_time() - began
            effective = effective_quantities(kept)
            found.append({"structure": structure, "method": sampler, "seconds": seconds} | effective)
        # the last was of gibbs, whose draws are the twin's: only its time is another
        last = kept.world(0, kept.n_draws - 1)
        state, source = twin_of(problem.table.codes(), last, DEFAULT_SPEC), StreamSource(seed, 0)
        began = time.process_time()
        for number in range(TWIN_SWEEPS):
            gibbs_sweep(source, state, number)
        each = (time.process_time() - began) / TWIN_SWEEPS
        seconds = each * chains * (warmup + draws["gibbs"])
        found.append({"structure": structure, "method": "twin", "seconds": seconds} | effective)
    return found


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return rates and ratios as lines of Markdown."""
    lines = [
        f"{CHAINS} chains of {DRAWS['auto']:,} draws (`auto`) and {DRAWS['gibbs']:,} (`gibbs`, the paper's",
        f"moves only) after {WARMUP:,} sweeps from empty, 150 rows, `DEFAULT_SPEC`; effective samples (bulk)",
        "a processor second, warm-up included; co-linkage: of the pair of variables whose number of common",
        "causes moves worst. The twin makes the draws of `gibbs`, one for one, so it is timed over a few",
        "sweeps and has the effective samples of `gibbs`. Rivals give one answer and no samples. In",
        "brackets: times the rate of the twin.",
        "",
        f"| structure | method | {' | '.join(QUANTITIES)} |",
        "|---|---|" + "---|" * len(QUANTITIES),
    ]
    at = {(each["structure"], each["method"]): each for each in found}
    for (structure, method), each in at.items():
        cells = []
        for quantity in QUANTITIES:
            rate = each[quantity] / each["seconds"]
            twin = at[structure, "twin"][quantity] / at[structure, "twin"]["seconds"]
            cells.append(f"{rate:.3g}" + ("" if method == "twin" else f" ({rate / twin:.0f}×)"))
        lines.append(f"| {structure} | {method} | {' | '.join(cells)} |")
    return lines
