"""Strengths λ: shared, per cause or per link, by slice steps on the logit."""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.cells import log_off
from hiddencauses.kernels.failure_profile import (
    Profile,
    add_off,
    add_on,
    clear,
    empty_profile,
    slice_probability,
)
from hiddencauses.kernels.names import STRENGTH, Rng
from hiddencauses.kernels.state import PER_CAUSE, SHARED, Data, KernelSpec, State
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
    n_variables, n_rows = data.x.shape
    if spec.strength_scope == SHARED:
        profile = empty_profile(n_variables * (state.count[0] + 1))
        _profile_shared(profile, state, data)
        state.strength[0, 0] = slice_probability(
            stream, profile, state.strength[0, 0], a, b, tuning, rng.warming
        )
        return
    profile = empty_profile(n_variables * n_rows)
    base = np.empty(n_rows)
    for k in permutation(stream, state.count[0]):
        if spec.strength_scope == PER_CAUSE:
            clear(profile)
            for i in range(n_variables):
                if state.z[i, k]:
                    _profile_link(profile, state, data, spec, i, k, base)
            state.strength[0, k] = slice_probability(
                stream, profile, state.strength[0, k], a, b, tuning, rng.warming
            )
        else:
            for i in range(n_variables):
                if state.z[i, k]:
                    clear(profile)
                    _profile_link(profile, state, data, spec, i, k, base)
                    state.strength[i, k] = slice_probability(
                        stream, profile, state.strength[i, k], a, b, tuning, rng.warming
                    )


@compiled
def _profile_link(
    profile: Profile, state: State, data: Data, spec: KernelSpec, i: int, k: int, base: np.ndarray
) -> None:
    """Add the cells of variable i in rows where cause k is active."""
    log_off(state, spec, i, k, 0, base.size, base)
    for r in range(base.size):
        if state.y[k, r]:
            if data.x[i, r] == 0:
                add_off(profile, 1)
            elif data.x[i, r] == 1:
                add_on(profile, base[r], 1, 1)


@compiled
def _profile_shared(profile: Profile, state: State, data: Data) -> None:
    """Add all cells with an active cause, grouped by variable and by the number of active causes."""
    n_variables, n_rows = data.x.shape
    active = np.empty(n_rows, dtype=np.int64)
    groups = np.empty(state.count[0] + 1, dtype=np.int64)
    for i in range(n_variables):
        active[:] = 0
        for k in range(state.count[0]):
            if state.z[i, k]:
                for r in range(n_rows):
                    active[r] += state.y[k, r]
        groups[:] = 0
        for r in range(n_rows):
            if data.x[i, r] == 0:
                add_off(profile, active[r])
            elif data.x[i, r] == 1:
                groups[active[r]] += 1
        for n in range(1, groups.size):
            if groups[n] > 0:
                add_on(profile, np.log1p(-state.leak[i]), n, groups[n])
