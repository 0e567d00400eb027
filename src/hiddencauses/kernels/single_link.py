"""Birth and death of a cause with a single link attached, as section 7 of the paper suggests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.birth_death import give_own_parameters
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.failure_profile import empty_profile
from hiddencauses.kernels.finite_prior import log_count_mass, log_links_prior
from hiddencauses.kernels.grouped import add_groups, log_likelihood_on
from hiddencauses.kernels.names import SINGLE_LINK, SINGLE_LINK_ACTIVITY, Rng
from hiddencauses.kernels.own_activity import draw_own_activity
from hiddencauses.kernels.state import (
    NEEDS_ROOM,
    PER_LINK,
    SHARED,
    WELL,
    Data,
    KernelSpec,
    State,
    add_cause,
    failures_at,
    linked_places,
    own_places,
    prevalence_of,
    remove_cause,
    set_link,
    strength_of,
)
from hiddencauses.kernels.streams import bernoulli, draw_beta, open_stream, uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["update_by_single_link"]


@compiled
def update_by_single_link(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Propose a cause linked to variable i alone, or the end of one such cause, with equal chances.

    The new cause's activity is summed out of the ratio and drawn exactly on acceptance; its own parameters
    come from their priors and cancel. A birth puts it at one of K + 1 places, a death picks one of the s + 1
    causes that only i has:

        P(Z′, K + 1) / P(Z, K) · P(x_i | with it, summed out) / P(x_i | without it) · (K + 1) / (s + 1)

    for a birth, and the inverse of the same for a death. Derived in docs/math.md.
    """
    stream = open_stream(rng.seed, rng.chain, SINGLE_LINK, i, rng.visit)
    if bernoulli(stream, 0.5):
        return _birth(rng, stream, state, data, spec, i)
    return _death(rng, stream, state, data, spec, i)


@compiled
def _birth(
    rng: Rng,
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    i: int,
) -> int:
    count = state.count[0]
    if count == state.degree.size:
        return NEEDS_ROOM
    # The candidate is written into the free place behind the last cause; it becomes part of the state on
    # acceptance only.
    give_own_parameters(stream, state, spec, count)
    if spec.strength_scope == PER_LINK:
        state.strength[i, count] = draw_beta(stream, spec.strength_a, spec.strength_b)
    failure = math.log1p(
        -strength_of(state.strength, spec.strength_scope, i, count)
        * prevalence_of(state.prevalence, spec.prevalence_shared, count)
    )
    log_ratio = _log_birth_ratio(state, data, spec, i, failure, -1)
    state.counters[0] += 1
    if accept(stream, log_ratio):
        state.counters[1] += 1
        others = linked_places(state.z[i, : state.count[0]], -1)
        k = add_cause(state, rng.visit)
        set_link(state, i, k, 1)
        draw_own_activity(rng, SINGLE_LINK_ACTIVITY, state, data, spec, i, np.array([k]), others)
    return WELL


@compiled
def _death(
    rng: Rng,
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    i: int,
) -> int:
    own = own_places(state.z[i, : state.count[0]], state.degree)
    if own.size == 0:
        return WELL
    victim = own[int(uniform(stream) * own.size)]
    failure = math.log1p(
        -strength_of(state.strength, spec.strength_scope, i, victim)
        * prevalence_of(state.prevalence, spec.prevalence_shared, victim)
    )
    state.counters[2] += 1
    if accept(stream, -_log_birth_ratio(state, data, spec, i, failure, victim)):
        state.counters[3] += 1
        remove_cause(state, spec, victim, rng.visit)
    return WELL


@compiled
def _log_birth_ratio(
    state: State,
    data: Data,
    spec: KernelSpec,
    i: int,
    failure: float,
    without: int,
) -> float:
    """Return the log acceptance ratio of a birth into the state without cause `without` (−1: none).

    With the new cause summed out of a row, P(off) is multiplied by 1 − λp, the exponential of `failure`.
    """
    count = state.count[0] - (without >= 0)
    alpha = state.concentration[0]
    log_prior = log_count_mass(spec, count + 1) - log_count_mass(spec, count)
    if log_prior == -math.inf or count == 0:
        # K = 0 has no prior mass, so there is no birth from it and no death into it.
        return -math.inf if count > 0 else math.inf
    log_prior += log_links_prior(state, count + 1, without, 1, alpha) - log_links_prior(
        state, count, without, -1, alpha
    )
    linked = state.z[i, : state.count[0]]
    # a cause that is left out is one of them
    own = own_places(linked, state.degree).size - (without >= 0)
    others = linked_places(linked, without)
    failures = failures_at(state.strength, spec.strength_scope, i, others)
    alike = spec.strength_scope == SHARED
    start = math.log1p(-state.leak[i])
    on = add_groups(empty_profile(), data.ones[i], state.y, others, failures, alike, start)
    zeros = count_both(data.zeros[i], data.zeros[i])
    log_likelihood = zeros * failure + log_likelihood_on(on, failure) - log_likelihood_on(on, 0.0)
    return log_prior + log_likelihood + math.log((count + 1.0) / (own + 1.0))
