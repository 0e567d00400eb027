"""Tables to be timed on, and the truth of each as a start in either of the two specs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.recovery.tables import Problem
from hiddencauses import DEFAULT_SPEC, ModelSpec, simulate
from hiddencauses.model.world import Parameters, World

__all__ = ["SIZES", "SPECS", "Size", "draw_problem", "in_spec"]

#: Everything shared, as in the paper; and strength per link, leak per variable, prevalence per cause.
SPECS = {"shared": ModelSpec.paper(), "per link": DEFAULT_SPEC}
#: What all tables are drawn with.
PREVALENCE, STRENGTH, LEAK, CONCENTRATION = 0.1, 0.9, 0.01, 3.0


@dataclass(frozen=True, slots=True)
class Size:
    """Rows, variables and causes of a table, and the probability of a link."""

    rows: int
    variables: int
    causes: int
    link_probability: float

    @property
    def name(self) -> str:
        """The size in words."""
        return f"{self.rows:,} × {self.variables:,} × {self.causes}"


#: The sizes sweeps are timed at: the paper's, that of the recovery suite, its large line.
SIZES = (Size(150, 10, 4, 0.3), Size(2000, 64, 8, 0.15), Size(20_000, 200, 20, 0.08))


def draw_problem(size: Size, seed: int) -> Problem:
    """Draw links, every cause with at least one, and a table from them by the package's simulator."""
    rng = np.random.default_rng([2006, 5, seed])
    links = (rng.random((size.variables, size.causes)) < size.link_probability).astype(np.int8)
    for k in np.flatnonzero(~links.any(axis=0)):
        links[rng.integers(size.variables), k] = 1
    spec = ModelSpec.paper().with_fixed(
        strength=STRENGTH, leak=LEAK, prevalence=PREVALENCE, concentration=CONCENTRATION
    )
    simulation = simulate(rows=size.rows, links=links, spec=spec, seed=seed)
    return Problem(simulation.table, simulation.truth, np.ones(size.causes, dtype=np.bool_))


def in_spec(truth: World, spec: ModelSpec) -> World:
    """Return the same world with its parameters, shared ones, in the shapes of a spec's scopes."""
    n_variables, count = truth.links.shape
    given = truth.parameters
    scopes: dict[str, NDArray[np.float64]] = {
        "shared": np.asarray(given.strength),
        "per_cause": np.full(count, given.strength),
        "per_link": np.where(truth.links == 1, given.strength, np.nan),
    }
    return World(
        truth.links,
        truth.activity,
        Parameters(
            scopes[spec.strength_scope],
            np.asarray(given.leak) if spec.leak_scope == "shared" else np.full(n_variables, given.leak),
            np.asarray(given.prevalence)
            if spec.prevalence_scope == "shared"
            else np.full(count, given.prevalence),
            given.concentration,
        ),
    )
