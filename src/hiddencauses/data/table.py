"""The table: yes/no cells as bits, with the names of its rows and columns and what is carried along."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.bits import WORD, pack_rows, popcounts, unpack_rows
from hiddencauses.errors import InputError
from hiddencauses.validation import check_names, check_row_ids, check_shape

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import ArrayLike, NDArray

__all__ = ["MISSING", "Table"]

#: How a missing cell looks in `Table.codes`.
MISSING = -1


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A table of yes/no observations: one row per observation, one column per variable.

    Build one with `read_table` or `Table.from_array`; the fields are for code that works on bits.

    Attributes
    ----------
    ones
        Bits of the cells that are 1, variables × words (see `hiddencauses.data.bits`).
    missing
        Bits of the cells that are missing, in the same shape, or None when none is. A missing cell is
        0 in `ones`.
    n_rows
        How many rows there are.
    columns
        The variables' names.
    row_ids
        The rows' names, or None when they have none and are known by their position.
    carried
        Columns kept with the rows but not modelled, as a `pyarrow.Table`, or None.
    source
        Where the table came from, for messages.
    """

    ones: NDArray[np.uint64]
    missing: NDArray[np.uint64] | None
    n_rows: int
    columns: tuple[str, ...]
    row_ids: tuple[str, ...] | None = None
    carried: pa.Table | None = None
    source: str = "table"

    @classmethod
    def from_array(
        cls,
        values: ArrayLike,
        *,
        columns: Sequence[str] | None = None,
        row_ids: Sequence[str] | None = None,
        source: str = "table",
    ) -> Table:
        """Make a table from rows × columns of 0, 1 and NaN (missing).

        Parameters
        ----------
        values
            Numbers or booleans, rows × columns.
        columns
            Names of the variables; `x1`, `x2`, … when left out.
        row_ids
            Names of the rows; none when left out.
        source
            What to call the table in messages.
        """
        array = np.asarray(values)
        if array.ndim != 2:
            raise InputError(
                f"the array has {array.ndim} dimension{'s' * (array.ndim != 1)}",
                source=source,
                rule="a table is rows × columns",
                fix="reshape it to two dimensions",
            )
        check_shape(array.shape[0], array.shape[1], source)
        names = [f"x{i + 1}" for i in range(array.shape[1])] if columns is None else [str(c) for c in columns]
        _check_length("column names", len(names), array.shape[1], "columns", source)
        if row_ids is not None:
            _check_length("row ids", len(row_ids), array.shape[0], "rows", source)
        ones, missing = _flags(array, names, source)
        return cls(
            ones=pack_rows(ones),
            missing=pack_rows(missing) if missing.any() else None,
            n_rows=array.shape[0],
            columns=check_names(names, source),
            row_ids=None if row_ids is None else check_row_ids([str(r) for r in row_ids], source),
            source=source,
        )

    # -- size and names ----------------------------------------------------------------------------

    @property
    def n_variables(self) -> int:
        """How many variables (modelled columns) there are."""
        return len(self.columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and variables."""
        return self.n_rows, self.n_variables

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows × {self.n_variables} variables, source={self.source!r})"

    # -- cells -------------------------------------------------------------------------------------

    def codes(self, start: int = 0, stop: int | None = None) -> NDArray[np.int8]:
        """Return rows `start` to `stop` as int8, rows × variables: 0, 1, or `MISSING`."""
        stop = self.n_rows if stop is None else min(stop, self.n_rows)
        first, last = start // WORD, -(-stop // WORD)
        keep = slice(start - first * WORD, stop - first * WORD)

        def flags(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
            return unpack_rows(words[:, first:last], min(last * WORD, self.n_rows) - first * WORD)[keep]

        cells = flags(self.ones).astype(np.int8)
        if self.missing is not None:
            cells[flags(self.missing)] = MISSING
        return np.ascontiguousarray(cells)

    def to_array(self) -> NDArray[np.float64]:
        """Return the whole table as floats, rows × variables, NaN where missing."""
        cells = self.codes()
        return np.where(cells == MISSING, np.nan, cells)

    def blocks(self, rows: int) -> Iterator[NDArray[np.int8]]:
        """Go through the table `rows` rows at a time, each block as `codes` gives it."""
        for start in range(0, self.n_rows, rows):
            yield self.codes(start, start + rows)

    # -- counts ------------------------------------------------------------------------------------

    def ones_per_column(self) -> NDArray[np.int64]:
        """Count the ones of each variable."""
        return popcounts(self.ones)

    def missing_per_column(self) -> NDArray[np.int64]:
        """Count the missing cells of each variable."""
        if self.missing is None:
            return np.zeros(self.n_variables, dtype=np.int64)
        return popcounts(self.missing)

    # -- derived tables ----------------------------------------------------------------------------

    def with_variables(self, names: Sequence[str]) -> Table:
        """Return the table with only these variables, in this order."""
        place = {name: i for i, name in enumerate(self.columns)}
        pick = [place[name] for name in names]
        missing = None if self.missing is None else self.missing[pick]
        if missing is not None and not missing.any():
            missing = None
        check_shape(self.n_rows, len(pick), self.source)
        return replace(self, ones=self.ones[pick], missing=missing, columns=tuple(names))

    # -- identity ----------------------------------------------------------------------------------

    def fingerprint(self) -> str:
        """Return a digest of cells, column names and row ids: equal tables have equal digests."""
        digest = hashlib.sha256(b"hiddencauses table 1\0")
        digest.update(np.array(self.shape, dtype="<i8").tobytes())
        for names in (self.columns, self.row_ids or ()):
            for name in names:
                raw = name.encode()
                digest.update(len(raw).to_bytes(8, "little"))
                digest.update(raw)
            digest.update(b"\0")
        for words in (self.ones, self.missing):
            digest.update(b"-" if words is None else np.ascontiguousarray(words).astype("<u8").tobytes())
        return digest.hexdigest()


def _check_length(what: str, given: int, needed: int, of: str, source: str) -> None:
    if given != needed:
        raise InputError(
            f"{given} {what} were given for {needed} {of}",
            source=source,
            rule="there must be one for each",
            fix="give as many as there are, or none",
        )


def _flags(
    array: NDArray[Any], names: Sequence[str], source: str
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Split an array of 0, 1 and NaN into the cells that are one and those that are missing."""
    if array.dtype == np.bool_:
        return array, np.zeros(array.shape, dtype=np.bool_)
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        numbers = None
    if numbers is not None:
        missing = np.isnan(numbers)
        ones = numbers == 1.0
        wrong = ~(missing | ones | (numbers == 0.0))
    else:
        missing = np.array([[_is_missing(v) for v in line] for line in array], dtype=np.bool_)
        ones = np.array([[_equals(v, 1) for v in line] for line in array], dtype=np.bool_)
        zeros = np.array([[_equals(v, 0) for v in line] for line in array], dtype=np.bool_)
        wrong = ~(missing | ones | zeros)
    if wrong.any():
        row, column = (int(i) for i in np.argwhere(wrong)[0])
        raise InputError(
            "is not a yes/no value",
            source=source,
            row=row + 1,
            column=str(names[column]),
            value=array[row, column].item() if hasattr(array[row, column], "item") else array[row, column],
            rule="cells are 0, 1 or NaN (missing)",
            fix="threshold or recode the column first",
        )
    return ones, missing


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _equals(value: object, number: int) -> bool:
    return isinstance(value, (int, float, np.number, np.bool_)) and bool(value == number)
