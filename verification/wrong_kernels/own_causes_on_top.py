"""A broken step for own causes: their number is drawn as if those present were still at work."""

from __future__ import annotations

import math

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.failure_profile import empty_profile
from hiddencauses.kernels.grouped import ALIKE, add_groups, log_likelihood_off
from hiddencauses.kernels.names import OWN_ACTIVITY, OWN_CAUSES, Rng
from hiddencauses.kernels.own_activity import draw_own_activity
from hiddencauses.kernels.own_causes import number_given_cells
from hiddencauses.kernels.state import (
    NEEDS_ROOM,
    WELL,
    Data,
    KernelSpec,
    State,
    add_cause,
    failures_at,
    linked_places,
    own_places,
    prevalence_of,
    set_link,
    shared_places,
    strength_of,
)
from hiddencauses.kernels.streams import open_stream
from verification.wrong_kernels.storage_order import remove_own_causes

__all__ = ["renew_own_causes_on_top"]


@compiled
def renew_own_causes_on_top(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Do as `update_own_causes`, but forget to take the present own causes out of the likelihood first."""
    stream = open_stream(rng.seed, rng.chain, OWN_CAUSES, i, rng.visit)
    every = linked_places(state.z[i, : state.count[0]], -1)
    failures, start = failures_at(state.strength, spec.strength_scope, i, every), math.log1p(-state.leak[i])
    on = add_groups(empty_profile(), data.ones[i], state.y, every, failures, ALIKE, start)
    zeros = count_both(data.zeros[i], data.zeros[i])
    rate = state.concentration[0] / state.z.shape[0]
    failure = math.log1p(
        -strength_of(state.strength, spec.strength_scope, i, 0)
        * prevalence_of(state.prevalence, spec.prevalence_shared, 0)
    )
    zeros_base = log_likelihood_off(data.zeros[i], state.y, every, failures, start)
    number = number_given_cells(stream, spec.max_new, on, zeros, zeros_base, rate, failure)
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
