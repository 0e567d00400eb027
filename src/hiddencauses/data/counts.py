"""Counts: how often each row of a pattern table stands for an observation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.errors import InputError
from hiddencauses.validation import check_total_count

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["Counter", "repeated_ids", "slices_of_repeats"]

_WHOLE = re.compile(r"\s*(\d{1,15})(\.0*)?\s*", re.ASCII)
#: Repeated rows are made this many at a time.
_AT_ONCE = 1 << 16


class Counter:
    """Reads the count column batch by batch and keeps the total within bounds.

    Parameters
    ----------
    column
        The count column's name.
    source
        What to call the table in messages.
    named
        Whether rows have ids or carried columns, which cost more memory than bits.
    """

    def __init__(self, column: str, source: str, *, named: bool) -> None:
        self._column, self._source, self._named = column, source, named
        self._seen = self._total = 0

    def read(self, array: pa.Array) -> NDArray[np.int64]:
        """Return the counts of the next rows."""
        import pyarrow as pa

        if pa.types.is_dictionary(array.type):
            array = array.dictionary.take(array.indices)
        counts = np.array(
            [self._count(i, value) for i, value in enumerate(array.to_pylist())], dtype=np.int64
        )
        self._seen += len(counts)
        self._total += int(counts.sum())
        check_total_count(self._total, self._column, self._source, named=self._named)
        return counts

    def _count(self, place: int, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
            return value
        if isinstance(value, float) and value.is_integer() and 0 <= value < 10**15:
            return int(value)
        if isinstance(value, str) and (found := _WHOLE.fullmatch(value)):
            return int(found[1])
        raise InputError(
            "is not a count" if value is not None else "the count is missing",
            source=self._source,
            row=self._seen + place + 1,
            column=self._column,
            value=value,
            rule="a count is a whole number of at least 0",
            fix="correct it, or name another count column",
        )


def slices_of_repeats(codes: NDArray[np.int8], counts: NDArray[np.int64]) -> Iterator[NDArray[np.int8]]:
    """Repeat the rows of variables × rows codes as counted, in blocks of bounded size."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    for start in range(0, total, _AT_ONCE):
        places = np.arange(start, min(start + _AT_ONCE, total))
        yield codes[:, np.searchsorted(ends, places, side="right")]


def repeated_ids(ids: list[str], counts: NDArray[np.int64]) -> list[str]:
    """Name repeated rows `id.1`, `id.2`, …; a row counted once keeps its id."""
    named: list[str] = []
    for name, count in zip(ids, counts.tolist(), strict=True):
        named.extend([name] if count == 1 else [f"{name}.{i + 1}" for i in range(count)])
    return named
