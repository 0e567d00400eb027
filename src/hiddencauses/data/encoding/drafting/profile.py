"""What is seen in each raw column, gathered in one pass: values with counts, numbers, dates, prose."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.encoding.decode import distinct_values
from hiddencauses.data.encoding.encoding import MISSING_CODES
from hiddencauses.data.encoding.words import as_text, code_key, looks_like_date, looks_like_prose, read_number
from hiddencauses.data.raw import RawSource

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MOST_VALUES", "ColumnProfile", "profile_columns"]

#: Distinct values that are counted; a column with more is a measurement, an identifier or prose.
MOST_VALUES = 2000

_EMPTY = frozenset(code_key(code) for code in MISSING_CODES)


@dataclass(slots=True)
class ColumnProfile:
    """What was seen in one raw column.

    Attributes
    ----------
    name
        The column's name.
    n_rows
        Rows seen.
    counts
        Rows with each value, in order of appearance, spelled as first seen; at most `MOST_VALUES`.
    empty
        Rows with nothing, NA, NaN or null.
    overflow
        Whether there were more distinct values than were counted.
    dates, prose, numbers
        Among the counted values, how many are dates, too long to be a code, or numbers.
    nested
        Whether cells hold lists or records rather than single values.
    """

    name: str
    n_rows: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    empty: int = 0
    overflow: bool = False
    dates: int = 0
    prose: int = 0
    numbers: dict[str, float] = field(default_factory=dict)
    nested: bool = False
    _spelling: dict[str, str] = field(default_factory=dict)

    @property
    def n_values(self) -> int:
        """How many distinct values were counted."""
        return len(self.counts)

    @property
    def n_filled(self) -> int:
        """Rows with a value."""
        return self.n_rows - self.empty

    def add(self, column: pa.Array) -> None:
        """Take in one batch of the column."""
        import pyarrow as pa

        self.n_rows += len(column)
        if self.overflow:  # neither its values nor their counts will be shown
            self.empty += column.null_count
            return
        try:
            values, place = distinct_values(column)
        except pa.ArrowNotImplementedError:
            self.nested = True
            return
        times = np.bincount(place, minlength=len(values))
        # In order of first appearance; a dictionary column may list values that no row has.
        for value, n in zip(values, times.tolist(), strict=True):
            if n:
                self._count(value, n)

    def _count(self, value: object, n: int) -> None:
        text = as_text(value)
        key = text.casefold()
        if key in _EMPTY:
            self.empty += n
        elif key in self._spelling:
            self.counts[self._spelling[key]] += n
        elif len(self.counts) >= MOST_VALUES:
            self.overflow = True
        else:
            self._spelling[key] = text
            self.counts[text] = n
            number = read_number(text)
            if looks_like_date(value) or looks_like_date(text):
                self.dates += 1
            elif number is not None:
                self.numbers[text] = number
            elif looks_like_prose(text):
                self.prose += 1

    def commonest(self, n: int) -> list[tuple[str, int]]:
        """Return the commonest values with their counts."""
        return Counter(self.counts).most_common(n)


def profile_columns(raw: RawSource) -> tuple[ColumnProfile, ...]:
    """Go through a raw source once and say what each column holds."""
    profiles = tuple(ColumnProfile(name) for name in raw.columns)
    for batch in raw.batches:
        for profile, column in zip(profiles, batch.columns, strict=True):
            profile.add(column)
    return profiles
