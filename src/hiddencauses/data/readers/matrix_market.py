"""Matrix Market files (`.mtx`), read here because scipy's reader crashes on damaged ones."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.arrays import open_array
from hiddencauses.data.readers.guard import reading
from hiddencauses.data.readers.sparse import open_entries
from hiddencauses.data.readers.textbytes import gzip_contents
from hiddencauses.validation import check_shape, check_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["open_mtx"]

MTX = "a Matrix Market file"
_BANNER = re.compile(
    rb"%%matrixmarket[ \t]+matrix[ \t]+(coordinate|array)[ \t]+([a-z-]+)[ \t]+([a-z-]+)[ \t]*\r?\n",
    re.IGNORECASE,
)
_BEFORE_SIZES = re.compile(rb"(?:[ \t]*(?:%[^\n]*)?\r?\n)*")
_SIZES = re.compile(rb"[ \t]*(\d{1,15})[ \t]+(\d{1,15})(?:[ \t]+(\d{1,15}))?[ \t]*(?:\r?\n|$)")
_FIELDS = (b"real", b"double", b"integer", b"unsigned-integer", b"pattern")
_SYMMETRIES = (b"general", b"symmetric")


def open_mtx(stream: BinaryIO, name: str, *, gzipped: bool) -> RawSource:
    """Open a Matrix Market file, plain or gzip-compressed; columns are called x1, x2, …."""
    with stream:
        data = gzip_contents(stream, name) if gzipped else stream.read()
    with reading(name, MTX):
        layout, field, symmetry, sizes, body = _parts(data)
        n_rows, n_columns = sizes[:2]
        check_shape(n_rows, n_columns, name)
        check_size(n_rows, n_columns, name)
        if symmetry == b"symmetric" and n_rows != n_columns:
            raise ValueError("it is called symmetric and is not square")
        if layout == b"array":
            array = _dense(body, n_rows, n_columns, symmetric=symmetry == b"symmetric")
        else:
            rows, columns, values = _entries(body, sizes, pattern=field == b"pattern")
            if symmetry == b"symmetric":
                off = rows != columns
                rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
                values = np.concatenate([values, values[off]])
    if layout == b"array":
        return open_array(array, name)
    return open_entries((n_rows, n_columns), rows, columns, values, name)


def _parts(data: bytes) -> tuple[bytes, bytes, bytes, list[int], bytes]:
    """Split a file into what its banner says, its size line and its body."""
    banner = _BANNER.match(data)
    if banner is None:
        raise ValueError("its first line is not '%%MatrixMarket matrix …'")
    layout, field, symmetry = (word.lower() for word in banner.groups())
    if field not in _FIELDS or (layout == b"array" and field == b"pattern"):
        raise ValueError(f"it holds {field.decode()} numbers; cells are 0, 1 or NaN")
    if symmetry not in _SYMMETRIES:
        raise ValueError(f"it is {symmetry.decode()}; a table is general or symmetric")
    comments = _BEFORE_SIZES.match(data, banner.end())
    found = _SIZES.match(data, comments.end() if comments else banner.end())
    if found is None or (found[3] is None) != (layout == b"array"):
        raise ValueError("its size line is not 'rows columns' (array) or 'rows columns entries' (coordinate)")
    return layout, field, symmetry, [int(n) for n in found.groups() if n], data[found.end() :]


def _dense(body: bytes, n_rows: int, n_columns: int, *, symmetric: bool) -> NDArray[np.float64]:
    (values,) = _columns(body, ["float64"])
    needed = n_rows * (n_rows + 1) // 2 if symmetric else n_rows * n_columns
    if len(values) != needed:
        raise ValueError(f"it holds {len(values)} values where {needed} are announced")
    if not symmetric:
        return values.reshape(n_columns, n_rows).T
    array = np.empty((n_rows, n_rows))
    columns, rows = np.triu_indices(n_rows)  # the lower triangle, column by column
    array[rows, columns] = array[columns, rows] = values
    return array


def _entries(
    body: bytes, sizes: list[int], *, pattern: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    parts = _columns(body, ["int64", "int64"] if pattern else ["int64", "int64", "float64"])
    rows, columns = parts[0], parts[1]
    if len(rows) != sizes[2]:
        raise ValueError(f"it holds {len(rows)} entries where {sizes[2]} are announced")
    for places, limit in ((rows, sizes[0]), (columns, sizes[1])):
        if len(places) and not (places.min() >= 1 and places.max() <= limit):
            raise ValueError("an entry lies outside the size announced")
    return rows - 1, columns - 1, np.ones(len(rows)) if pattern else parts[2]


def _columns(body: bytes, kinds: list[str]) -> list[NDArray[Any]]:
    """Read numbers separated by blanks; NaN stands for missing."""
    import pyarrow as pa
    from pyarrow import csv

    body = re.sub(rb"[ \t]+(?=[\r\n]|$)|(?:(?<=[\r\n])|^)[ \t]+", b"", body)  # blanks around lines
    body = re.sub(rb"[ \t]+", b" ", body)
    if not body.strip():
        return [np.empty(0, dtype=kind) for kind in kinds]
    names = [str(i) for i in range(len(kinds))]
    types = {name: pa.type_for_alias(kind) for name, kind in zip(names, kinds, strict=True)}
    table = csv.read_csv(
        io.BytesIO(body),
        read_options=csv.ReadOptions(use_threads=False, column_names=names),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
        convert_options=csv.ConvertOptions(column_types=types, null_values=["nan", "NaN", "NAN"]),
    )
    if any(table.column(name).null_count for name, kind in zip(names, kinds, strict=True) if kind == "int64"):
        raise ValueError("an entry has no place")
    return [np.asarray(table.column(name).to_numpy()) for name in names]
