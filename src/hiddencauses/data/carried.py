"""Carried columns: kept with the rows, not modelled, their types told from their text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.cells import word_code
from hiddencauses.data.table import MISSING

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["CarriedColumns", "as_plain", "one_chunk", "typed_from_text"]

_NUMBER = r"^[+-]?(0|[1-9]\d*)(\.\d*)?([eE][+-]?\d+)?$"
_WHOLE = r"^-?(0|[1-9]\d*)$"


class CarriedColumns:
    """Collects the carried columns batch by batch.

    Parameters
    ----------
    names
        Which columns are carried.
    untyped
        Whether they are text whose type is still to be told from the words.
    """

    def __init__(self, names: Sequence[str], *, untyped: bool) -> None:
        self._names = tuple(names)
        self._untyped = untyped
        self._batches: list[pa.Table] = []

    def add(self, batch: pa.RecordBatch, repeats: NDArray[np.int64] | None = None) -> None:
        """Take the carried columns of a batch, each row as often as `repeats` says."""
        import pyarrow as pa

        if not self._names:
            return
        arrays = [as_plain(batch.column(name)) for name in self._names]
        part = pa.table(arrays, names=list(self._names))
        if repeats is not None:
            part = part.take(pa.array(np.repeat(np.arange(batch.num_rows), repeats)))
        self._batches.append(part)

    def finish(self) -> pa.Table | None:
        """Return the carried columns of all rows, or None when none is carried."""
        import pyarrow as pa

        if not self._batches:
            return None
        whole = pa.concat_tables(self._batches, promote_options="permissive")
        if not self._untyped:
            return whole
        columns = [typed_from_text(whole.column(name)) for name in self._names]
        return pa.table(columns, names=list(self._names))


def as_plain(array: pa.Array) -> pa.Array:
    """Undo a dictionary encoding."""
    import pyarrow as pa

    return array.dictionary.take(array.indices) if pa.types.is_dictionary(array.type) else array


def one_chunk(column: pa.ChunkedArray) -> pa.Array:
    """Join the chunks of a column."""
    import pyarrow as pa

    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], type=column.type)


def typed_from_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Make text that is all whole numbers, or all numbers, into such; words for missing become null.

    Numbers written with leading zeros are codes, not quantities, and stay text.
    """
    import pyarrow as pa
    from pyarrow import compute

    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    missing = [word for word in compute.unique(column).to_pylist() if word and word_code(word) == MISSING]
    blank = compute.is_in(column, value_set=pa.array(["", *missing], type=column.type))
    text = compute.if_else(blank, pa.scalar(None, type=column.type), column)
    bare = compute.utf8_trim_whitespace(text)
    for pattern, kind in ((_WHOLE, pa.int64()), (_NUMBER, pa.float64())):
        fits = compute.match_substring_regex(bare, pattern)
        if text.null_count < len(text) and compute.all(fits).as_py():
            try:
                return bare.cast(kind)
            except pa.ArrowInvalid:  # beyond 64 bits
                return text
    return text
