"""What kernels work on: the state of a chain, its data, and the spec as plain numbers.

A state has room for more causes than it holds; the first `count[0]` places are in use. Kernels change it
in place. Inside, tables and activity lie by variable and by cause, 64 rows a word (`bits.py`), so that what
is asked of them can be counted a word at a time.
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
    "failures_at",
    "linked_places",
    "log_failure",
    "own_places",
    "prevalence_of",
    "remove_cause",
    "set_link",
    "shared_places",
    "strength_of",
    "strengths_at",
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
    """A block of rows: bits of the cells that are 1 and of those that are 0, variables × words.

    A missing cell is in neither.
    """

    ones: NDArray[np.uint64]
    zeros: NDArray[np.uint64]
    n_rows: int


class State(NamedTuple):
    """The state of a chain.

    Attributes
    ----------
    count
        [number of causes in use, number of rows].
    z
        Links, variables × places.
    y
        Bits of the activity, places × words.
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
    y: NDArray[np.uint64]
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


# What is asked of a state for every variable or link takes single arrays: to hand over a whole state costs
# more than what these do, both when they are compiled and when they run.


@compiled
def strength_of(strength: NDArray[np.float64], scope: int, i: int, k: int) -> float:
    """Return λ of variable i and cause k."""
    return strength[i if scope == PER_LINK else 0, k if scope != SHARED else 0]


@compiled
def log_failure(strength: NDArray[np.float64], scope: int, i: int, k: int) -> float:
    """Return log(1 − λ) of variable i and cause k."""
    return np.log1p(-strength_of(strength, scope, i, k))


@compiled
def prevalence_of(prevalence: NDArray[np.float64], shared: bool, k: int) -> float:
    """Return p of cause k."""
    return prevalence[0 if shared else k]


@compiled
def linked_places(linked: NDArray[np.int8], without: int) -> NDArray[np.int64]:
    """Return the places of a variable's causes, one (or −1: none) left out, in rising order.

    `linked` are its links to the causes in use, `state.z[i, : state.count[0]]`.
    """
    found = np.empty(linked.size, dtype=np.int64)
    n = 0
    for k in range(linked.size):
        if linked[k] and k != without:
            found[n] = k
            n += 1
    return found[:n]


@compiled
def shared_places(linked: NDArray[np.int8], degree: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of the causes that a variable shares with others, in rising order."""
    found = np.empty(linked.size, dtype=np.int64)
    n = 0
    for k in range(linked.size):
        if linked[k] and degree[k] > 1:
            found[n] = k
            n += 1
    return found[:n]


@compiled
def own_places(linked: NDArray[np.int8], degree: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of the causes that drive a variable alone, in rising order."""
    found = np.empty(linked.size, dtype=np.int64)
    n = 0
    for k in range(linked.size):
        if linked[k] and degree[k] == 1:
            found[n] = k
            n += 1
    return found[:n]


@compiled
def strengths_at(
    strength: NDArray[np.float64], scope: int, i: int, places: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return λ of variable i and some causes."""
    found = np.empty(places.size)
    for c in range(places.size):
        found[c] = strength[i if scope == PER_LINK else 0, places[c] if scope != SHARED else 0]
    return found


@compiled
def failures_at(
    strength: NDArray[np.float64], scope: int, i: int, places: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return log(1 − λ) of variable i and some causes."""
    found = strengths_at(strength, scope, i, places)
    for c in range(places.size):
        found[c] = np.log1p(-found[c])
    return found


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
        for w in range(state.y.shape[1]):
            state.y[k, w] = state.y[last, w]
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
    words = state.y.shape[1]
    more = 2 * room
    z = np.zeros((n_variables, more), dtype=np.int8)
    y = np.zeros((more, words), dtype=np.uint64)
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
        for w in range(words):
            y[k, w] = state.y[k, w]
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
