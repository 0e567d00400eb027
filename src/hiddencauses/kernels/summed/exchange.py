"""A cause and the leaks of its variables taking each other's place.

A cause with weak links hardly differs from a little more leak in each of its variables: with its activity
summed out it switches variable i on with probability λ_i p. A chain that has one, or lacks one, could change
that only if the leaks were already where they would then be. So a birth may take from each leak what the new
cause brings, and a death give it back,

    1 − ε′_i = (1 − ε_i) (1 − λ_i p),

ε without the prime belonging to the state with the cause. Given the cause this is a change of variables, and
its Jacobian Π dε′_i/dε_i = Π (1 − λ_i p) = Π (1 − ε′_i) / (1 − ε_i) belongs into the acceptance ratio.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.failure_profile import clear, empty_profile
from hiddencauses.kernels.grouped import add_groups, log_likelihood_on
from hiddencauses.kernels.state import SHARED, Data, KernelSpec, State, failures_at
from hiddencauses.kernels.streams import LEAST, MOST
from hiddencauses.kernels.summed.group import Group, log_beta_density

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["leaks_given_back", "leaks_taken_from", "log_leak_ratio"]


@compiled
def leaks_taken_from(leak: NDArray[np.float64], group: Group, j: int) -> NDArray[np.float64]:
    """Return what is left of the leaks when cause j of a group takes its share, NaN where it is too much."""
    left = leak.copy()
    for i in range(left.size):
        if group.z[i, j]:
            share = group.strength[i, j] * group.prevalence[j]
            left[i] = (left[i] - share) / (1.0 - share)
            if not left[i] > LEAST:
                left[i] = np.nan
    return left


@compiled
def leaks_given_back(leak: NDArray[np.float64], group: Group, j: int) -> NDArray[np.float64]:
    """Return the leaks with the share of cause j of a group added, NaN where that is too much."""
    more = leak.copy()
    for i in range(more.size):
        if group.z[i, j]:
            more[i] += (1.0 - more[i]) * group.strength[i, j] * group.prevalence[j]
            if not more[i] < MOST:
                more[i] = np.nan
    return more


@compiled
def log_leak_ratio(
    state: State, data: Data, spec: KernelSpec, kept: NDArray[np.bool_], leak: NDArray[np.float64]
) -> float:
    """Return what other leaks mean for the kept causes alone: likelihood and prior, with the Jacobian."""
    total = 0.0
    on = empty_profile()
    causes = np.empty(state.count[0], dtype=np.int64)
    for i in range(leak.size):
        if leak[i] == state.leak[i]:
            continue
        n = 0
        for k in range(state.count[0]):
            if kept[k] and state.z[i, k]:
                causes[n] = k
                n += 1
        failures = failures_at(state.strength, spec.strength_scope, i, causes[:n])
        alike = spec.strength_scope == SHARED
        clear(on)
        on = add_groups(on, data.ones[i], state.y, causes[:n], failures, alike, 0.0)
        now, then = math.log1p(-state.leak[i]), math.log1p(-leak[i])
        total += log_likelihood_on(on, then) - log_likelihood_on(on, now)
        total += (count_both(data.zeros[i], data.zeros[i]) + 1.0) * (then - now)
        total += log_beta_density(leak[i], spec.leak_a, spec.leak_b)
        total -= log_beta_density(state.leak[i], spec.leak_a, spec.leak_b)
    return total
