"""Activity of all causes, one cause after the other, all rows of a block at once (Eq. 12)."""

from __future__ import annotations

import math

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.cells import log_off, log_on
from hiddencauses.kernels.names import ACTIVITY, ACTIVITY_ORDER, ROW_BLOCK, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State, log_failure, prevalence_of
from hiddencauses.kernels.streams import bernoulli, open_stream, permutation

__all__ = ["update_activity"]


@compiled
def update_activity(rng: Rng, state: State, data: Data, spec: KernelSpec) -> None:
    """Draw every y_rk from its conditional, causes in a fresh random order that all rows share.

    Rows are independent given links and parameters, so that blocks of rows can be worked on anywhere.
    """
    order = permutation(open_stream(rng.seed, rng.chain, ACTIVITY_ORDER, 0, rng.visit), state.count[0])
    n_rows = data.x.shape[1]
    gain = np.empty(min(ROW_BLOCK, n_rows))
    base = np.empty(min(ROW_BLOCK, n_rows))
    for block in range((n_rows + ROW_BLOCK - 1) // ROW_BLOCK):
        start = block * ROW_BLOCK
        stop = min(start + ROW_BLOCK, n_rows)
        stream = open_stream(rng.seed, rng.chain, ACTIVITY, block, rng.visit)
        for k in order:
            p = prevalence_of(state, spec, k)
            gain[:] = math.log(p) - math.log1p(-p)
            for i in range(state.z.shape[0]):
                if not state.z[i, k]:
                    continue
                failure = log_failure(state, spec, i, k)
                log_off(state, spec, i, k, start, stop, base)
                for r in range(stop - start):
                    cell = data.x[i, start + r]
                    if cell == 0:
                        gain[r] += failure
                    elif cell == 1:
                        gain[r] += log_on(base[r] + failure) - log_on(base[r])
            for r in range(stop - start):
                state.y[k, start + r] = bernoulli(stream, 1.0 / (1.0 + math.exp(-gain[r])))
