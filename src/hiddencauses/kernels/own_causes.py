"""Causes that drive one variable only: how many there are, and their activity (Eq. 13 to 15)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.failure_profile import Profile, empty_profile
from hiddencauses.kernels.grouped import ALIKE, UNLIKE, add_groups, log_likelihood_off, log_likelihood_on
from hiddencauses.kernels.names import OWN_ACTIVITY, OWN_CAUSES, Rng
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
    own_places,
    prevalence_of,
    remove_cause,
    set_link,
    shared_places,
    strength_of,
)
from hiddencauses.kernels.streams import draw_beta, draw_poisson, open_stream, uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["draw_number", "number_given_cells", "update_own_causes"]

#: The sum over numbers of new causes ends when what is left is this small, on a log scale.
NEGLIGIBLE = -40.0


@compiled
def update_own_causes(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Draw anew the set of causes that only variable i has, with their parameters and activity.

    Where all causes have the same strength and prevalence their number is drawn from its conditional (Eq.
    13), their activity summed out. Where these are a cause's own, Eq. 13 does not factor over rows: a whole
    new set is proposed from the prior and accepted on the ratio of marginal likelihoods. In both cases the
    activity is then drawn exactly.
    """
    stream = open_stream(rng.seed, rng.chain, OWN_CAUSES, i, rng.visit)
    linked = state.z[i, : state.count[0]]
    own = own_places(linked, state.degree)
    rate = state.concentration[0] / state.z.shape[0]
    own_strength = spec.strength_scope != SHARED
    own_prevalence = not spec.prevalence_shared
    if own_strength or own_prevalence:
        number = draw_poisson(stream, rate)
        strengths = np.empty(number)
        prevalences = np.empty(number)
        failure = 0.0
        for j in range(number):
            strengths[j] = (
                draw_beta(stream, spec.strength_a, spec.strength_b)
                if own_strength
                else strength_of(state.strength, spec.strength_scope, i, 0)
            )
            prevalences[j] = (
                draw_beta(stream, spec.prevalence_a, spec.prevalence_b)
                if own_prevalence
                else prevalence_of(state.prevalence, spec.prevalence_shared, 0)
            )
            failure += math.log1p(-strengths[j] * prevalences[j])
        log_ratio = 0.0
        if number > 0 or own.size > 0:
            present = 0.0
            for k in own:
                present += math.log1p(
                    -strength_of(state.strength, spec.strength_scope, i, k)
                    * prevalence_of(state.prevalence, spec.prevalence_shared, k)
                )
            shared = shared_places(linked, state.degree)
            failures = failures_at(state.strength, spec.strength_scope, i, shared)
            start = math.log1p(-state.leak[i])
            on = add_groups(empty_profile(), data.ones[i], state.y, shared, failures, UNLIKE, start)
            off = count_both(data.zeros[i], data.zeros[i])
            log_ratio = (
                off * (failure - present) + log_likelihood_on(on, failure) - log_likelihood_on(on, present)
            )
        replace = accept(stream, log_ratio) and (spec.max_new < 0 or number <= spec.max_new)
    else:
        strength, prevalence = (
            strength_of(state.strength, spec.strength_scope, i, 0),
            prevalence_of(state.prevalence, spec.prevalence_shared, 0),
        )
        number = draw_number(stream, state, data, spec, i, rate, math.log1p(-strength * prevalence))
        strengths = np.full(number, strength)
        prevalences = np.full(number, prevalence)
        replace = number != own.size
    if replace and state.count[0] - own.size + number > state.degree.size:
        return NEEDS_ROOM
    state.counters[7] += 1
    if replace:
        state.counters[8] += 1
        for j in range(own.size - 1, -1, -1):
            remove_cause(state, spec, own[j], rng.visit)
        for j in range(number):
            k = add_cause(state, rng.visit)
            if spec.strength_scope != SHARED:
                state.strength[i if spec.strength_scope == PER_LINK else 0, k] = strengths[j]
            state.prevalence[k] = prevalences[j]
            set_link(state, i, k, 1)
        linked = state.z[i, : state.count[0]]
        own = own_places(linked, state.degree)
    if own.size > 0:
        draw_own_activity(rng, OWN_ACTIVITY, state, data, spec, i, own, shared_places(linked, state.degree))
    return WELL


@compiled
def draw_number(
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    i: int,
    rate: float,
    failure: float,
) -> int:
    """Draw how many own causes there are: Poisson(α/N) times the likelihood with their activity summed out.

    Summing an own cause out of a row turns its factor (1 − λ)^y into 1 − λp (Eq. 15), the exponential of
    `failure`. With a limit on new causes the distribution is cut there, as in the paper. Without one the sum
    runs until what is left, bounded by the Poisson tail times the likelihood of the zeros, is nothing.
    """
    shared = shared_places(state.z[i, : state.count[0]], state.degree)
    failures = failures_at(state.strength, spec.strength_scope, i, shared)
    start = math.log1p(-state.leak[i])
    on = add_groups(empty_profile(), data.ones[i], state.y, shared, failures, ALIKE, start)
    zeros = count_both(data.zeros[i], data.zeros[i])
    zeros_base = log_likelihood_off(data.zeros[i], state.y, shared, failures, start)
    return number_given_cells(stream, spec.max_new, on, zeros, zeros_base, rate, failure)


@compiled
def number_given_cells(
    stream: NDArray[np.uint64],
    max_new: int,
    on: Profile,
    zeros: int,
    zeros_base: float,
    rate: float,
    failure: float,
) -> int:
    """Draw the number, given cells without own causes: those on in groups, those off by number and sum."""
    weights = np.empty(16)
    largest = -np.inf
    number = 0
    while True:
        if number == weights.size:
            longer = np.empty(2 * number)
            for j in range(number):
                longer[j] = weights[j]
            weights = longer
        log_prior = number * math.log(rate) - math.lgamma(number + 1.0)
        log_likelihood = zeros_base + zeros * number * failure + log_likelihood_on(on, number * failure)
        weights[number] = log_prior + log_likelihood
        largest = max(largest, weights[number])
        number += 1
        if max_new >= 0:
            if number > max_new:
                break
        elif number > rate + 1.0:
            shrink = rate / (number + 1.0)
            log_tail = log_prior + math.log(rate / number) - math.log1p(-shrink)
            if log_tail + zeros_base + zeros * number * failure < largest + NEGLIGIBLE:
                break
    total = 0.0
    for j in range(number):
        weights[j] = math.exp(weights[j] - largest)
        total += weights[j]
    left = uniform(stream) * total
    for j in range(number):
        left -= weights[j]
        if left < 0.0:
            return j
    return number - 1
