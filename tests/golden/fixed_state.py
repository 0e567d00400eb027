"""A table and a world written down by rule, so that no random number generator can change them."""

import numpy as np

from hiddencauses import Table
from hiddencauses.model.priors import Beta
from hiddencauses.model.world import Parameters, World

CELLS = (
    "?1001",
    "00101",
    "0010?",
    "11001",
    "01?10",
    "1?110",
    "00100",
    "11?01",
    "00110",
    "00?11",
    "11100",
    "?0010",
)
ROWS, VARIABLES, CAUSES = 12, 5, 4


def table():
    """Twelve rows of five variables with some cells missing."""
    return Table.from_array(np.array([[np.nan if c == "?" else float(c) for c in row] for row in CELLS]))


def world(spec):
    """Four causes: two shared by several variables, two that drive one variable only."""
    links = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]], dtype=np.int8)
    r, i, k = np.arange(ROWS), np.arange(VARIABLES), np.arange(CAUSES)
    activity = ((2 * r[:, None] + 3 * k + r[:, None] * k) % 5 < 2).astype(np.int8)
    strength = {
        "shared": np.asarray(0.7),
        "per_cause": 0.5 + 0.1 * k,
        "per_link": np.where(links == 1, 0.3 + 0.1 * ((i[:, None] + 2 * k) % 6), np.nan),
    }[spec.strength_scope]
    if not isinstance(spec.strength, Beta):
        strength = np.where(np.isnan(strength), np.nan, spec.strength)
    leak = np.asarray(0.1) if spec.leak_scope == "shared" else 0.05 + 0.02 * i
    prevalence = np.asarray(0.4) if spec.prevalence_scope == "shared" else 0.2 + 0.1 * k
    return World(links, activity, Parameters(strength, leak, prevalence, 1.3))
