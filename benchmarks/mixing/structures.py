"""The four kinds of structures of the paper's Fig. 4, which does not print them, and tables from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.recovery.tables import Problem
from hiddencauses.model.simulate import draw_table
from hiddencauses.model.world import Parameters, World

__all__ = ["STRUCTURES", "table_of"]


def _links(variables: int, *causes: str) -> NDArray[np.int8]:
    """Return links from the variables of each cause, as digits and letters of base 36."""
    links = np.zeros((variables, len(causes)), dtype=np.int8)
    for k, names in enumerate(causes):
        links[[int(name, 36) for name in names], k] = 1
    return links


#: Variables × causes.
STRUCTURES: dict[str, NDArray[np.int8]] = {
    # every variable has one cause
    "degree 1": _links(12, "01", "23", "45", "67", "89", "ab"),
    # two parts that have nothing to do with each other
    "disconnected": _links(10, "012", "234", "567", "789"),
    # fewer causes than variables, at random
    "undercomplete": _links(10, "0146", "1258", "2379", "04589"),
    # more causes than variables, at random; causes 4 and 5 drive almost the same
    "overcomplete": _links(6, "01", "12", "23", "345", "45", "035", "14", "024"),
}


def table_of(structure: str, seed: int, rows: int = 150) -> Problem:
    """Draw a table from a structure with the paper's λ = 0.9, ε = 0.01 and p = 0.1."""
    links = STRUCTURES[structure]
    variables, causes = links.shape
    rng = np.random.default_rng([2006, 4, list(STRUCTURES).index(structure), seed])
    activity = (rng.random((rows, causes)) < 0.1).astype(np.int8)
    truth = World(
        links,
        activity,
        Parameters(np.where(links == 1, 0.9, np.nan), np.full(variables, 0.01), np.full(causes, 0.1), 3.0),
    )
    return Problem(draw_table(truth, seed=seed), truth, np.ones(causes, dtype=np.bool_))
