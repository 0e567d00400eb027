"""NumPy files: `.npy`, and `.npz` archives of our own, of `scipy.sparse.save_npz`, or with one array."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.arrays import open_array, refuse_false_text
from hiddencauses.data.readers.guard import reading
from hiddencauses.data.readers.sparse import open_entries
from hiddencauses.errors import InputError, shorten
from hiddencauses.validation import check_shape, check_size

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["open_npy", "open_npz"]

NPY, NPZ = "a NumPy array file (.npy)", "a NumPy archive (.npz)"


def open_npy(stream: BinaryIO, name: str) -> RawSource:
    """Open a `.npy` file; it is mapped, so that only the block in use is in memory."""
    path = stream.name
    stream.close()
    with reading(name, NPY):
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        if not isinstance(array, np.ndarray):
            raise ValueError("it is an archive: name it .npz")
    return open_array(array, name)


def open_npz(stream: BinaryIO, name: str) -> RawSource:
    """Open a `.npz` archive: our own, one that `scipy.sparse.save_npz` wrote, or one with a single array."""
    with stream, reading(name, NPZ), zipfile.ZipFile(stream) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        if {"format", "shape", "data"} <= set(members):
            return _sparse(archive, members, name)
        chosen = _table_member(members, name)
        array = _member(archive, members[chosen])
        names = {key: _member(archive, members[key]) for key in ("columns", "row_ids") if key in members}
        carried = _member(archive, members["carried"]) if "carried" in members else None
        columns = _labels(names.get("columns"), array, 1, name)
        row_ids = _labels(names.get("row_ids"), array, 0, name)
        table = None if carried is None or chosen != "table" else _carried(carried, array)
    return open_array(array, name, columns=columns, row_ids=row_ids, carried=table)


def _table_member(members: dict[str, zipfile.ZipInfo], name: str) -> str:
    if "table" in members:
        return "table"
    if len(members) != 1:
        listed = ", ".join(shorten(member) for member in sorted(members)[:8]) or "none"
        raise InputError(
            f"has {len(members)} arrays ({listed})",
            source=name,
            rule="the table is the array named 'table', or the only one",
            fix="save it as numpy.savez(path, table=array)",
        )
    return next(iter(members))


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    loaded = np.load(io.BytesIO(archive.read(info)), allow_pickle=False)
    if not isinstance(loaded, np.ndarray):
        raise ValueError("a member is not an array")
    return loaded


def _labels(names: NDArray[Any] | None, array: NDArray[Any], axis: int, name: str) -> list[str] | None:
    if names is None:
        return None
    if array.ndim != 2 or names.shape != (array.shape[axis],) or names.dtype.kind != "U":
        raise ValueError(f"its {'columns' if axis else 'row_ids'} do not fit its table")
    return [str(label) for label in refuse_false_text(names, name).tolist()]


def _carried(octets: NDArray[Any], array: NDArray[Any]) -> pa.Table:
    """Read the carried columns, which are kept as the bytes of an Arrow file."""
    import pyarrow as pa

    table = pa.ipc.open_file(pa.py_buffer(np.ascontiguousarray(octets).tobytes())).read_all()
    table.validate(full=True)
    if table.num_rows != array.shape[0]:
        raise ValueError("its carried columns do not fit its table")
    return table


def _sparse(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: str) -> RawSource:
    """Open what `scipy.sparse.save_npz` wrote; scipy would trust its indices, so they are checked here."""
    parts = {key: _member(archive, member) for key, member in members.items()}
    layout = parts["format"].item()
    layout = layout.decode("ascii") if isinstance(layout, bytes) else str(layout)
    n_rows, n_columns = (int(n) for n in parts["shape"].tolist())
    check_shape(n_rows, n_columns, name)
    check_size(n_rows, n_columns, name)
    values = parts["data"]
    if layout in ("csr", "csc"):
        inner = _places(parts["indices"], n_columns if layout == "csr" else n_rows)
        outer = _unfolded(parts["indptr"], n_rows if layout == "csr" else n_columns, len(inner))
        rows, columns = (outer, inner) if layout == "csr" else (inner, outer)
    elif layout == "coo":
        rows, columns = _places(parts["row"], n_rows), _places(parts["col"], n_columns)
    else:
        raise ValueError("save the matrix as csr, csc or coo, for example with matrix.tocsr()")
    if values.dtype.kind not in "biuf" or not values.shape == rows.shape == columns.shape:
        raise ValueError("its values do not fit their places")
    return open_entries((n_rows, n_columns), rows, columns, values, name)


def _places(indices: NDArray[Any], limit: int) -> NDArray[np.int64]:
    """Check that row or column numbers lie within the shape."""
    if indices.ndim != 1 or indices.dtype.kind not in "iu":
        raise ValueError("its indices are not whole numbers")
    if len(indices) and not (indices.min() >= 0 and indices.max() < limit):
        raise ValueError("an entry lies outside its shape")
    return indices.astype(np.int64)


def _unfolded(pointers: NDArray[Any], n_lines: int, n_entries: int) -> NDArray[np.int64]:
    """Turn where each line's entries begin into the line of each entry."""
    if pointers.shape != (n_lines + 1,) or pointers.dtype.kind not in "iu":
        raise ValueError("its index pointers do not fit its shape")
    starts = pointers.astype(np.int64)
    lengths = starts[1:] - starts[:-1]
    if pointers[0] != 0 or pointers[-1] != n_entries or (lengths < 0).any() or (lengths > n_entries).any():
        raise ValueError("its index pointers are damaged")
    return np.repeat(np.arange(n_lines), lengths)
