"""The log joint density of a state, compiled: what is stored with every draw.

It is that of the unordered set of causes, prevalences of single causes integrated out; `model/joint.py` says
the same slowly and is what this is tested against.
"""

from __future__ import annotations

import math

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.failure_profile import clear, empty_profile
from hiddencauses.kernels.finite_prior import log_count_mass, log_links_prior
from hiddencauses.kernels.grouped import add_groups, log_likelihood_off, log_likelihood_on
from hiddencauses.kernels.state import (
    PER_CAUSE,
    PER_LINK,
    SHARED,
    Data,
    KernelSpec,
    State,
    failures_at,
    linked_places,
    prevalence_of,
)

__all__ = ["log_joint_density"]


@compiled
def log_joint_density(state: State, data: Data, spec: KernelSpec) -> float:
    """Return the log joint density of a state and the data."""
    return (
        _log_likelihood(state, data, spec)
        + _log_activity(state, spec)
        + _log_links(state, spec)
        + _log_parameters(state, spec)
    )


@compiled
def _log_likelihood(state: State, data: Data, spec: KernelSpec) -> float:
    profile = empty_profile()
    alike = spec.strength_scope == SHARED
    total = 0.0
    for i in range(state.z.shape[0]):
        causes = linked_places(state.z[i, : state.count[0]], -1)
        failures = failures_at(state.strength, spec.strength_scope, i, causes)
        start = math.log1p(-state.leak[i])
        clear(profile)
        profile = add_groups(profile, data.ones[i], state.y, causes, failures, alike, start)
        total += log_likelihood_on(profile, 0.0)
        total += log_likelihood_off(data.zeros[i], state.y, causes, failures, start)
    return total


@compiled
def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@compiled
def _log_beta_density(x: float, a: float, b: float) -> float:
    return (a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x) - _log_beta(a, b)


@compiled
def _log_activity(state: State, spec: KernelSpec) -> float:
    n_rows = state.count[1]
    a, b = spec.prevalence_a, spec.prevalence_b
    total = 0.0
    for k in range(state.count[0]):
        on = count_both(state.y[k], state.y[k])
        if spec.prevalence_shared:
            p = prevalence_of(state.prevalence, spec.prevalence_shared, k)
            total += on * math.log(p) + (n_rows - on) * math.log1p(-p)
        else:
            total += _log_beta(a + on, b + n_rows - on) - _log_beta(a, b)
    return total


@compiled
def _log_links(state: State, spec: KernelSpec) -> float:
    """log P(Z, K | α) of the unordered set: the prior over orders of the columns, times their number."""
    n_variables, count = state.z.shape[0], state.count[0]
    alpha = state.concentration[0]
    total = 0.0
    if spec.finite:
        total += (
            log_links_prior(state, count, -1, -1, alpha)
            + log_count_mass(spec, count)
            + math.lgamma(count + 1.0)
        )
    else:
        for n in range(1, n_variables + 1):
            total -= alpha / n
        for k in range(count):
            total += math.log(alpha) + _log_beta(n_variables - state.degree[k] + 1.0, float(state.degree[k]))
    # alike causes have fewer orders: of each group of c, divide by 2 · 3 · … · c
    for k in range(count):
        alike = 1
        for j in range(k):
            if _alike(state, spec, j, k):
                alike += 1
        total -= math.log(alike)
    return total


@compiled
def _alike(state: State, spec: KernelSpec, j: int, k: int) -> bool:
    """Tell whether two causes have the same links, activity and (where they have them) strengths."""
    if state.degree[j] != state.degree[k]:
        return False
    for i in range(state.z.shape[0]):
        if state.z[i, j] != state.z[i, k]:
            return False
        if spec.strength_scope == PER_LINK and state.z[i, k] and state.strength[i, j] != state.strength[i, k]:
            return False
    if (
        spec.strength_scope == PER_CAUSE
        and state.degree[k] > 0
        and state.strength[0, j] != state.strength[0, k]
    ):
        return False
    for r in range(state.y.shape[1]):  # noqa: SIM110 - numba compiles a loop
        if state.y[j, r] != state.y[k, r]:
            return False
    return True


@compiled
def _log_parameters(state: State, spec: KernelSpec) -> float:
    total = 0.0
    n_variables, count = state.z.shape[0], state.count[0]
    if spec.strength_free:
        a, b = spec.strength_a, spec.strength_b
        if spec.strength_scope == SHARED:
            total += _log_beta_density(state.strength[0, 0], a, b)
        for k in range(count):
            if spec.strength_scope == PER_CAUSE:
                total += _log_beta_density(state.strength[0, k], a, b)
            elif spec.strength_scope == PER_LINK:
                for i in range(n_variables):
                    if state.z[i, k]:
                        total += _log_beta_density(state.strength[i, k], a, b)
    if spec.leak_free:
        for i in range(1 if spec.leak_shared else n_variables):
            total += _log_beta_density(state.leak[i], spec.leak_a, spec.leak_b)
    if spec.prevalence_free and spec.prevalence_shared:
        total += _log_beta_density(state.prevalence[0], spec.prevalence_a, spec.prevalence_b)
    if spec.concentration_free:
        shape, rate = spec.concentration_shape, spec.concentration_rate
        alpha = state.concentration[0]
        total += shape * math.log(rate) - math.lgamma(shape) + (shape - 1.0) * math.log(alpha) - rate * alpha
    return total
