"""Numbers that describe a state with its table, for tests of the joint distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.state import Data, KernelSpec, State, prevalence_of, strength_of
from verification.cells import cell_of, log_off_of, log_on

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["STATISTICS", "fill_statistics"]

#: Sums over links and causes instead of means: they exist when there is none.
STATISTICS = (
    "K₊",
    "K",
    "links",
    "links of first variable",
    "links of last variable",
    "own causes",
    "ΣZZᵀ off the diagonal",
    "activity",
    "Σλ over links",
    "Σp over causes",
    "ε of first variable",
    "ε of last variable",
    "α",
    "cells on",
    "both first variables on",
    "log likelihood",
    "K₊²",
    "links²",
    "(Σλ)²",
    "(Σp)²",
    "ε² of first variable",
    "α²",
    "cells on²",
    "log likelihood²",
    "α × K₊",
    "links × cells on",
    "Σλ × cells on",
    "activity × cells on",
    "ε × cells on of first variable",
    "ε × links of first variable",
    "Σp × activity",
    "active links × cells on",
)


@compiled
def fill_statistics(state: State, data: Data, spec: KernelSpec, out: NDArray[np.float64]) -> None:
    """Write the statistics of a state and its table."""
    n_variables, n_rows = state.z.shape[0], data.n_rows
    out[:] = 0.0
    active_links = 0.0
    for k in range(state.count[0]):
        degree = 0
        for i in range(n_variables):
            if state.z[i, k]:
                degree += 1
                out[8] += strength_of(state.strength, spec.strength_scope, i, k)
        active = count_both(state.y[k], state.y[k])
        out[0] += degree > 0
        out[2] += degree
        out[3] += state.z[0, k]
        out[4] += state.z[n_variables - 1, k]
        out[5] += degree == 1
        out[6] += degree * (degree - 1)
        out[7] += active
        out[9] += prevalence_of(state.prevalence, spec.prevalence_shared, k)
        active_links += degree * active
    out[1] = state.count[0]
    out[10] = state.leak[0]
    out[11] = state.leak[n_variables - 1]
    out[12] = state.concentration[0]
    first_on = 0.0
    base = np.empty(n_rows)
    for i in range(n_variables):
        log_off_of(state, spec, i, base)
        for r in range(n_rows):
            if cell_of(data, i, r) == 1:
                out[13] += 1.0
                out[15] += log_on(base[r])
                first_on += i == 0
            elif cell_of(data, i, r) == 0:
                out[15] += base[r]
    for r in range(n_rows):
        if n_variables > 1 and cell_of(data, 0, r) == 1 and cell_of(data, 1, r) == 1:
            out[14] += 1.0
    out[16] = out[0] ** 2
    out[17] = out[2] ** 2
    out[18] = out[8] ** 2
    out[19] = out[9] ** 2
    out[20] = out[10] ** 2
    out[21] = out[12] ** 2
    out[22] = out[13] ** 2
    out[23] = out[15] ** 2
    out[24] = out[12] * out[0]
    out[25] = out[2] * out[13]
    out[26] = out[8] * out[13]
    out[27] = out[7] * out[13]
    out[28] = out[10] * first_on
    out[29] = out[10] * out[3]
    out[30] = out[9] * out[7]
    out[31] = active_links * out[13]
