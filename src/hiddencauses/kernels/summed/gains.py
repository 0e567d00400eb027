"""What one more active cause would do to each cell, and the rows that proposals are built on.

A setting of a group that switches variable i on with probability S multiplies the likelihood of a cell by
1 + g S, where g = off/on for a cell that is on, −1 for one that is off, and 0 for a missing one: one formula
for all three, with no branch. Gains serve proposals only, and so are cut off where they would overflow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.state import Data, KernelSpec, State
from hiddencauses.kernels.streams import bernoulli, uniform
from hiddencauses.kernels.summed.marginal import fill_on_and_off

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_GAIN", "gains", "sampled_rows"]

MOST_GAIN = 1e12
#: Rows that a proposal is built on, and how often it is built on twice as many.
FEW_ROWS, MORE_ROWS = 1000, 0.25


@compiled
def sampled_rows(stream: NDArray[np.uint64], n_rows: int) -> NDArray[np.int64]:
    """Return all rows or, of many, some: evenly spaced from a random start.

    Mostly about a thousand, now and then several thousand: a rare cause does not show in fewer.
    """
    start = uniform(stream)
    most = FEW_ROWS
    while most < n_rows and bernoulli(stream, MORE_ROWS):
        most *= 2
    if n_rows <= most:
        return np.arange(n_rows)
    rows = np.empty(most, dtype=np.int64)
    for r in range(most):
        rows[r] = min(int((r + start) * n_rows / most), n_rows - 1)
    return rows


@compiled
def gains(
    state: State,
    data: Data,
    spec: KernelSpec,
    kept: NDArray[np.bool_],
    variables: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the gains of some variables in some rows, given the causes that are kept."""
    found = np.empty((variables.size, rows.size))
    on, off = np.empty(rows.size), np.empty(rows.size)
    for v in range(variables.size):
        i = variables[v]
        fill_on_and_off(state, spec, i, kept, rows, on, off)
        for r in range(rows.size):
            cell = data.x[i, rows[r]]
            if cell == 1:
                found[v, r] = min(off[r] / on[r], MOST_GAIN)
            elif cell == 0:
                found[v, r] = -1.0
            else:
                found[v, r] = 0.0
    return found
