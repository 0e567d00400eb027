"""A few causes taken out of the state, to be changed together with their activity summed out.

Given links and parameters of these causes and everything about the others, rows are independent, and in a
row the activity of n causes has 2ⁿ settings. So their activity can be summed out of a ratio, and drawn
exactly afterwards. Settings are numbered by bits: cause k of the group is on in setting s when bit k is set.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.state import (
    PER_CAUSE,
    PER_LINK,
    SHARED,
    KernelSpec,
    State,
    add_cause,
    prevalence_of,
    remove_cause,
    set_link,
    strength_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.kernels.names import Rng

__all__ = [
    "Group",
    "add_to_state",
    "copy_cause",
    "degree_in",
    "degrees_with",
    "fill_settings",
    "group_of",
    "is_linked",
    "linked_causes",
    "log_beta_density",
    "log_own_density",
    "new_group",
    "replace",
    "same_links",
    "strength_of_cause",
    "without",
    "write_activity",
]


class Group(NamedTuple):
    """Links and strengths, variables × causes of the group, and their prevalences."""

    z: NDArray[np.int8]
    strength: NDArray[np.float64]
    prevalence: NDArray[np.float64]


@compiled
def new_group(state: State, spec: KernelSpec, size: int) -> Group:
    """Return a group of causes without links; what the state shares among causes, they share."""
    n_variables = state.z.shape[0]
    group = Group(
        np.zeros((n_variables, size), dtype=np.int8), np.full((n_variables, size), 0.5), np.full(size, 0.5)
    )
    if spec.strength_scope == SHARED:
        group.strength[:] = state.strength[0, 0]
    if spec.prevalence_shared:
        group.prevalence[:] = state.prevalence[0]
    return group


@compiled
def group_of(state: State, spec: KernelSpec, causes: NDArray[np.int64]) -> Group:
    """Return the causes at these places as a group."""
    group = new_group(state, spec, causes.size)
    for j in range(causes.size):
        copy_cause(state, spec, causes[j], group, j)
    return group


@compiled
def copy_cause(state: State, spec: KernelSpec, k: int, group: Group, j: int) -> None:
    """Write cause k of the state into place j of a group."""
    for i in range(state.z.shape[0]):
        group.z[i, j] = state.z[i, k]
        if state.z[i, k]:
            group.strength[i, j] = strength_of(state.strength, spec.strength_scope, i, k)
    group.prevalence[j] = prevalence_of(state.prevalence, spec.prevalence_shared, k)


@compiled
def without(state: State, causes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which places of the state hold causes that are not among these."""
    kept = np.zeros(state.degree.size, dtype=np.bool_)
    kept[: state.count[0]] = True
    for k in causes:
        kept[k] = False
    return kept


@compiled
def is_linked(group: Group, i: int) -> bool:
    """Tell whether any cause of the group drives variable i."""
    for j in range(group.prevalence.size):  # noqa: SIM110 - numba compiles a loop
        if group.z[i, j]:
            return True
    return False


@compiled
def fill_settings(group: Group, i: int, log_failure: NDArray[np.float64]) -> None:
    """Write log Π (1 − λ_ik) over the causes that are on, for every setting."""
    for s in range(log_failure.size):
        total = 0.0
        for j in range(group.prevalence.size):
            if group.z[i, j] and (s >> j) & 1:
                total += math.log1p(-group.strength[i, j])
        log_failure[s] = total


@compiled
def log_own_density(spec: KernelSpec, group: Group) -> float:
    """Return the log prior density of the strengths and prevalences that the causes have of their own."""
    total = 0.0
    for j in range(group.prevalence.size):
        if spec.strength_scope == PER_LINK:
            for i in range(group.z.shape[0]):
                if group.z[i, j]:
                    total += log_beta_density(group.strength[i, j], spec.strength_a, spec.strength_b)
        elif spec.strength_scope == PER_CAUSE:
            total += log_beta_density(strength_of_cause(group, j), spec.strength_a, spec.strength_b)
        if not spec.prevalence_shared:
            total += log_beta_density(group.prevalence[j], spec.prevalence_a, spec.prevalence_b)
    return total


@compiled
def strength_of_cause(group: Group, j: int) -> float:
    """Return the strength that all links of cause j have."""
    for i in range(group.z.shape[0]):
        if group.z[i, j]:
            return group.strength[i, j]
    return 0.5


@compiled
def log_beta_density(x: float, a: float, b: float) -> float:
    """Return the log density of Beta(a, b)."""
    return (
        (a - 1.0) * math.log(x)
        + (b - 1.0) * math.log1p(-x)
        + math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
    )


@compiled
def add_to_state(
    state: State, spec: KernelSpec, group: Group, j: int, activity: NDArray[np.uint64], visit: int
) -> None:
    """Put cause j of a group, with its activity, into a free place of the state."""
    k = add_cause(state, visit)
    for i in range(group.z.shape[0]):
        if group.z[i, j]:
            set_link(state, i, k, 1)
            if spec.strength_scope == PER_LINK:
                state.strength[i, k] = group.strength[i, j]
    if spec.strength_scope == PER_CAUSE:
        state.strength[0, k] = strength_of_cause(group, j)
    state.prevalence[k] = group.prevalence[j]
    write_activity(state, k, activity, j)


@compiled
def write_activity(state: State, k: int, activity: NDArray[np.uint64], j: int) -> None:
    """Give the cause at place k the activity drawn for cause j of a group."""
    for w in range(state.y.shape[1]):
        state.y[k, w] = activity[j, w]


@compiled
def replace(
    rng: Rng,
    state: State,
    spec: KernelSpec,
    causes: NDArray[np.int64],
    group: Group,
    activity: NDArray[np.uint64],
) -> None:
    """Take causes out and put those of a group in."""
    # from the last place on: what moves into a gap comes from behind it
    for k in np.sort(causes)[::-1]:
        remove_cause(state, spec, k, rng.visit)
    for j in range(group.prevalence.size):
        add_to_state(state, spec, group, j, activity, rng.visit)


@compiled
def same_links(one: Group, other: Group) -> bool:
    """Tell whether two groups of two causes have the same links, in either order."""
    straight = crossed = True
    for i in range(one.z.shape[0]):
        straight &= one.z[i, 0] == other.z[i, 0] and one.z[i, 1] == other.z[i, 1]
        crossed &= one.z[i, 0] == other.z[i, 1] and one.z[i, 1] == other.z[i, 0]
    return straight or crossed


@compiled
def linked_causes(state: State) -> NDArray[np.int64]:
    """Return the places of the causes that drive something."""
    found = np.empty(state.count[0], dtype=np.int64)
    n = 0
    for k in range(state.count[0]):
        if state.degree[k] > 0:
            found[n] = k
            n += 1
    return found[:n]


@compiled
def degrees_with(state: State, kept: NDArray[np.bool_], group: Group) -> NDArray[np.int64]:
    """Return the numbers of links of the kept causes and of those of a group."""
    degrees = np.empty(state.count[0] + group.prevalence.size, dtype=np.int64)
    n = 0
    for k in range(state.count[0]):
        if kept[k]:
            degrees[n] = state.degree[k]
            n += 1
    for j in range(group.prevalence.size):
        degrees[n] = 0
        for i in range(group.z.shape[0]):
            degrees[n] += group.z[i, j]
        n += 1
    return degrees[:n]


@compiled
def degree_in(group: Group, j: int) -> int:
    """Return how many links cause j of a group has."""
    total = 0
    for i in range(group.z.shape[0]):
        total += group.z[i, j]
    return total
