"""Between what users hold (table, spec, world) and what kernels work on (data, plain numbers, state)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.bits import n_words, pack_rows, unpack_rows
from hiddencauses.kernels.state import COUNTERS, PER_CAUSE, PER_LINK, SHARED, Data, KernelSpec, State
from hiddencauses.kernels.summed.effort import KINDS
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.model.spec import Finite, ModelSpec
from hiddencauses.model.world import Parameters, World
from hiddencauses.sampling.ranges import log_count_masses

if TYPE_CHECKING:
    from hiddencauses.data.table import Table

__all__ = ["kernel_data", "kernel_spec", "state_of", "world_of"]

#: Places for causes that a state begins with beyond those it holds.
SPARE = 8


def kernel_data(table: Table) -> Data:
    """Return the table's cells as bits."""
    known = pack_rows(np.ones((table.n_rows, 1), dtype=np.bool_))
    zeros = known & ~table.ones
    if table.missing is not None:
        zeros &= ~table.missing
    return Data(np.ascontiguousarray(table.ones), zeros, table.n_rows)


def kernel_spec(spec: ModelSpec, *, max_new: int | None = None) -> KernelSpec:
    """Return the spec as plain numbers."""
    strength_free, prevalence_free = isinstance(spec.strength, Beta), isinstance(spec.prevalence, Beta)
    scopes = {"shared": SHARED, "per_cause": PER_CAUSE, "per_link": PER_LINK}
    finite = isinstance(spec.causes, Finite)
    return KernelSpec(
        finite=finite,
        strength_scope=scopes[spec.strength_scope] if strength_free else SHARED,
        strength_free=strength_free,
        strength_a=_shape(spec.strength)[0],
        strength_b=_shape(spec.strength)[1],
        leak_shared=spec.leak_scope == "shared",
        leak_free=isinstance(spec.leak, Beta),
        leak_a=_shape(spec.leak)[0],
        leak_b=_shape(spec.leak)[1],
        prevalence_shared=spec.prevalence_scope == "shared" or not prevalence_free,
        prevalence_free=prevalence_free,
        prevalence_a=_shape(spec.prevalence)[0],
        prevalence_b=_shape(spec.prevalence)[1],
        concentration_free=isinstance(spec.concentration, Gamma),
        concentration_shape=spec.concentration.shape if isinstance(spec.concentration, Gamma) else 0.0,
        concentration_rate=spec.concentration.rate if isinstance(spec.concentration, Gamma) else 0.0,
        log_count_mass=log_count_masses(spec.causes.prior_on_k)
        if isinstance(spec.causes, Finite)
        else np.zeros(0),
        max_new=-1 if max_new is None else max_new,
    )


def _shape(prior: Beta | float) -> tuple[float, float]:
    return (prior.a, prior.b) if isinstance(prior, Beta) else (0.0, 0.0)


def state_of(world: World, spec: ModelSpec) -> State:
    """Return the state of a chain that is in a world."""
    world.check(spec)
    plain = kernel_spec(spec)
    n_variables, count = world.links.shape
    n_rows = len(world.activity)
    room = count + SPARE
    z = np.zeros((n_variables, room), dtype=np.int8)
    z[:, :count] = world.links
    y = np.zeros((room, n_words(n_rows)), dtype=np.uint64)
    y[:count] = pack_rows(np.asarray(world.activity, dtype=np.bool_))
    parameters = world.parameters
    strength = np.full((1, 1), 0.5)
    if plain.strength_scope == SHARED:
        strength[0, 0] = spec.strength if not isinstance(spec.strength, Beta) else parameters.strength
    else:
        strength = np.full((n_variables if plain.strength_scope == PER_LINK else 1, room), 0.5)
        strength[:, :count] = np.where(np.isnan(parameters.strength), 0.5, parameters.strength)
    prevalence = np.full(room, 0.5)
    if plain.prevalence_shared:
        prevalence[:] = spec.prevalence if not isinstance(spec.prevalence, Beta) else parameters.prevalence
    else:
        prevalence[:count] = parameters.prevalence
    return State(
        count=np.array([count, n_rows]),
        z=z,
        y=y,
        degree=z.sum(axis=0, dtype=np.int64),
        strength=strength,
        prevalence=prevalence,
        leak=np.broadcast_to(parameters.leak, n_variables).astype(np.float64),
        concentration=np.array([parameters.concentration], dtype=np.float64),
        born=np.full(room, -1),
        linked=np.asarray(z.any(axis=0), dtype=np.int8),
        tuning=np.zeros(4),
        counters=np.zeros(len(COUNTERS), dtype=np.int64),
        effort=np.zeros((KINDS + 1, 3)),
    )


def world_of(state: State, spec: ModelSpec) -> World:
    """Return the world a chain is in, as arrays of its own."""
    count = int(state.count[0])
    links = state.z[:, :count].copy()
    strength = state.strength[:, :count] if state.strength.shape[1] > 1 else state.strength[0, 0]
    prevalence = state.prevalence[:count] if count else np.zeros(0)
    return World(
        links=links,
        activity=np.ascontiguousarray(unpack_rows(state.y[:count], int(state.count[1])), dtype=np.int8),
        parameters=Parameters(
            strength=scoped_strength(spec, links, np.asarray(strength)),
            leak=np.asarray(state.leak[0] if spec.leak_scope == "shared" else state.leak.copy()),
            prevalence=np.asarray(
                state.prevalence[0] if spec.prevalence_scope == "shared" else prevalence.copy()
            ),
            concentration=float(state.concentration[0]),
        ),
    )


def scoped_strength(spec: ModelSpec, links: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """Bring strengths into the shape of their scope; NaN where no link is."""
    if spec.strength_scope == "shared":
        return np.asarray(strength, dtype=np.float64).reshape(())
    if spec.strength_scope == "per_cause":
        return np.broadcast_to(strength, (1, links.shape[1])).reshape(links.shape[1]).astype(np.float64)
    return np.where(links == 1, np.broadcast_to(strength, links.shape), np.nan)
