"""What kernels work on: the state of a chain, its data, and the spec as plain numbers.

A state has room for more causes than it holds; the first `count[0]` places are in use. Kernels change it
in place. Inside, tables, links and activity lie by variable and by cause: x is variables × rows, y is
causes × rows, so that loops over rows run along memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "COUNTERS",
    "NEEDS_ROOM",
    "WELL",
    "Data",
    "KernelSpec",
    "State",
    "add_cause",
    "enlarge",
    "log_failure",
    "prevalence_of",
    "remove_cause",
    "set_link",
    "strength_of",
]

#: What a kernel returns: it has done its work, or there was no room for new causes and it has done nothing.
WELL, NEEDS_ROOM = 0, 1

SHARED, PER_CAUSE, PER_LINK = 0, 1, 2

#: What is counted along the way (section 5 of the paper wants to know).
COUNTERS = (
    "births_proposed",
    "births_accepted",
    "deaths_proposed",
    "deaths_accepted",
    "born_linked",  # causes born without a link that gained one
    "born_died",  # causes born in this run that died
    "lifetime",  # summed over those, in visits to a variable
    "own_proposed",
    "own_accepted",
    "joint_births_proposed",
    "joint_births_accepted",
    "joint_deaths_proposed",
    "joint_deaths_accepted",
    "splits_proposed",
    "splits_accepted",
    "merges_proposed",
    "merges_accepted",
    "rearrangements_proposed",
    "rearrangements_accepted",
    "swaps_proposed",
    "swaps_accepted",
)


class KernelSpec(NamedTuple):
    """The spec as kernels see it. A fixed parameter counts as shared, whatever its scope, and is not free."""

    finite: bool
    strength_scope: int
    strength_free: bool
    strength_a: float
    strength_b: float
    leak_shared: bool
    leak_free: bool
    leak_a: float
    leak_b: float
    prevalence_shared: bool
    prevalence_free: bool
    prevalence_a: float
    prevalence_b: float
    concentration_free: bool
    concentration_shape: float
    concentration_rate: float
    # log P(K) of the finite model for K = 0, 1, …; beyond its end K is impossible
    log_count_mass: NDArray[np.float64]
    # the most new causes of one variable at a time; below 0: no limit
    max_new: int


class Data(NamedTuple):
    """A block of rows: cells as 0, 1 and −1 (missing), variables × rows."""

    x: NDArray[np.int8]


class State(NamedTuple):
    """The state of a chain.

    Attributes
    ----------
    count
        [number of causes in use].
    z
        Links, variables × places.
    y
        Activity, places × rows.
    degree
        Links of each cause.
    strength
        1 × 1 when shared, 1 × places per cause, variables × places per link (meaningful where there is a
        link).
    prevalence
        Per place, all alike when shared.
    leak
        Per variable, all alike when shared.
    concentration
        [α].
    born
        Visit at which a cause was born, −1 when it was there at the start.
    linked
        Whether a cause ever had a link.
    tuning
        What the widths of slice steps follow from: distance moved and moves, of strength and of leak.
    counters
        See `COUNTERS`.
    effort
        What the moves on groups cost and brought during warm-up (`summed/effort.py`).
    """

    count: NDArray[np.int64]  # type: ignore[assignment]
    z: NDArray[np.int8]
    y: NDArray[np.int8]
    degree: NDArray[np.int64]
    strength: NDArray[np.float64]
    prevalence: NDArray[np.float64]
    leak: NDArray[np.float64]
    concentration: NDArray[np.float64]
    born: NDArray[np.int64]
    linked: NDArray[np.int8]
    tuning: NDArray[np.float64]
    counters: NDArray[np.int64]
    effort: NDArray[np.float64]


@compiled
def strength_of(state: State, spec: KernelSpec, i: int, k: int) -> float:
    """Return λ of variable i and cause k."""
    if spec.strength_scope == SHARED:
        return state.strength[0, 0]
    if spec.strength_scope == PER_CAUSE:
        return state.strength[0, k]
    return state.strength[i, k]


@compiled
def log_failure(state: State, spec: KernelSpec, i: int, k: int) -> float:
    """Return log(1 − λ) of variable i and cause k."""
    return np.log1p(-strength_of(state, spec, i, k))


@compiled
def prevalence_of(state: State, spec: KernelSpec, k: int) -> float:
    """Return p of cause k."""
    return state.prevalence[0] if spec.prevalence_shared else state.prevalence[k]


@compiled
def set_link(state: State, i: int, k: int, value: int) -> None:
    """Set z of variable i and cause k."""
    state.degree[k] += value - state.z[i, k]
    state.z[i, k] = value
    if value and not state.linked[k]:
        state.linked[k] = 1
        if state.born[k] >= 0:
            state.counters[4] += 1


@compiled
def add_cause(state: State, visit: int) -> int:
    """Put a cause without links into the next place and return the place; the caller fills it."""
    k = state.count[0]
    state.count[0] += 1
    state.z[:, k] = 0
    state.degree[k] = 0
    state.born[k] = visit
    state.linked[k] = 0
    return k


@compiled
def remove_cause(state: State, spec: KernelSpec, k: int, visit: int) -> None:
    """Take a cause out; the last one moves into its place."""
    if state.born[k] >= 0:
        state.counters[5] += 1
        state.counters[6] += visit - state.born[k]
    last = state.count[0] - 1
    state.count[0] = last
    if k != last:
        for i in range(state.z.shape[0]):
            state.z[i, k] = state.z[i, last]
        for r in range(state.y.shape[1]):
            state.y[k, r] = state.y[last, r]
        state.degree[k] = state.degree[last]
        if spec.strength_scope != SHARED:
            for i in range(state.strength.shape[0]):
                state.strength[i, k] = state.strength[i, last]
        state.prevalence[k] = state.prevalence[last]
        state.born[k] = state.born[last]
        state.linked[k] = state.linked[last]


@compiled
def enlarge(state: State, spec: KernelSpec) -> State:
    """Return the same state with twice the room."""
    n_variables, room = state.z.shape
    n_rows = state.y.shape[1]
    more = 2 * room
    z = np.zeros((n_variables, more), dtype=np.int8)
    y = np.zeros((more, n_rows), dtype=np.int8)
    degree = np.zeros(more, dtype=np.int64)
    strength = state.strength
    if spec.strength_scope != SHARED:
        strength = np.full((state.strength.shape[0], more), 0.5)
    prevalence = np.full(more, state.prevalence[0])
    born = np.full(more, -1)
    linked = np.zeros(more, dtype=np.int8)
    for k in range(room):
        for i in range(n_variables):
            z[i, k] = state.z[i, k]
        for r in range(n_rows):
            y[k, r] = state.y[k, r]
        if spec.strength_scope != SHARED:
            for i in range(strength.shape[0]):
                strength[i, k] = state.strength[i, k]
        degree[k], born[k], linked[k] = state.degree[k], state.born[k], state.linked[k]
        prevalence[k] = state.prevalence[k]
    return State(
        state.count,
        z,
        y,
        degree,
        strength,
        prevalence,
        state.leak,
        state.concentration,
        born,
        linked,
        state.tuning,
        state.counters,
        state.effort,
    )
