"""Chains from the empty start beside chains from the truth, on tables like the paper's Fig. 4.

A sampler that finds its way gives the same errors from both: what error is left is the posterior's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.mixing.errors import co_linkage, in_degree_error, structure_error
from benchmarks.mixing.structures import STRUCTURES, table_of
from hiddencauses import DEFAULT_SPEC, sample

__all__ = ["TITLE", "run", "table"]

TITLE = "From empty and from the truth"
TABLES, WARMUP, DRAWS = 10, 1000, 4000


def run(_: int) -> list[dict[str, Any]]:
    """Return, for every structure and table, the errors from both starts."""
    found = []
    for structure, links in STRUCTURES.items():
        for seed in range(TABLES):
            problem = table_of(structure, seed)
            errors: dict[str, Any] = {"structure": structure, "seed": seed}
            for start, init in (("empty", "empty"), ("truth", problem.truth)):
                draws = sample(
                    problem.table, DEFAULT_SPEC, draws=DRAWS, warmup=WARMUP, chains=1, seed=seed, init=init
                )
                expected = co_linkage(draws, 0).mean(axis=0)
                errors[f"in-degree, {start}"] = in_degree_error(expected, links)
                errors[f"structure, {start}"] = structure_error(expected, links)
            found.append(errors)
    return found


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return the errors, and their differences with standard errors over tables, as lines of Markdown."""
    lines = [
        f"{TABLES} tables a structure, {DRAWS} draws after {WARMUP}, `DEFAULT_SPEC`, sampler `auto`; the "
        "paper's measures, mean over tables; the difference with its standard error.",
        "",
        "| structure | in-degree error, empty | truth | difference | structure error, empty | truth "
        "| difference |",
        "|---|---|---|---|---|---|---|",
    ]
    for structure in STRUCTURES:
        cells = []
        for measure in ("in-degree", "structure"):
            empty, truth = (
                np.array([each[f"{measure}, {start}"] for each in found if each["structure"] == structure])
                for start in ("empty", "truth")
            )
            off = empty - truth
            error = off.std(ddof=1) / np.sqrt(len(off))
            cells += [f"{empty.mean():.3f}", f"{truth.mean():.3f}", f"{off.mean():+.3f} ± {error:.3f}"]
        lines.append(f"| {structure} | {' | '.join(cells)} |")
    return lines
