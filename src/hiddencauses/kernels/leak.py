"""Leaks ε: shared or per variable, by slice steps on the logit."""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.failure_profile import (
    Profile,
    add_off,
    add_on,
    clear,
    empty_profile,
    slice_probability,
    with_room,
)
from hiddencauses.kernels.grouped import add_groups, count_active
from hiddencauses.kernels.names import LEAK, Rng
from hiddencauses.kernels.state import (
    SHARED,
    Data,
    KernelSpec,
    State,
    failures_at,
    linked_places,
    log_failure,
)
from hiddencauses.kernels.streams import open_stream

__all__ = ["update_leak"]


@compiled
def update_leak(rng: Rng, state: State, data: Data, spec: KernelSpec) -> None:
    """Draw the leaks; given all else those of different variables are independent."""
    if not spec.leak_free:
        return
    stream = open_stream(rng.seed, rng.chain, LEAK, 0, rng.visit)
    tuning = state.tuning[2:4]
    a, b = spec.leak_a, spec.leak_b
    n_variables = state.z.shape[0]
    profile = empty_profile()
    if spec.leak_shared:
        if spec.strength_scope == SHARED:
            profile = _profile_alike(profile, state, data, spec)
        else:
            for i in range(n_variables):
                profile = _profile_variable(profile, state, data, spec, i)
        state.leak[:] = slice_probability(stream, profile, state.leak[0], a, b, tuning, rng.warming)
        return
    for i in range(n_variables):
        clear(profile)
        profile = _profile_variable(profile, state, data, spec, i)
        state.leak[i] = slice_probability(stream, profile, state.leak[i], a, b, tuning, rng.warming)


@compiled
def _profile_variable(profile: Profile, state: State, data: Data, spec: KernelSpec, i: int) -> Profile:
    """Add a variable's cells, grouped by their active causes."""
    add_off(profile, count_both(data.zeros[i], data.zeros[i]))
    causes = linked_places(state.z[i, : state.count[0]], -1)
    failures = failures_at(state.strength, spec.strength_scope, i, causes)
    return add_groups(profile, data.ones[i], state.y, causes, failures, spec.strength_scope == SHARED, 0.0)


@compiled
def _profile_alike(profile: Profile, state: State, data: Data, spec: KernelSpec) -> Profile:
    """Add the cells of all variables, grouped by the number of active causes."""
    counts = np.zeros(state.count[0] + 1, dtype=np.int64)
    for i in range(state.z.shape[0]):
        add_off(profile, count_both(data.zeros[i], data.zeros[i]))
        causes = linked_places(state.z[i, : state.count[0]], -1)
        if causes.size > 0:
            count_active(data.ones[i], state.y, causes, counts)
        else:
            counts[0] += count_both(data.ones[i], data.ones[i])
    profile = with_room(profile, counts.size)
    for n in range(counts.size):
        if counts[n] > 0:
            add_on(profile, n * log_failure(state.strength, spec.strength_scope, 0, 0), 1, counts[n])
    return profile
