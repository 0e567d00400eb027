"""The simulated built-in tables: their causes drawn by hand, everything else from the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.model.simulate import Simulation

__all__ = ["SIMULATED", "draw"]

#: Per table: rows, for each cause the variables it drives (a run from, to), strength, leak, prevalence,
#: the rate of missing cells, and the seed.
SIMULATED = {
    "blocks": (200, ((0, 4), (4, 8), (8, 12)), 0.9, 0.02, 0.3, 0.0, 1),
    "overlapping": (500, ((0, 6), (4, 10), (8, 14), (12, 16)), 0.8, 0.05, 0.25, 0.05, 2),
}


def draw(name: str) -> Simulation:
    """Draw one of the simulated tables, with its truth."""
    from hiddencauses.model.simulate import simulate
    from hiddencauses.model.spec import ModelSpec

    rows, runs, strength, leak, prevalence, missing_rate, seed = SIMULATED[name]
    spec = ModelSpec(strength=strength, leak=leak, prevalence=prevalence, concentration=1.0)
    return simulate(rows=rows, links=_links(runs), spec=spec, missing_rate=missing_rate, seed=seed)


def _links(runs: tuple[tuple[int, int], ...]) -> NDArray[np.int8]:
    links = np.zeros((max(stop for _, stop in runs), len(runs)), dtype=np.int8)
    for cause, (start, stop) in enumerate(runs):
        links[start:stop, cause] = 1
    return links
