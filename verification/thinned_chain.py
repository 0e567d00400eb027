"""A chain of which every so many-th state is described, for simulation-based calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled, compiled_door
from hiddencauses.kernels.density import log_joint_density
from hiddencauses.kernels.schedule import sweep
from hiddencauses.kernels.state import Data, KernelSpec, State, prevalence_of, strength_of
from verification.cells import cell_of, log_off_of, log_on

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["QUANTITIES", "describe", "run_thinned"]

#: What is ranked. A mean over nothing counts as 0: any function of a world will do.
QUANTITIES = ("λ", "ε", "p", "α", "number of causes", "number of links", "log joint", "log likelihood")


@compiled
def _fill(state: State, data: Data, spec: KernelSpec, out: NDArray[np.float64]) -> None:
    """Write the quantities: means of λ over links, of ε over variables, of p over linked causes."""
    n_variables, n_rows = state.z.shape[0], data.n_rows
    out[:] = 0.0
    causes = links = 0
    for k in range(state.count[0]):
        if state.degree[k] > 0:
            causes += 1
            out[2] += prevalence_of(state.prevalence, spec.prevalence_shared, k)
        for i in range(n_variables):
            if state.z[i, k]:
                links += 1
                out[0] += strength_of(state.strength, spec.strength_scope, i, k)
    if spec.strength_scope == 0:
        out[0] = state.strength[0, 0]
    elif links > 0:
        out[0] /= links
    out[1] = state.leak.mean()
    if spec.prevalence_shared:
        out[2] = state.prevalence[0]
    elif causes > 0:
        out[2] /= causes
    out[3] = state.concentration[0]
    out[4] = causes
    out[5] = links
    out[6] = log_joint_density(state, data, spec)
    base = np.empty(n_rows)
    for i in range(n_variables):
        log_off_of(state, spec, i, base)
        for r in range(n_rows):
            if cell_of(data, i, r) == 1:
                out[7] += log_on(base[r])
            elif cell_of(data, i, r) == 0:
                out[7] += base[r]


@compiled_door
def describe(state: State, data: Data, spec: KernelSpec, out: NDArray[np.float64]) -> None:
    """Write the quantities of a state and its table."""
    _fill(state, data, spec, out)


@compiled_door
def run_thinned(
    schedule: int,
    seed: np.uint64,
    chain: int,
    warmup: int,
    thin: int,
    state: State,
    data: Data,
    spec: KernelSpec,
    out: NDArray[np.float64],
) -> None:
    """Run a chain through its warm-up, then write the quantities of every `thin`-th state."""
    for number in range(warmup):
        state = sweep(schedule, seed, chain, number, True, state, data, spec)
    for line in range(out.shape[0]):
        for step in range(thin):
            number = warmup + line * thin + step
            state = sweep(schedule, seed, chain, number, False, state, data, spec)
        _fill(state, data, spec, out[line])
