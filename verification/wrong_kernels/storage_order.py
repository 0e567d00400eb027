"""The scan printed as Algorithm 2: causes in storage order, new ones at the end."""

from __future__ import annotations

import math

from hiddencauses.compiled import compiled
from hiddencauses.kernels.names import LINKS, OWN_ACTIVITY, OWN_CAUSES, Rng
from hiddencauses.kernels.own_activity import draw_own_activity
from hiddencauses.kernels.own_causes import draw_number
from hiddencauses.kernels.state import (
    NEEDS_ROOM,
    WELL,
    Data,
    KernelSpec,
    State,
    add_cause,
    own_places,
    prevalence_of,
    set_link,
    shared_places,
    strength_of,
)
from hiddencauses.kernels.streams import bernoulli, open_stream
from verification.wrong_kernels.printed_link_odds import gain_alone

__all__ = ["remove_own_causes", "renew_own_causes_at_the_end", "update_links_in_storage_order"]


@compiled
def update_links_in_storage_order(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> None:
    """Do as `update_links` in the infinite model with shared parameters, but always in storage order."""
    stream = open_stream(rng.seed, rng.chain, LINKS, i, rng.visit)
    for k in range(state.count[0]):
        others = state.degree[k] - state.z[i, k]
        if others > 0:
            log_odds = math.log(others / (state.z.shape[0] - others)) + gain_alone(state, data, spec, i, k)
            set_link(state, i, k, 1 if bernoulli(stream, 1.0 / (1.0 + math.exp(-log_odds))) else 0)


@compiled
def renew_own_causes_at_the_end(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Draw own causes as the package does; what is wrong is that scanning in storage order follows."""
    stream = open_stream(rng.seed, rng.chain, OWN_CAUSES, i, rng.visit)
    rate = state.concentration[0] / state.z.shape[0]
    failure = math.log1p(
        -strength_of(state.strength, spec.strength_scope, i, 0)
        * prevalence_of(state.prevalence, spec.prevalence_shared, 0)
    )
    number = draw_number(stream, state, data, spec, i, rate, failure)
    if state.count[0] + number > state.degree.size:
        return NEEDS_ROOM
    remove_own_causes(state, i)
    for _ in range(number):
        set_link(state, i, add_cause(state, rng.visit), 1)
    draw_own_activity(
        rng,
        OWN_ACTIVITY,
        state,
        data,
        spec,
        i,
        own_places(state.z[i, : state.count[0]], state.degree),
        shared_places(state.z[i, : state.count[0]], state.degree),
    )
    return WELL


@compiled
def remove_own_causes(state: State, i: int) -> None:
    """Take out the causes that only variable i has; the others close up and keep their order."""
    kept = 0
    for k in range(state.count[0]):
        if state.z[i, k] and state.degree[k] == 1:
            continue
        for j in range(state.z.shape[0]):
            state.z[j, kept] = state.z[j, k]
        for w in range(state.y.shape[1]):
            state.y[kept, w] = state.y[k, w]
        state.degree[kept] = state.degree[k]
        kept += 1
    state.count[0] = kept
