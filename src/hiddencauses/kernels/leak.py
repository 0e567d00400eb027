"""Leaks ε: shared or per variable, by slice steps on the logit."""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.failure_profile import (
    Profile,
    add_off,
    add_on,
    clear,
    empty_profile,
    slice_probability,
)
from hiddencauses.kernels.names import LEAK, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State, log_failure
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
    n_variables, n_rows = data.x.shape
    base = np.empty(n_rows)
    if spec.leak_shared:
        profile = empty_profile(n_variables * (n_rows + 1))
        for i in range(n_variables):
            _profile_variable(profile, state, data, spec, i, base)
        state.leak[:] = slice_probability(stream, profile, state.leak[0], a, b, tuning, rng.warming)
        return
    profile = empty_profile(n_rows + 1)
    for i in range(n_variables):
        clear(profile)
        _profile_variable(profile, state, data, spec, i, base)
        state.leak[i] = slice_probability(stream, profile, state.leak[i], a, b, tuning, rng.warming)


@compiled
def _profile_variable(
    profile: Profile, state: State, data: Data, spec: KernelSpec, i: int, base: np.ndarray
) -> None:
    """Add a variable's cells; those without an active cause form one group."""
    base[:] = 0.0
    for k in range(state.count[0]):
        if state.z[i, k]:
            failure = log_failure(state, spec, i, k)
            for r in range(base.size):
                if state.y[k, r]:
                    base[r] += failure
    alone = 0
    for r in range(base.size):
        if data.x[i, r] == 0:
            add_off(profile, 1)
        elif data.x[i, r] == 1:
            if base[r] == 0.0:
                alone += 1
            else:
                add_on(profile, base[r], 1, 1)
    if alone > 0:
        add_on(profile, 0.0, 1, alone)
