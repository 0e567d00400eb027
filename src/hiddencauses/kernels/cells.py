"""Log probabilities of a variable's cells being off, given the causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.state import Data, KernelSpec, State, log_failure

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["log_off", "log_off_without_own", "log_on", "marginal_log_likelihood"]


@compiled
def log_on(log_off_value: float) -> float:
    """Return log P(cell on) from log P(cell off)."""
    return np.log(-np.expm1(log_off_value))


@compiled
def log_off(
    state: State, spec: KernelSpec, i: int, without: int, start: int, stop: int, out: NDArray[np.float64]
) -> None:
    """Fill `out` with log P(x_i = 0) of rows `start` to `stop`, one cause (or −1: none) left out.

    log(1 − ε_i) + Σ_{k linked, k ≠ without} y_k log(1 − λ_ik), summed afresh: a running sum would lose a
    small leak behind a strong link.
    """
    out[: stop - start] = np.log1p(-state.leak[i])
    for k in range(state.count[0]):
        if state.z[i, k] and k != without:
            failure = log_failure(state, spec, i, k)
            activity = state.y[k, start:stop]
            for r in range(stop - start):
                if activity[r]:
                    out[r] += failure


@compiled
def log_off_without_own(state: State, spec: KernelSpec, i: int, out: NDArray[np.float64]) -> None:
    """Fill `out` with log P(x_i = 0) of all rows, the causes that only i is linked to left out."""
    out[:] = np.log1p(-state.leak[i])
    for k in range(state.count[0]):
        if state.z[i, k] and state.degree[k] > 1:
            failure = log_failure(state, spec, i, k)
            for r in range(out.size):
                if state.y[k, r]:
                    out[r] += failure


@compiled
def marginal_log_likelihood(data: Data, i: int, base: NDArray[np.float64], failure: float) -> float:
    """Return log P(x_i) when every row's off probability is exp(base) times exp(failure).

    Summing an own cause out of a row turns its factor (1 − λ)^y into 1 − λp (Eq. 15), so several make
    `failure` = Σ log(1 − λ_k p_k).
    """
    total = 0.0
    for r in range(base.size):
        if data.x[i, r] == 1:
            total += log_on(base[r] + failure)
        elif data.x[i, r] == 0:
            total += base[r] + failure
    return total
