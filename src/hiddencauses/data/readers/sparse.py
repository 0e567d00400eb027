"""Sparse matrices: scipy's, and Matrix Market files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.arrays import CELLS_PER_BLOCK, open_array
from hiddencauses.data.readers.guard import reading
from hiddencauses.data.readers.zipped import unzipped
from hiddencauses.errors import InputError
from hiddencauses.validation import check_shape, check_size

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["is_sparse", "open_mtx", "open_sparse"]

MTX = "a Matrix Market file"
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
        if len(rows) and (min(rows.min(), columns.min()) < 0):
            raise ValueError("it has a negative index")
    order = np.lexsort((columns, rows))
    rows, columns, values = rows[order], columns[order], values[order]
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
    names = tuple(f"x{i + 1}" for i in range(n_columns))
    return RawSource(name, names, _dense_batches((n_rows, n_columns), rows, columns, values, names))


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


def open_mtx(stream: BinaryIO, name: str, *, gzipped: bool) -> RawSource:
    """Open a Matrix Market file, plain or gzip-compressed; columns are called x1, x2, …."""
    from scipy import io as scipy_io

    data = unzipped(stream, name) if gzipped else stream.read()
    stream.close()
    with reading(name, MTX):
        n_rows, n_columns, n_entries, layout, field, _ = scipy_io.mminfo(io.BytesIO(data))
        if field == "complex":
            raise ValueError("it holds complex numbers; cells are 0, 1 or NaN")
        check_shape(n_rows, n_columns, name)
        check_size(n_rows, n_columns, name)
        # An entry takes at least two bytes (four with its place), so a size line cannot ask for more.
        if n_entries * (2 if layout == "array" else 4) > 2 * len(data) + 64:
            raise ValueError(f"its size line announces {n_entries} entries; there are fewer")
        matrix = scipy_io.mmread(io.BytesIO(data))
    if isinstance(matrix, np.ndarray):
        return open_array(matrix, name)
    return open_sparse(matrix, name)
