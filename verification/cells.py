"""Single cells of tables that lie in bits, for code that reads slowly and obviously."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses import Table
from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import bit, set_bit
from hiddencauses.kernels.state import Data, KernelSpec, State, linked_places, log_failure
from hiddencauses.sampling.convert import kernel_data

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["cell_of", "codes_of", "data_of", "log_off_of", "log_on", "set_cell"]


def data_of(codes: ArrayLike) -> Data:
    """Return cells (rows × variables: 0, 1 and −1 for missing) as kernels see them, to be changed freely."""
    cells = np.asarray(codes, dtype=np.float64)
    data = kernel_data(Table.from_array(np.where(cells < 0, np.nan, cells)))
    return Data(data.ones.copy(), data.zeros.copy(), data.n_rows)


def codes_of(data: Data) -> NDArray[np.int8]:
    """Return the cells of a block of rows, rows × variables."""
    shape = (data.n_rows, len(data.ones))
    return np.array([[cell_of(data, i, r) for i in range(shape[1])] for r in range(shape[0])], dtype=np.int8)


@compiled
def cell_of(data: Data, i: int, r: int) -> int:
    """Return a cell: 0, 1 or −1."""
    if bit(data.ones[i], r):
        return 1
    return 0 if bit(data.zeros[i], r) else -1


@compiled
def set_cell(data: Data, i: int, r: int, value: bool) -> None:
    """Set a cell to 0 or 1."""
    set_bit(data.ones[i], r, value)
    set_bit(data.zeros[i], r, not value)


@compiled
def log_off_of(state: State, spec: KernelSpec, i: int, out: NDArray[np.float64]) -> None:
    """Fill `out` with log P(x_i = 0) of all rows."""
    out[:] = np.log1p(-state.leak[i])
    for k in linked_places(state.z[i, : state.count[0]], -1):
        for r in range(out.size):
            if bit(state.y[k], r):
                out[r] += log_failure(state.strength, spec.strength_scope, i, k)


@compiled
def log_on(log_off_value: float) -> float:
    """Return log P(cell on) from log P(cell off)."""
    return np.log(-np.expm1(log_off_value))
