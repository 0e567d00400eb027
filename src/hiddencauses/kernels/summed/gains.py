"""What one more active cause would do to each cell, and the rows that proposals are built on.

A setting of a group that switches variable i on with probability S multiplies the likelihood of a cell by
1 + g S, where g = off/on for a cell that is on, −1 for one that is off, and 0 for a missing one: one formula
for all three, with no branch. Gains serve proposals only, and so are cut off where they would overflow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import ONE, bit
from hiddencauses.kernels.state import Data, KernelSpec, State, strength_of
from hiddencauses.kernels.streams import bernoulli, uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_GAIN", "bits_of_rows", "gains", "sampled_rows"]

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
def bits_of_rows(words: NDArray[np.uint64], rows: NDArray[np.int64], out: NDArray[np.uint64]) -> None:
    """Write the bits of some rows, one behind the other."""
    out[:] = 0
    for r in range(rows.size):
        if bit(words, rows[r]):
            out[r >> 6] |= ONE << np.uint64(r & 63)


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
    n = rows.size
    found = np.empty((variables.size, n))
    on, off = np.empty(n), np.empty(n)
    active = np.empty((state.count[0], n))
    filled = np.zeros(state.count[0], dtype=np.bool_)
    word, mask = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.uint64)
    for r in range(n):
        word[r], mask[r] = rows[r] >> 6, ONE << np.uint64(rows[r] & 63)
    for v in range(variables.size):
        i = variables[v]
        on[:] = state.leak[i]
        off[:] = 1.0 - state.leak[i]
        for k in range(state.count[0]):
            if kept[k] and state.z[i, k]:
                if not filled[k]:
                    for r in range(n):
                        active[k, r] = 1.0 if state.y[k, word[r]] & mask[r] else 0.0
                    filled[k] = True
                strength = strength_of(state.strength, spec.strength_scope, i, k)
                for r in range(n):
                    acting = active[k, r] * strength
                    on[r] += off[r] * acting
                    off[r] *= 1.0 - acting
        for r in range(n):
            gain = min(off[r] / on[r], MOST_GAIN)
            is_off = -1.0 if data.zeros[i, word[r]] & mask[r] else 0.0
            found[v, r] = gain if data.ones[i, word[r]] & mask[r] else is_off
    return found
