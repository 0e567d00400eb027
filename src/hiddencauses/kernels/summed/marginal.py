"""The likelihood of a group's variables with its activity summed out, and the exact draw of that activity."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.names import ROW_BLOCK, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State, strength_of
from hiddencauses.kernels.streams import draw_place, open_stream
from hiddencauses.kernels.summed.effort import count_work
from hiddencauses.kernels.summed.group import Group, fill_settings, is_linked

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOVE_BLOCKS", "fill_on_and_off", "log_marginal"]

#: Blocks of rows that the streams of one move may have: the number of the move stands above them.
MOVE_BLOCKS = 1 << 20
#: Operations for each linked variable, row and setting with a cause on.
MARGINAL_WORK = 8


@compiled
def fill_on_and_off(
    state: State,
    spec: KernelSpec,
    i: int,
    kept: NDArray[np.bool_],
    rows: NDArray[np.int64],
    on: NDArray[np.float64],
    off: NDArray[np.float64],
) -> None:
    """Write P(x_i = 1) and P(x_i = 0) of some rows, given the causes that are kept.

    Both are built up from the leak, on ← on + off · λ and off ← off · (1 − λ), so that neither is a
    difference of two near numbers.
    """
    on[: rows.size] = state.leak[i]
    off[: rows.size] = 1.0 - state.leak[i]
    for k in range(state.count[0]):
        if kept[k] and state.z[i, k]:
            strength = strength_of(state, spec, i, k)
            for r in range(rows.size):
                if state.y[k, rows[r]]:
                    on[r] += off[r] * strength
                    off[r] *= 1.0 - strength


@compiled
def log_marginal(
    rng: Rng,
    purpose: np.int64,
    move: int,
    state: State,
    data: Data,
    spec: KernelSpec,
    kept: NDArray[np.bool_],
    group: Group,
    activity: NDArray[np.int8],
) -> float:
    """Return log P(x | group) − log P(x | no group) with the group's activity summed out.

    The likelihood is that of the kept causes and the group. With room in `activity` (causes of the group ×
    rows, or 0 × rows) the activity is drawn from its joint conditional.
    """
    size = group.prevalence.size
    if size == 0:
        return 0.0
    n_variables, n_rows = data.x.shape
    settings = 1 << size
    most = min(ROW_BLOCK, n_rows)
    weight = np.empty((most, settings))
    on, off = np.empty(most), np.empty(most)
    log_failure, success, log_prior = np.empty(settings), np.empty(settings), np.empty(settings)
    for s in range(settings):
        log_prior[s] = 0.0
        for j in range(size):
            p = group.prevalence[j]
            log_prior[s] += math.log(p) if (s >> j) & 1 else math.log1p(-p)
    linked = 0
    for i in range(n_variables):
        linked += is_linked(group, i)
    count_work(state, MARGINAL_WORK * linked * n_rows * (settings - 1))
    total = 0.0
    for block in range((n_rows + ROW_BLOCK - 1) // ROW_BLOCK):
        start = block * ROW_BLOCK
        rows = np.arange(start, min(start + ROW_BLOCK, n_rows))
        for r in range(rows.size):
            for s in range(settings):
                weight[r, s] = log_prior[s]
        for i in range(n_variables):
            if not is_linked(group, i):
                continue
            fill_settings(group, i, log_failure)
            for s in range(settings):
                success[s] = -math.expm1(log_failure[s])
            fill_on_and_off(state, spec, i, kept, rows, on, off)
            for r in range(rows.size):
                cell = data.x[i, start + r]
                if cell == 0:
                    for s in range(1, settings):
                        weight[r, s] += log_failure[s]
                elif cell == 1:
                    odds = off[r] / on[r]
                    for s in range(1, settings):
                        if success[s] > 0.0:
                            weight[r, s] += math.log1p(odds * success[s])
        for r in range(rows.size):
            total += _normalise(weight[r])
        if activity.shape[0] > 0:
            stream = open_stream(rng.seed, rng.chain, purpose, move * MOVE_BLOCKS + block, rng.visit)
            for r in range(rows.size):
                setting = draw_place(stream, weight[r])
                for j in range(size):
                    activity[j, start + r] = (setting >> j) & 1
    return total


@compiled
def _normalise(weight: NDArray[np.float64]) -> float:
    """Turn log weights into weights, the largest 1, and return the log of their sum before."""
    largest = weight.max()
    total = 0.0
    for s in range(weight.size):
        weight[s] = math.exp(weight[s] - largest)
        total += weight[s]
    return largest + math.log(total)
