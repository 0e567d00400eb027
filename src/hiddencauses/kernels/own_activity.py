"""Exact joint draw of the activity of causes that drive one variable only."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.names import ROW_BLOCK, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State, log_failure, prevalence_of, strength_of
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
    base: NDArray[np.float64],
) -> None:
    """Draw the activity of causes linked to variable i alone, given everything else.

    In each row one cause after the other, those still to come summed out: P(y_k | earlier) ∝
    p_k^y (1 − p_k)^(1−y) P(x | y_k, earlier), in which a later cause contributes 1 − λp to the chance of
    being off. `base` is log P(off) without these causes.
    """
    n = causes.size
    after = np.zeros(n + 1)
    for j in range(n - 1, -1, -1):
        after[j] = after[j + 1] + math.log1p(
            -strength_of(state, spec, i, causes[j]) * prevalence_of(state, spec, causes[j])
        )
    for block in range((base.size + ROW_BLOCK - 1) // ROW_BLOCK):
        stream = open_stream(rng.seed, rng.chain, purpose, block, rng.visit)
        for r in range(block * ROW_BLOCK, min((block + 1) * ROW_BLOCK, base.size)):
            off = base[r]
            for j in range(n):
                k = causes[j]
                p = prevalence_of(state, spec, k)
                failure = log_failure(state, spec, i, k)
                on, idle = p, 1.0 - p
                if data.x[i, r] == 0:
                    on *= math.exp(failure)
                elif data.x[i, r] == 1:
                    on *= -math.expm1(off + failure + after[j + 1])
                    idle *= -math.expm1(off + after[j + 1])
                state.y[k, r] = bernoulli(stream, on / (on + idle))
                if state.y[k, r]:
                    off += failure
