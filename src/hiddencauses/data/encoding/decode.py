"""Turn one batch of a raw column into cells, one value at a time but each distinct value once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.encoding.encoding import Encoding
from hiddencauses.data.encoding.words import as_text, looks_like_date, looks_like_prose
from hiddencauses.data.table import MISSING
from hiddencauses.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["Decoder", "distinct_values"]

_LISTS = {
    "binary": "yes, no or missing",
    "graded": "levels or missing",
    "sided": "left, right, both, none or missing",
    "category": "levels, none or missing",
    "numeric": "missing",
}


def distinct_values(column: pa.Array) -> tuple[list[Any], NDArray[np.int64]]:
    """Return the distinct values of a column, None last, and for each row the place of its value."""
    import pyarrow as pa

    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    if pa.types.is_dictionary(column.type) and len(column.dictionary) > len(column):
        column = column.dictionary.take(column.indices)  # a large dictionary, little of it in use here
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    values = column.dictionary.to_pylist()
    indices = column.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    return [*values, None], indices.astype(np.int64)


class Decoder:
    """Turns raw columns into cells by the rules of an encoding, remembering each value it has met."""

    #: Values remembered for each column; a column of measurements may have a million.
    LIMIT = 10_000

    def __init__(self, encoding: Encoding, source: str, *, fitted: bool) -> None:
        self._encoding, self._source, self._fitted = encoding, source, fitted
        self._known: dict[str, dict[str, tuple[int, ...] | None]] = {}

    def cells(self, name: str, column: pa.Array, first_row: int) -> NDArray[np.int8]:
        """Return rows × variables of 0, 1 and `MISSING`; an unknown value is an `InputError`."""
        values, place = self._distinct(name, column)
        found = [self._look_up(name, as_text(value)) for value in values]
        unknown = np.array([cells is None for cells in found])
        if unknown.any() and (wrong := np.flatnonzero(unknown[place])).size:
            row = int(wrong[0])
            raise self._unknown(name, values[place[row]], first_row + row)
        width = len(self._encoding.variable_rules()[name].variables(name))
        codes = np.array([cells or (MISSING,) * width for cells in found], dtype=np.int8)
        return codes[place]

    def missing(self, name: str, column: pa.Array) -> NDArray[np.bool_]:
        """Tell for each row whether its value means missing."""
        values, place = self._distinct(name, column)
        return np.array([self._encoding.is_missing(name, as_text(value)) for value in values])[place]

    def _distinct(self, name: str, column: pa.Array) -> tuple[list[Any], NDArray[np.int64]]:
        import pyarrow as pa

        try:
            return distinct_values(column)
        except pa.ArrowNotImplementedError:
            raise InputError(
                f"holds {column.type}, not single values",
                source=self._source,
                column=name,
                rule="a cell is a text, a number or yes/no",
                fix='set kind = "drop", or split the column first',
            ) from None

    def _look_up(self, name: str, text: str) -> tuple[int, ...] | None:
        known = self._known.setdefault(name, {})
        if text not in known:
            if len(known) >= self.LIMIT:
                known.clear()
            known[text] = self._encoding.cells(name, text)
        return known[text]

    def _unknown(self, name: str, value: object, row: int) -> InputError:
        rule = self._encoding.variable_rules()[name]
        text, leave = as_text(value), 'set kind = "drop" or "carry"'
        what, why, fix = f"is not a value that kind {rule.kind!r} knows here", rule.expected(), ""
        if looks_like_date(value):
            what, why, fix = (
                "is a date",
                "dates cannot be encoded as yes/no",
                f"{leave}, or compute a number first",
            )
        elif looks_like_prose(text):
            what, why, fix = (
                "is free text",
                "free text cannot be encoded as yes/no",
                f"{leave}, or code it first",
            )
        if not fix and self._fitted:
            fix = (
                f"recode it, list it as missing in {self._encoding.source}, or encode all data anew from TOML"
            )
        elif not fix:
            fix = (
                f"add it to {_LISTS[rule.kind]} under this column in {self._encoding.source}, "
                "or draft that file anew (inspect --draft)"
            )
        return InputError(what, source=self._source, row=row, column=name, value=text, rule=why, fix=fix)


def codes_to_batch(names: Sequence[str], cells: NDArray[np.int8]) -> dict[str, pa.Array]:
    """Return one boolean column for each variable, null where missing."""
    import pyarrow as pa

    return {name: pa.array(cells[:, i] == 1, mask=cells[:, i] == MISSING) for i, name in enumerate(names)}
