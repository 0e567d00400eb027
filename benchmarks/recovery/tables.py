"""Tables whose causes are known: one function for each line of the recovery suite.

Links, strengths, leaks and prevalences of a line are drawn here, as the line says; cells are drawn by the
package's simulator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hiddencauses import ModelSpec, Table, simulate
from hiddencauses.model.simulate import draw_table
from hiddencauses.model.world import Parameters, World

__all__ = ["LINES", "Line", "Problem"]


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """A table and the causes to be found in it; `main` says which of these the line asks for."""

    table: Table
    truth: World
    main: NDArray[np.bool_]

    @property
    def links(self) -> NDArray[np.int8]:
        """Links of the true causes, variables × causes."""
        return self.truth.links


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the suite.

    Attributes
    ----------
    name
        Short name, for the command line.
    what
        What the tables are like, in words.
    make
        Makes the table of a seed.
    asked
        Which figure the line must show (`judge.succeeds`), and in what share of seeds.
    share
        That share.
    seeds
        How many seeds.
    """

    name: str
    what: str
    make: Callable[[int], Problem]
    asked: str
    share: float
    seeds: int = 20


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng([2006, seed])


def _sets(rng: np.random.Generator, variables: int, sizes: NDArray[np.int64]) -> NDArray[np.int8]:
    """Draw a random set of each size, all different."""
    links = np.zeros((variables, len(sizes)), dtype=np.int8)
    for k, size in enumerate(sizes):
        links[rng.choice(variables, size=size, replace=False), k] = 1
    return links


def _problem(
    rng: np.random.Generator,
    seed: int,
    rows: int,
    links: NDArray[np.int8],
    *,
    strength: float | NDArray[np.float64],
    leak: float | NDArray[np.float64],
    prevalence: float | NDArray[np.float64],
    main: int | None = None,
) -> Problem:
    """Draw activity and table; causes without a link are no causes."""
    links = links[:, links.any(axis=0)]
    variables, causes = links.shape
    activity = (rng.random((rows, causes)) < prevalence).astype(np.int8)
    parameters = Parameters(
        np.where(links == 1, strength, np.nan),
        np.broadcast_to(np.asarray(leak, dtype=np.float64), variables),
        np.broadcast_to(np.asarray(prevalence, dtype=np.float64), causes),
        1.0,
    )
    truth = World(links, activity, parameters)
    return Problem(
        draw_table(truth, seed=seed), truth, np.arange(causes) < (causes if main is None else main)
    )


def sets_of_size(seed: int, size: int) -> Problem:
    """2,000 × 64, 8 causes, random overlapping sets of one size."""
    rng = _rng(seed)
    links = _sets(rng, 64, np.full(8, size))
    return _problem(rng, seed, 2000, links, strength=0.9, leak=0.001, prevalence=0.125)


def varied(seed: int) -> Problem:
    """2,000 × 64, sets of 12 to 20, prevalences and strengths that differ."""
    rng = _rng(seed)
    links = _sets(rng, 64, rng.integers(12, 21, size=8))
    return _problem(
        rng,
        seed,
        2000,
        links,
        strength=rng.uniform(0.8, 0.95, size=links.shape),
        leak=0.001,
        prevalence=rng.uniform(0.1, 0.2, size=8),
    )


def common(seed: int) -> Problem:
    """2,000 × 64, sets of 8 to 28, each cause at work in a quarter of the rows."""
    rng = _rng(seed)
    links = _sets(rng, 64, rng.integers(8, 29, size=8))
    return _problem(rng, seed, 2000, links, strength=0.9, leak=0.001, prevalence=0.25)


def independent_links(seed: int) -> Problem:
    """2,000 × 64, each link with probability .15."""
    rng = _rng(seed)
    links = (rng.random((64, 8)) < 0.15).astype(np.int8)
    return _problem(rng, seed, 2000, links, strength=0.9, leak=0.01, prevalence=0.1)


def lifelike(seed: int) -> Problem:
    """2,000 × 70, sets of 3 to 21, rare causes, strengths from weak to strong, leaks up to a quarter."""
    rng = _rng(seed)
    links = _sets(rng, 70, rng.integers(3, 22, size=8))
    return _problem(
        rng,
        seed,
        2000,
        links,
        strength=rng.uniform(0.5, 0.98, size=links.shape),
        leak=rng.uniform(0.001, 0.25, size=70),
        prevalence=rng.uniform(0.07, 0.18, size=8),
    )


def with_rare(seed: int) -> Problem:
    """As sets of 8, with 8 further causes that are rare."""
    rng = _rng(seed)
    links = np.hstack([_sets(rng, 64, np.full(8, 8)), _sets(rng, 64, rng.integers(12, 21, size=8))])
    return _problem(
        rng, seed, 2000, links, strength=0.9, leak=0.001, prevalence=np.repeat([0.125, 0.05], 8), main=8
    )


def misspecified(seed: int) -> Problem:
    """As common; in a tenth of the rows the same quarter of the variables is the other way round."""
    problem = common(seed)
    rng = _rng(seed + 1_000_000)
    cells = problem.table.codes().astype(np.float64)
    rows = np.flatnonzero(rng.random(len(cells)) < 0.1)
    variables = rng.choice(cells.shape[1], size=cells.shape[1] // 4, replace=False)
    cells[np.ix_(rows, variables)] = 1.0 - cells[np.ix_(rows, variables)]
    return Problem(Table.from_array(cells), problem.truth, problem.main)


def large(seed: int) -> Problem:
    """20,000 × 200, 20 causes, each link with probability .08."""
    rng = _rng(seed)
    links = (rng.random((200, 20)) < 0.08).astype(np.int8)
    return _problem(rng, seed, 20_000, links, strength=0.9, leak=0.01, prevalence=0.1)


def independent_columns(seed: int) -> Problem:
    """2,000 × 64, no cause: every variable by itself, at a rate of its own."""
    rng = _rng(seed)
    return _problem(
        rng,
        seed,
        2000,
        np.zeros((64, 0), dtype=np.int8),
        strength=0.9,
        leak=rng.uniform(0.01, 0.5, size=64),
        prevalence=np.zeros(0),
    )


def constant(seed: int, value: int) -> Problem:
    """2,000 × 64, every cell the same."""
    nothing = independent_columns(seed)
    return Problem(Table.from_array(np.full((2000, 64), float(value))), nothing.truth, nothing.main)


def simulated_from_paper(seed: int) -> Problem:
    """150 rows, 10 variables, 4 causes, as in the paper's Fig. 4."""
    spec = ModelSpec.paper().with_fixed(strength=0.9, leak=0.01, prevalence=0.1, concentration=3.0)
    simulation = simulate(rows=150, variables=10, causes=4, spec=spec, seed=seed)
    return Problem(simulation.table, simulation.truth, np.ones(4, dtype=np.bool_))


LINES = (
    Line("sets8", "2,000 × 64, sets of 8", lambda seed: sets_of_size(seed, 8), "all", 0.95),
    Line("sets24", "2,000 × 64, sets of 24", lambda seed: sets_of_size(seed, 24), "all", 0.95),
    Line("varied", "2,000 × 64, sets of 12–20, strength per link", varied, "all", 0.95),
    Line("common", "2,000 × 64, sets of 8–28, prevalence .25", common, "all", 0.95),
    Line("links15", "2,000 × 64, links with probability .15", independent_links, "all", 0.95),
    Line("lifelike", "2,000 × 70, sets of 3–21, strengths .5–.98, leaks to .25", lifelike, "pooled", 0.95),
    Line("rare", "sets of 8, with 8 further rare causes", with_rare, "main", 0.95),
    Line("flipped", "prevalence .25, a tenth of the rows misspecified", misspecified, "main", 0.90),
    Line("large", "20,000 × 200, 20 causes", large, "main", 1.0, seeds=10),
    Line("columns", "2,000 × 64, independent columns", independent_columns, "none", 0.95),
    Line("zeros", "2,000 × 64, all zeros", lambda seed: constant(seed, 0), "none", 0.95),
    Line("ones", "2,000 × 64, all ones", lambda seed: constant(seed, 1), "none", 0.95),
)
