"""NumPy arrays, in memory and in `.npy` and `.npz` files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from hiddencauses.data.carried import one_chunk
from hiddencauses.data.labels import ROW_ID, free_name
from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.guard import reading
from hiddencauses.data.readers.objects import arrow_from_objects
from hiddencauses.errors import InputError
from hiddencauses.validation import check_names, check_shape, check_size

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["CELLS_PER_BLOCK", "open_array", "open_npy", "open_npz"]

NPY, NPZ = "a NumPy array file (.npy)", "a NumPy archive (.npz)"
#: Cells turned into Arrow columns at a time.
CELLS_PER_BLOCK = 1 << 23
_KINDS = "biufOUST"


def open_array(
    array: NDArray[Any],
    name: str,
    *,
    columns: Sequence[str] | None = None,
    row_ids: Sequence[str] | None = None,
    carried: pa.Table | None = None,
) -> RawSource:
    """Open a two-dimensional array; its columns are called x1, x2, … unless they have names."""
    if array.ndim != 2:
        raise InputError(
            f"the array has {array.ndim} dimension{'s' * (array.ndim != 1)}",
            source=name,
            rule="a table is rows × columns",
            fix="reshape it to two dimensions",
        )
    if array.dtype.kind not in _KINDS:
        raise InputError(
            f"the array holds {array.dtype}",
            source=name,
            rule="cells are numbers, booleans or words",
            fix="convert it first",
        )
    n_rows, n_columns = array.shape
    check_shape(n_rows, n_columns, name)
    check_size(n_rows, n_columns, name)
    names = [f"x{i + 1}" for i in range(n_columns)] if columns is None else list(columns)
    id_column = None if row_ids is None else free_name(ROW_ID, names)
    extra = [] if carried is None else list(carried.column_names)
    header = [*([] if id_column is None else [id_column]), *names, *extra]

    def batches() -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        step = max(64, CELLS_PER_BLOCK // n_columns)
        for start in range(0, n_rows, step):
            block = np.asarray(array[start : start + step])
            parts = [] if row_ids is None else [pa.array(row_ids[start : start + step], type=pa.string())]
            parts += [_column(block[:, j]) for j in range(block.shape[1])]
            if carried is not None:
                part = carried.slice(start, step)
                parts += [one_chunk(column) for column in part.columns]
            yield pa.record_batch(parts, names=header)

    return RawSource(name, check_names(header, name), batches(), id_column=id_column, carried=tuple(extra))


def _column(values: NDArray[Any]) -> pa.Array:
    import pyarrow as pa

    if values.dtype.kind in "biuf":
        native = values.astype(values.dtype.newbyteorder("="), copy=False)
        if native.dtype.itemsize > 8:  # long doubles
            native = native.astype(np.float64)
        return pa.array(np.ascontiguousarray(native))
    return arrow_from_objects(values.tolist())


def open_npy(stream: BinaryIO, name: str) -> RawSource:
    """Open a `.npy` file; it is mapped, so that only the block in use is in memory."""
    stream.close()
    with reading(name, NPY):
        array = np.load(name, mmap_mode="r", allow_pickle=False)
        if not isinstance(array, np.ndarray):
            raise ValueError("it is an archive: name it .npz")
    return open_array(array, name)


def open_npz(stream: BinaryIO, name: str) -> RawSource:
    """Open a `.npz` archive: our own, one that `scipy.sparse.save_npz` wrote, or one with a single array."""
    with reading(name, NPZ), zipfile.ZipFile(stream) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        if {"format", "shape", "data"} <= set(members):
            return _sparse(stream, name)
        chosen = _table_member(members, name)
        array = _member(archive, members[chosen])
        names = {key: _member(archive, members[key]) for key in ("columns", "row_ids") if key in members}
        carried = _member(archive, members["carried"]) if "carried" in members else None
        columns = _labels(names.get("columns"), array, 1)
        row_ids = _labels(names.get("row_ids"), array, 0)
        table = None if carried is None or chosen != "table" else _carried(carried, array)
    return open_array(array, name, columns=columns, row_ids=row_ids, carried=table)


def _table_member(members: dict[str, zipfile.ZipInfo], name: str) -> str:
    if "table" in members:
        return "table"
    if len(members) != 1:
        listed = ", ".join(sorted(members)[:8]) or "none"
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


def _labels(names: NDArray[Any] | None, array: NDArray[Any], axis: int) -> list[str] | None:
    if names is None:
        return None
    if array.ndim != 2 or names.shape != (array.shape[axis],) or names.dtype.kind != "U":
        raise ValueError(f"its {'columns' if axis else 'row_ids'} do not fit its table")
    return [str(label) for label in names.tolist()]


def _carried(octets: NDArray[Any], array: NDArray[Any]) -> pa.Table:
    """Read the carried columns, which are kept as the bytes of an Arrow file."""
    import pyarrow as pa

    table = pa.ipc.open_file(pa.py_buffer(np.ascontiguousarray(octets).tobytes())).read_all()
    table.validate(full=True)
    if table.num_rows != array.shape[0]:
        raise ValueError("its carried columns do not fit its table")
    return table


def _sparse(stream: BinaryIO, name: str) -> RawSource:
    from scipy import sparse

    from hiddencauses.data.readers.sparse import open_sparse

    stream.seek(0)
    return open_sparse(sparse.load_npz(stream), name)
