"""A broken step for own causes: their number is drawn as if those present were still at work."""

from __future__ import annotations

import math

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.cells import log_off, log_off_without_own
from hiddencauses.kernels.names import OWN_ACTIVITY, OWN_CAUSES, Rng
from hiddencauses.kernels.own_activity import draw_own_activity
from hiddencauses.kernels.own_causes import _draw_number, _own_causes
from hiddencauses.kernels.state import (
    NEEDS_ROOM,
    WELL,
    Data,
    KernelSpec,
    State,
    add_cause,
    prevalence_of,
    set_link,
    strength_of,
)
from hiddencauses.kernels.streams import open_stream
from verification.wrong_kernels.storage_order import remove_own_causes

__all__ = ["renew_own_causes_on_top"]


@compiled
def renew_own_causes_on_top(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Do as `update_own_causes`, but forget to take the present own causes out of the likelihood first."""
    stream = open_stream(rng.seed, rng.chain, OWN_CAUSES, i, rng.visit)
    base = np.empty(data.x.shape[1])
    log_off(state, spec, i, -1, 0, base.size, base)
    rate = state.concentration[0] / state.z.shape[0]
    failure = math.log1p(-strength_of(state, spec, i, 0) * prevalence_of(state, spec, 0))
    number = _draw_number(stream, data, spec, i, base, rate, failure)
    if state.count[0] + number > state.degree.size:
        return NEEDS_ROOM
    remove_own_causes(state, i)
    for _ in range(number):
        set_link(state, i, add_cause(state, rng.visit), 1)
    log_off_without_own(state, spec, i, base)
    draw_own_activity(rng, OWN_ACTIVITY, state, data, spec, i, _own_causes(state, i), base)
    return WELL
