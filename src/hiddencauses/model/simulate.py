"""Simulation: worlds and tables drawn from the model, for tests, teaching and comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.bits import pack_rows
from hiddencauses.data.table import Table
from hiddencauses.errors import UserError
from hiddencauses.model.noisy_or import log_off_probabilities
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.model.spec import Finite, ModelSpec, as_spec
from hiddencauses.model.world import Parameters, World, expected_shapes
from hiddencauses.rng import Purpose, fresh_seed, stream
from hiddencauses.validation import check_at_least, check_links, check_rate, check_seed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Simulation",
    "draw_links_buffet",
    "draw_links_finite",
    "draw_links_given_count",
    "draw_links_given_count_by_rejection",
    "draw_table",
    "draw_world",
    "simulate",
]

#: Rows drawn at a time, so that a large table never exists as floating-point numbers all at once.
BLOCK_ROWS = 65_536


@dataclass(frozen=True, eq=False, slots=True)
class Simulation:
    """A simulated table and the truth behind it.

    Attributes
    ----------
    table
        The table.
    truth
        The world it was drawn from.
    spec
        The model the world was drawn from.
    seed
        The seed that gives the same again.
    """

    table: Table
    truth: World
    spec: ModelSpec
    seed: int


def simulate(
    *,
    rows: int,
    variables: int | None = None,
    causes: int | None = None,
    links: ArrayLike | None = None,
    spec: ModelSpec | None = None,
    missing_rate: float = 0.0,
    seed: int | None = None,
) -> Simulation:
    """Draw a world from the model, and a table from the world.

    Parameters
    ----------
    rows
        How many rows.
    variables
        How many variables; may be left out when `links` are given.
    causes
        How many causes. In the unbounded model: exactly so many, each with at least one link. In the
        finite model: K, some of which may have no link. Drawn when left out.
    links
        The links themselves, variables × causes of 0 and 1, instead of drawing them.
    spec
        The model; free parameters are drawn from their priors. `DEFAULT_SPEC` when left out.
    missing_rate
        Share of cells made missing, each independently of everything.
    seed
        The same seed gives the same simulation. Drawn, and recorded in the result, when left out.

    Examples
    --------
    >>> spec = ModelSpec(strength=0.9, leak=0.01, prevalence=0.1)
    >>> simulation = simulate(rows=100, variables=6, causes=2, spec=spec, seed=1)
    >>> simulation.table.shape, simulation.truth.links.shape
    ((100, 6), (6, 2))
    """
    spec = as_spec(spec)
    rows = check_at_least("rows", rows, 1)
    missing_rate = check_rate("missing_rate", missing_rate)
    seed = fresh_seed() if seed is None else check_seed(seed)
    given = None if links is None else check_links(links)
    if given is not None:
        _check_agreement("variables", variables, given.shape[0])
        _check_agreement("causes", causes, given.shape[1])
        variables = given.shape[0]
    if variables is None:
        raise UserError("neither variables nor links was given; say how many variables there are")
    variables = check_at_least("variables", variables, 1)
    causes = None if causes is None else check_at_least("causes", causes, 0)
    truth = draw_world(spec, rows=rows, variables=variables, causes=causes, links=given, seed=seed)
    return Simulation(draw_table(truth, missing_rate=missing_rate, seed=seed), truth, spec, seed)


def _check_agreement(name: str, asked: int | None, found: int) -> None:
    if asked is not None and asked != found:
        raise UserError(f"{name} is {asked} but links has {found}; give only one of them, or make them agree")


# -- links -----------------------------------------------------------------------------------------


def draw_links_buffet(rng: np.random.Generator, variables: int, concentration: float) -> NDArray[np.int8]:
    """Draw Z by the Indian buffet: variables enter one by one and choose causes (section 3.2)."""
    columns: list[NDArray[np.int8]] = []
    for i in range(variables):
        for column in columns:
            column[i] = rng.random() < column[:i].sum() / (i + 1)
        for _ in range(rng.poisson(concentration / (i + 1))):
            column = np.zeros(variables, dtype=np.int8)
            column[i] = 1
            columns.append(column)
    return np.stack(columns, axis=1) if columns else np.zeros((variables, 0), dtype=np.int8)


def draw_links_finite(
    rng: np.random.Generator, variables: int, k: int, concentration: float
) -> NDArray[np.int8]:
    """Draw Z of the finite model: θ_k ~ Beta(α/K, 1), each link with probability θ_k (section 3.1)."""
    if k == 0:
        return np.zeros((variables, 0), dtype=np.int8)
    theta = rng.beta(concentration / k, 1.0, size=k)
    return (rng.random((variables, k)) < theta).astype(np.int8)


def draw_links_given_count(rng: np.random.Generator, variables: int, k: int) -> NDArray[np.int8]:
    """Draw Z of the buffet process given that it has k causes.

    Given their number the causes are independent: m links with probability ∝ 1/m, then a uniform set of
    that size. The concentration plays no part any more.
    """
    sizes = np.arange(1, variables + 1)
    weights = 1.0 / sizes
    drawn = rng.choice(sizes, size=k, p=weights / weights.sum())
    links = np.zeros((variables, k), dtype=np.int8)
    for column, size in enumerate(drawn):
        links[rng.choice(variables, size=size, replace=False), column] = 1
    return links


def draw_links_given_count_by_rejection(
    rng: np.random.Generator, variables: int, k: int, concentration: float
) -> NDArray[np.int8]:
    """Draw Z of the buffet process until it has k causes, as the paper does; may take for ever."""
    while True:
        links = draw_links_buffet(rng, variables, concentration)
        if links.shape[1] == k:
            return links[:, rng.permutation(k)]


# -- worlds and tables -----------------------------------------------------------------------------


def draw_world(
    spec: ModelSpec,
    *,
    rows: int,
    variables: int,
    causes: int | None = None,
    links: NDArray[np.int8] | None = None,
    seed: int,
    replicate: int = 0,
) -> World:
    """Draw a world from its prior. `replicate` numbers independent worlds of one seed."""
    rng = stream(seed, Purpose.SIMULATE_PARAMETERS, chain=replicate)
    concentration = (
        spec.concentration.draw(rng) if isinstance(spec.concentration, Gamma) else spec.concentration
    )
    if links is None:
        links = _draw_links(
            spec, variables, causes, concentration, stream(seed, Purpose.SIMULATE_LINKS, chain=replicate)
        )
    shapes = expected_shapes(spec, variables, links.shape[1])
    strength = _draw_probability(rng, spec.strength, shapes["strength"])
    if spec.strength_scope == "per_link":
        strength = np.where(links == 1, strength, np.nan)
    leak = _draw_probability(rng, spec.leak, shapes["leak"])
    prevalence = _draw_probability(rng, spec.prevalence, shapes["prevalence"])
    activity = np.empty((rows, links.shape[1]), dtype=np.int8)
    for block, start in enumerate(range(0, rows, BLOCK_ROWS)):
        part = activity[start : start + BLOCK_ROWS]
        uniforms = stream(seed, Purpose.SIMULATE_ACTIVITY, chain=replicate, block=block).random(part.shape)
        part[:] = uniforms < prevalence
    return World(links, activity, Parameters(strength, leak, prevalence, concentration))


def _draw_links(
    spec: ModelSpec, variables: int, causes: int | None, concentration: float, rng: np.random.Generator
) -> NDArray[np.int8]:
    if isinstance(spec.causes, Finite):
        k = spec.causes.prior_on_k.draw(rng) if causes is None else causes
        return draw_links_finite(rng, variables, k, concentration)
    if causes is None:
        return draw_links_buffet(rng, variables, concentration)
    return draw_links_given_count(rng, variables, causes)


def _draw_probability(
    rng: np.random.Generator, prior: Beta | float, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    return np.asarray(prior.draw(rng, shape)) if isinstance(prior, Beta) else np.full(shape, prior)


def draw_table(world: World, *, missing_rate: float = 0.0, seed: int, replicate: int = 0) -> Table:
    """Draw a table from a world, block of rows by block of rows."""
    parts: list[tuple[NDArray[np.uint64], NDArray[np.uint64]]] = []
    for block, start in enumerate(range(0, len(world.activity), BLOCK_ROWS)):
        part = World(world.links, world.activity[start : start + BLOCK_ROWS], world.parameters)
        on = -np.expm1(log_off_probabilities(part))
        ones = stream(seed, Purpose.SIMULATE_TABLE, chain=replicate, block=block).random(on.shape) < on
        missing = np.zeros(on.shape, dtype=np.bool_)
        if missing_rate > 0:
            hiding = stream(seed, Purpose.SIMULATE_MISSING, chain=replicate, block=block)
            missing = hiding.random(on.shape) < missing_rate
        parts.append((pack_rows(ones & ~missing), pack_rows(missing)))
    missing_bits = np.concatenate([part[1] for part in parts], axis=1)
    return Table(
        ones=np.concatenate([part[0] for part in parts], axis=1),
        missing=missing_bits if missing_bits.any() else None,
        n_rows=len(world.activity),
        columns=tuple(f"x{i + 1}" for i in range(len(world.links))),
        source="simulated",
    )
