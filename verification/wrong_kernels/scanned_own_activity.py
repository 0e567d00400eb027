"""Lines 13 to 15 of the printed Algorithm 2: activity of new causes by one scan of Eq. 12, started idle."""

from __future__ import annotations

import math

from hiddencauses.compiled import compiled
from hiddencauses.kernels.names import OWN_ACTIVITY, OWN_CAUSES, Rng
from hiddencauses.kernels.own_activity import draw_own_activity
from hiddencauses.kernels.own_causes import draw_number
from hiddencauses.kernels.state import (
    NEEDS_ROOM,
    WELL,
    Data,
    KernelSpec,
    State,
    add_cause,
    linked_places,
    own_places,
    prevalence_of,
    set_link,
    strength_of,
)
from hiddencauses.kernels.streams import open_stream
from verification.wrong_kernels.storage_order import remove_own_causes

__all__ = ["renew_own_causes_by_one_scan"]


@compiled
def renew_own_causes_by_one_scan(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Do as `update_own_causes`, but draw each cause's activity alone, the later ones still idle."""
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
        k = add_cause(state, rng.visit)
        set_link(state, i, k, 1)
        state.y[k, :] = 0
    own = own_places(state.z[i, : state.count[0]], state.degree)
    for j in range(own.size):
        others = linked_places(state.z[i, : state.count[0]], own[j])
        # the stream of a cause's activity follows from its place in the scan
        there = Rng(rng.seed, rng.chain, (j + 1) * 1_000_000_007 + rng.visit, False)
        draw_own_activity(there, OWN_ACTIVITY, state, data, spec, i, own[j : j + 1], others)
    return WELL
