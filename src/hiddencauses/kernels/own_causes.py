"""Causes that drive one variable only: how many there are, and their activity (Eq. 13 to 15)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.cells import log_off_without_own, marginal_log_likelihood
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
    prevalence_of,
    remove_cause,
    set_link,
    strength_of,
)
from hiddencauses.kernels.streams import draw_beta, draw_poisson, open_stream, uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["update_own_causes"]

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
    base = np.empty(data.x.shape[1])
    log_off_without_own(state, spec, i, base)
    own = _own_causes(state, i)
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
                else strength_of(state, spec, i, 0)
            )
            prevalences[j] = (
                draw_beta(stream, spec.prevalence_a, spec.prevalence_b)
                if own_prevalence
                else prevalence_of(state, spec, 0)
            )
            failure += math.log1p(-strengths[j] * prevalences[j])
        present = 0.0
        for k in own:
            present += math.log1p(-strength_of(state, spec, i, k) * prevalence_of(state, spec, k))
        log_ratio = marginal_log_likelihood(data, i, base, failure) - marginal_log_likelihood(
            data, i, base, present
        )
        replace = accept(stream, log_ratio) and (spec.max_new < 0 or number <= spec.max_new)
    else:
        strength, prevalence = strength_of(state, spec, i, 0), prevalence_of(state, spec, 0)
        number = _draw_number(stream, data, spec, i, base, rate, math.log1p(-strength * prevalence))
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
        own = _own_causes(state, i)
    draw_own_activity(rng, OWN_ACTIVITY, state, data, spec, i, own, base)
    return WELL


@compiled
def _own_causes(state: State, i: int) -> NDArray[np.int64]:
    """Return the places of the causes linked to variable i alone, in rising order."""
    found = np.empty(state.count[0], dtype=np.int64)
    n = 0
    for k in range(state.count[0]):
        if state.z[i, k] and state.degree[k] == 1:
            found[n] = k
            n += 1
    return found[:n]


@compiled
def _draw_number(
    stream: NDArray[np.uint64],
    data: Data,
    spec: KernelSpec,
    i: int,
    base: NDArray[np.float64],
    rate: float,
    failure: float,
) -> int:
    """Draw how many own causes there are: Poisson(α/N) times the likelihood with their activity summed out.

    With a limit on new causes the distribution is cut there, as in the paper. Without one the sum runs until
    what is left, bounded by the Poisson tail times the likelihood of the zeros, is nothing.
    """
    zeros = 0
    zeros_base = 0.0
    for r in range(base.size):
        if data.x[i, r] == 0:
            zeros += 1
            zeros_base += base[r]
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
        weights[number] = log_prior + marginal_log_likelihood(data, i, base, number * failure)
        largest = max(largest, weights[number])
        number += 1
        if spec.max_new >= 0:
            if number > spec.max_new:
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
