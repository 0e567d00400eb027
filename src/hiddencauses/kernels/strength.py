"""Strengths λ: shared, per cause or per link, by slice steps on the logit."""

from __future__ import annotations

import math

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
from hiddencauses.kernels.grouped import UNLIKE, add_groups, count_active
from hiddencauses.kernels.names import STRENGTH, Rng
from hiddencauses.kernels.state import (
    PER_CAUSE,
    SHARED,
    Data,
    KernelSpec,
    State,
    failures_at,
    linked_places,
)
from hiddencauses.kernels.streams import open_stream, permutation

__all__ = ["update_strength"]


@compiled
def update_strength(rng: Rng, state: State, data: Data, spec: KernelSpec) -> None:
    """Draw the strengths, causes in a fresh random order; without data from the prior."""
    if not spec.strength_free:
        return
    stream = open_stream(rng.seed, rng.chain, STRENGTH, 0, rng.visit)
    tuning = state.tuning[0:2]
    a, b = spec.strength_a, spec.strength_b
    n_variables = state.z.shape[0]
    if spec.strength_scope == SHARED:
        profile = _profile_shared(empty_profile(), state, data, spec)
        state.strength[0, 0] = slice_probability(
            stream, profile, state.strength[0, 0], a, b, tuning, rng.warming
        )
        return
    profile = empty_profile()
    for k in permutation(stream, state.count[0]):
        if spec.strength_scope == PER_CAUSE:
            clear(profile)
            for i in range(n_variables):
                if state.z[i, k]:
                    profile = _profile_link(profile, state, data, spec, i, k)
            state.strength[0, k] = slice_probability(
                stream, profile, state.strength[0, k], a, b, tuning, rng.warming
            )
        else:
            for i in range(n_variables):
                if state.z[i, k]:
                    clear(profile)
                    profile = _profile_link(profile, state, data, spec, i, k)
                    state.strength[i, k] = slice_probability(
                        stream, profile, state.strength[i, k], a, b, tuning, rng.warming
                    )


@compiled
def _profile_link(profile: Profile, state: State, data: Data, spec: KernelSpec, i: int, k: int) -> Profile:
    """Add the cells of variable i in rows where cause k is active."""
    add_off(profile, count_both(data.zeros[i], state.y[k]))
    cells = np.empty(data.ones.shape[1], dtype=np.uint64)
    for w in range(cells.size):
        cells[w] = data.ones[i, w] & state.y[k, w]
    others = linked_places(state.z[i, : state.count[0]], k)
    failures = failures_at(state.strength, spec.strength_scope, i, others)
    return add_groups(profile, cells, state.y, others, failures, UNLIKE, math.log1p(-state.leak[i]))


@compiled
def _profile_shared(profile: Profile, state: State, data: Data, spec: KernelSpec) -> Profile:
    """Add all cells with an active cause, grouped by the leak and by the number of active causes."""
    counts = np.zeros(state.count[0] + 1, dtype=np.int64)
    for i in range(state.z.shape[0]):
        causes = linked_places(state.z[i, : state.count[0]], -1)
        for k in causes:
            add_off(profile, count_both(data.zeros[i], state.y[k]))
        if causes.size > 0:
            count_active(data.ones[i], state.y, causes, counts)
        if not spec.leak_shared or i == state.z.shape[0] - 1:
            profile = with_room(profile, counts.size)
            for n in range(1, counts.size):
                if counts[n] > 0:
                    add_on(profile, np.log1p(-state.leak[i]), n, counts[n])
            counts[:] = 0
    return profile
