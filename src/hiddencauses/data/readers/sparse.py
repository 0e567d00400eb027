"""Sparse matrices: scipy's, and entries with their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.arrays import CELLS_PER_BLOCK, plain_numbers
from hiddencauses.data.readers.guard import reading
from hiddencauses.errors import InputError
from hiddencauses.validation import check_shape, check_size

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["is_sparse", "open_entries", "open_sparse"]

SPARSE = "a sparse matrix"
_FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


def is_sparse(source: object) -> bool:
    """Tell a scipy sparse matrix or array without importing scipy."""
    return type(source).__module__.startswith("scipy.sparse") and getattr(source, "format", "") in _FORMATS


def open_sparse(matrix: Any, name: str) -> RawSource:
    """Open a sparse matrix: what is stored counts as given (zeros and NaN too), the rest is 0."""
    with reading(name, SPARSE):
        if getattr(matrix, "ndim", 2) != 2:
            raise ValueError("it must have two dimensions")
        if matrix.format in ("csr", "csc", "bsr"):
            matrix.check_format(full_check=True)  # scipy trusts the indices; a damaged file has any
        n_rows, n_columns = (int(n) for n in matrix.shape)
        check_shape(n_rows, n_columns, name)
        check_size(n_rows, n_columns, name)
        entries = matrix.tocoo()
        rows, columns = np.asarray(entries.row, dtype=np.int64), np.asarray(entries.col, dtype=np.int64)
        values = np.asarray(entries.data)
        if values.dtype.kind not in "biuf":
            raise ValueError(f"it holds {values.dtype}; cells are 0, 1 or NaN")
        for places, limit in ((rows, n_rows), (columns, n_columns)):
            if len(places) and not (places.min() >= 0 and places.max() < limit):
                raise ValueError("an entry lies outside its shape")
    return open_entries((n_rows, n_columns), rows, columns, values, name)


def open_entries(
    shape: tuple[int, int],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[Any],
    name: str,
) -> RawSource:
    """Open entries with their places, counted from 0 and within the shape; none may be given twice."""
    order = np.lexsort((columns, rows))
    rows, columns, values = rows[order], columns[order], plain_numbers(values[order])
    repeated = np.flatnonzero((np.diff(rows) == 0) & (np.diff(columns) == 0))
    if len(repeated):
        raise InputError(
            "has two entries",
            source=name,
            row=int(rows[repeated[0]]) + 1,
            column=f"x{columns[repeated[0]] + 1}",
            rule="a cell is given once",
            fix="remove the duplicate (adding them up could make a 2 of two 1s)",
        )
    names = tuple(f"x{i + 1}" for i in range(shape[1]))
    return RawSource(name, names, _dense_batches(shape, rows, columns, values, names))


def _dense_batches(
    shape: tuple[int, int],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[Any],
    names: tuple[str, ...],
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    kind = np.dtype(np.uint8) if values.dtype.kind == "b" else values.dtype
    step = max(64, CELLS_PER_BLOCK // shape[1])
    for start in range(0, shape[0], step):
        stop = min(start + step, shape[0])
        first, last = np.searchsorted(rows, (start, stop))
        block = np.zeros((shape[1], stop - start), dtype=kind)
        block[columns[first:last], rows[first:last] - start] = values[first:last]
        yield pa.record_batch([pa.array(line) for line in block], names=list(names))
