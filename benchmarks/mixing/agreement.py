"""R-hat of four chains from four different starts on tables of the recovery suite."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from benchmarks.mixing.convergence import r_hat
from benchmarks.mixing.errors import co_linkage
from benchmarks.recovery.tables import LINES
from hiddencauses import DEFAULT_SPEC, sample
from hiddencauses.errors import HiddenCausesWarning

__all__ = ["TITLE", "run", "table"]

TITLE = "Four chains from four starts"
CHOSEN = ("sets8", "common", "links15")
WARMUP, DRAWS = 200, 400


def run(seed: int) -> list[dict[str, Any]]:
    """Return R-hat of the scalars and the worst of the co-linkages, for each table."""
    found = []
    for line in LINES:
        if line.name not in CHOSEN:
            continue
        problem = line.make(seed)
        starts = {"empty": "empty", "random": "random", "prior": "prior", "truth": problem.truth}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HiddenCausesWarning)
            chains = [
                sample(
                    problem.table,
                    DEFAULT_SPEC,
                    draws=DRAWS,
                    warmup=WARMUP,
                    chains=1,
                    seed=seed + number,
                    init=init,
                )
                for number, init in enumerate(starts.values())
            ]
        pairs = np.stack([co_linkage(draws, 0) for draws in chains])
        upper = zip(*np.triu_indices(pairs.shape[-1], k=1), strict=True)
        found.append(
            {
                "table": line.name,
                "seed": seed,
                "number of causes": r_hat(np.concatenate([draws.n_causes for draws in chains])),
                "log joint": r_hat(np.concatenate([draws.log_joint for draws in chains])),
                "concentration": r_hat(np.concatenate([draws.concentration for draws in chains])),
                # links that are nearly always or never there say nothing about mixing
                "co-linkage, worst": max(
                    [r_hat(pairs[:, :, i, j]) for i, j in upper if 0.01 < _varies(pairs[:, :, i, j]) < 0.99],
                    default=1.0,
                ),
                "modes": [int(np.bincount(draws.n_causes[0]).argmax()) for draws in chains],
            }
        )
    return found


def _varies(values: np.ndarray) -> float:
    """Return the share of draws in which a number differs from its most frequent value."""
    return 1.0 - np.bincount(values.ravel()).max() / values.size


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return the R-hats as lines of Markdown."""
    names = ("number of causes", "log joint", "concentration", "co-linkage, worst")
    lines = [
        "Starts: empty, ten random causes, a draw from the prior, the truth; R-hat (rank-normalised) over "
        f"{DRAWS} draws after {WARMUP}; modes of the number of causes, chain by chain.",
        "",
        f"| table | {' | '.join(names)} | modes |",
        f"|---|{'---|' * (len(names) + 1)}",
    ]
    for each in found:
        cells = " | ".join(f"{each[name]:.3f}" for name in names)
        lines.append(f"| {each['table']} | {cells} | {', '.join(map(str, each['modes']))} |")
    return lines
