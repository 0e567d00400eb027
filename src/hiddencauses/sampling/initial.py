"""Where chains start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.errors import UserError, shorten
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.model.simulate import draw_world
from hiddencauses.model.spec import Finite, ModelSpec
from hiddencauses.model.world import Parameters, World, expected_shapes
from hiddencauses.rng import Purpose, stream
from hiddencauses.sampling.ranges import largest_count
from hiddencauses.validation import check_at_least

if TYPE_CHECKING:
    from hiddencauses.data.table import Table

__all__ = ["RANDOM_CAUSES", "check_start", "initial_world"]

#: Causes of a random start when no number is given: the paper's.
RANDOM_CAUSES = 10


def check_start(init: str | World, table: Table, spec: ModelSpec) -> str | World:
    """Refuse a start that is none, or that contradicts the table or the spec, before any work is done.

    Parameters
    ----------
    init
        "empty", "prior", "random", "random:K" with the number of causes, or a `World`.
    table, spec
        What it must fit.
    """
    if isinstance(init, World):
        init.check(spec, table_shape=table.shape)
        _check_count(init.n_total, spec, "the world")
        return init
    kind, _, number = str(init).partition(":")
    if not isinstance(init, str) or kind not in ("empty", "prior", "random") or (number and kind != "random"):
        raise UserError(f"init is {shorten(init)}; give 'empty', 'prior', 'random', 'random:K' or a World")
    causes = 0
    if kind == "random":
        causes = _number_of_random_causes(number)
    elif kind == "empty":
        causes = 1
    if kind != "prior" and isinstance(spec.causes, Finite):
        _check_count(_start_count(spec, causes), spec, f"init {shorten(init)}")
    return init


def _check_count(count: int, spec: ModelSpec, what: str) -> None:
    """Refuse a start with more causes than the prior on K leaves any chance."""
    if isinstance(spec.causes, Finite) and count > (largest := largest_count(spec.causes.prior_on_k)):
        raise UserError(
            f"{what} has {count} causes but the prior on K allows at most {largest}; "
            "start with fewer, or choose another prior"
        )


def _number_of_random_causes(number: str) -> int:
    if not number:
        return RANDOM_CAUSES
    if not number.isdecimal():
        raise UserError(
            f"init is {shorten('random:' + number)}; after 'random:' comes a whole number of causes"
        )
    return check_at_least("the number of causes of init", int(number), 1)


def _start_count(spec: ModelSpec, causes: int) -> int:
    """K of a start: a fixed K leaves no choice."""
    assert isinstance(spec.causes, Finite)
    prior = spec.causes.prior_on_k
    masses = [k for k in range(1, (prior.largest() or 0) + 1) if prior.log_mass(k) > -np.inf]
    return masses[0] if len(masses) == 1 else causes


def initial_world(init: str | World, table: Table, spec: ModelSpec, *, seed: int, chain: int) -> World:
    """Return the world a chain starts in.

    Free parameters start at a draw from their priors, but the leak at a draw from its posterior without
    causes: a leak far off takes many sweeps to come home, and misleads all else until then.

    "empty" is no cause at all, or one without links in the finite model. "random" has links and activity
    by the toss of a fair coin. "prior" is a draw from the model.
    """
    if isinstance(init, World):
        return init
    rows, variables = table.shape
    if init == "prior":
        return draw_world(spec, rows=rows, variables=variables, seed=seed, replicate=chain)
    rng = stream(seed, Purpose.INITIAL_STATE, chain=chain)
    finite = isinstance(spec.causes, Finite)
    if init == "empty":
        causes = _start_count(spec, 1) if finite else 0
        links = np.zeros((variables, causes), dtype=np.int8)
    else:
        causes = _number_of_random_causes(init.partition(":")[2])
        causes = _start_count(spec, causes) if finite and spec.causes.prior_on_k.largest() else causes  # type: ignore[union-attr]
        links = rng.integers(0, 2, size=(variables, causes), dtype=np.int8)
        for k in np.flatnonzero(~links.any(axis=0)):
            links[rng.integers(variables), k] = 1
    activity = rng.integers(0, 2, size=(rows, causes), dtype=np.int8)
    shapes = expected_shapes(spec, variables, causes)
    strength = _start(rng, spec.strength, shapes["strength"])
    return World(
        links,
        activity,
        Parameters(
            np.where(links == 1, strength, np.nan) if spec.strength_scope == "per_link" else strength,
            _start_leak(rng, spec, table),
            _start(rng, spec.prevalence, shapes["prevalence"]),
            spec.concentration.draw(rng) if isinstance(spec.concentration, Gamma) else spec.concentration,
        ),
    )


def _start(rng: np.random.Generator, prior: Beta | float, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(prior.draw(rng, shape)) if isinstance(prior, Beta) else np.full(shape, prior)


def _start_leak(rng: np.random.Generator, spec: ModelSpec, table: Table) -> np.ndarray:
    shape = expected_shapes(spec, table.n_variables, 0)["leak"]
    if not isinstance(spec.leak, Beta):
        return np.full(shape, spec.leak)
    ones = table.ones_per_column()
    zeros = table.n_rows - table.missing_per_column() - ones
    if not shape:
        ones, zeros = ones.sum(), zeros.sum()
    draws = [
        Beta(spec.leak.a + one, spec.leak.b + zero).draw(rng)
        for one, zero in zip(np.atleast_1d(ones), np.atleast_1d(zeros), strict=True)
    ]
    return np.array(draws, dtype=np.float64).reshape(shape)
