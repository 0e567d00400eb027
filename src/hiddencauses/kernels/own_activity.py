"""Exact joint draw of the activity of causes that drive one variable only."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import ONE, WORD
from hiddencauses.kernels.names import ROW_BLOCK, Rng
from hiddencauses.kernels.state import (
    Data,
    KernelSpec,
    State,
    failures_at,
    log_failure,
    prevalence_of,
    strength_of,
)
from hiddencauses.kernels.streams import bernoulli, open_stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["draw_own_activity"]


@compiled
def draw_own_activity(
    rng: Rng,
    purpose: np.int64,
    state: State,
    data: Data,
    spec: KernelSpec,
    i: int,
    causes: NDArray[np.int64],
    others: NDArray[np.int64],
) -> None:
    """Draw the activity of causes linked to variable i alone, given everything else.

    In each row one cause after the other, those still to come summed out: P(y_k | earlier) ∝
    p_k^y (1 − p_k)^(1−y) P(x | y_k, earlier), in which a later cause contributes 1 − λp to the chance of
    being off. Where the cell is off these contribute to both sides alike. `others` are the further causes
    of the variable.
    """
    n = causes.size
    after = np.zeros(n + 1)
    for j in range(n - 1, -1, -1):
        after[j] = after[j + 1] + math.log1p(
            -strength_of(state.strength, spec.strength_scope, i, causes[j])
            * prevalence_of(state.prevalence, spec.prevalence_shared, causes[j])
        )
    prevalences, if_off = np.empty(n), np.empty(n)
    failures = failures_at(state.strength, spec.strength_scope, i, causes)
    for j in range(n):
        p = prevalence_of(state.prevalence, spec.prevalence_shared, causes[j])
        on = p * math.exp(failures[j])
        prevalences[j], if_off[j] = p, on / (on + 1.0 - p)
    stream = open_stream(rng.seed, rng.chain, purpose, 0, rng.visit)
    for r in range(data.n_rows):
        if r > 0 and r % ROW_BLOCK == 0:
            stream = open_stream(rng.seed, rng.chain, purpose, r // ROW_BLOCK, rng.visit)
        w, mask = r // WORD, ONE << np.uint64(r % WORD)
        if r % WORD == 0:
            for k in causes:
                state.y[k, w] = 0
        off = 0.0
        is_on = (data.ones[i, w] & mask) != 0
        if is_on:
            off = _log_off_in_row(state, spec, i, others, w, mask)
        for j in range(n):
            chance = if_off[j] if data.zeros[i, w] & mask else prevalences[j]
            if is_on:
                on = prevalences[j] * -math.expm1(off + failures[j] + after[j + 1])
                idle = (1.0 - prevalences[j]) * -math.expm1(off + after[j + 1])
                chance = on / (on + idle)
            if bernoulli(stream, chance):
                state.y[causes[j], w] |= mask
                off += failures[j]


@compiled
def _log_off_in_row(
    state: State, spec: KernelSpec, i: int, causes: NDArray[np.int64], w: int, mask: np.uint64
) -> float:
    total = math.log1p(-state.leak[i])
    for k in causes:
        if state.y[k, w] & mask:
            total += log_failure(state.strength, spec.strength_scope, i, k)
    return total
