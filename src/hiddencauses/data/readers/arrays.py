"""NumPy arrays as raw sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.carried import one_chunk
from hiddencauses.data.labels import ROW_ID, free_name
from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.objects import arrow_from_objects
from hiddencauses.errors import InputError
from hiddencauses.validation import check_names, check_shape, check_size

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["CELLS_PER_BLOCK", "open_array", "plain_numbers", "refuse_false_text"]

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
    extra = [] if carried is None else list(carried.column_names)
    id_column = None if row_ids is None else free_name(ROW_ID, [*names, *extra])
    header = [*([] if id_column is None else [id_column]), *names, *extra]

    def batches() -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        step = max(64, CELLS_PER_BLOCK // n_columns)
        for start in range(0, n_rows, step):
            block = refuse_false_text(np.asarray(array[start : start + step]), name)
            parts = [] if row_ids is None else [pa.array(row_ids[start : start + step], type=pa.string())]
            parts += [_column(block[:, j]) for j in range(block.shape[1])]
            if carried is not None:
                part = carried.slice(start, step)
                parts += [one_chunk(column) for column in part.columns]
            yield pa.record_batch(parts, names=header)

    return RawSource(name, check_names(header, name), batches(), id_column=id_column, carried=tuple(extra))


def refuse_false_text(words: NDArray[Any], name: str) -> NDArray[Any]:
    """Refuse words with numbers in them that are no characters: NumPy lets a damaged file have them."""
    if words.dtype.kind != "U" or words.size == 0 or words.dtype.itemsize == 0:
        return words
    letters = np.ascontiguousarray(words.astype(words.dtype.newbyteorder("="), copy=False)).view(np.uint32)
    if ((letters > 0x10FFFF) | ((letters >= 0xD800) & (letters <= 0xDFFF))).any():
        raise InputError(
            "holds numbers that are no characters",
            source=name,
            rule="words are Unicode text",
            fix="the file is damaged: copy or download it again",
        )
    return words


def plain_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Give numbers this machine's byte order and at most eight bytes, as Arrow wants them."""
    native = values.astype(values.dtype.newbyteorder("="), copy=False)
    return native.astype(np.float64) if native.dtype.itemsize > 8 else native  # long doubles


def _column(values: NDArray[Any]) -> pa.Array:
    import pyarrow as pa

    if values.dtype.kind in "biuf":
        return pa.array(np.ascontiguousarray(plain_numbers(values)))
    return arrow_from_objects(values.tolist())
