"""Cells: the words and numbers that mean yes, no and missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.table import MISSING

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["NOT_A_CELL", "cell_codes", "word_code"]

#: What `cell_codes` gives for a value that is none of yes, no and missing.
NOT_A_CELL = -2

_MEANING = {
    **dict.fromkeys(("1", "1.0", "true", "t", "yes", "y", "present"), 1),
    **dict.fromkeys(("0", "0.0", "false", "f", "no", "n", "absent"), 0),
    **dict.fromkeys(("", "na", "nan", "null"), MISSING),
}
_LONGEST = max(map(len, _MEANING))
#: What may stand around a word: blanks and the byte-order mark.
_AROUND = " \t\r\n\v\f\u00a0\ufeff"


def word_code(word: str) -> int:
    """Return what a word means as a cell: 1, 0, `MISSING` or `NOT_A_CELL`.

    Parameters
    ----------
    word
        The text of the cell, in any case, with or without blanks around it.
    """
    bare = word.strip(_AROUND)
    return _MEANING.get(bare.lower(), NOT_A_CELL) if len(bare) <= _LONGEST else NOT_A_CELL


def cell_codes(array: pa.Array) -> NDArray[np.int8]:
    """Return what each value of an Arrow array means as a cell: 1, 0, `MISSING` or `NOT_A_CELL`.

    Parameters
    ----------
    array
        Strings (plain or dictionary-encoded), booleans, numbers; of any other type only nulls count.
    """
    import pyarrow as pa

    kind = array.type
    if pa.types.is_dictionary(kind):
        return _dictionary_codes(array)
    if pa.types.is_boolean(kind):
        return _number_codes(array.cast(pa.uint8()))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _number_codes(array)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _dictionary_codes(array.dictionary_encode())
    if pa.types.is_string_view(kind):
        return _dictionary_codes(array.cast(pa.string()).dictionary_encode())
    if isinstance(array, pa.ExtensionArray):
        return cell_codes(array.storage)
    return _fill_missing(np.full(len(array), NOT_A_CELL, dtype=np.int8), array)


def _number_codes(array: pa.Array) -> NDArray[np.int8]:
    import pyarrow as pa

    if not pa.types.is_integer(array.type):
        array = array.cast(pa.float64())
    numbers = _as_numpy(array.fill_null(0) if array.null_count else array)
    codes = np.full(len(numbers), NOT_A_CELL, dtype=np.int8)
    codes[numbers == 0] = 0
    codes[numbers == 1] = 1
    if numbers.dtype.kind == "f":
        codes[np.isnan(numbers)] = MISSING
    return _fill_missing(codes, array)


def _dictionary_codes(array: Any) -> NDArray[np.int8]:
    """Look every distinct value up once."""
    import pyarrow as pa

    values, indices = array.dictionary, array.indices
    if len(values) > len(indices):  # a large dictionary, little of it in use here
        return cell_codes(values.take(indices))
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        meaning = [MISSING if word is None else word_code(word) for word in values.to_pylist()]
        codes = np.array([*meaning, MISSING], dtype=np.int8)
    else:
        codes = np.append(cell_codes(values), np.int8(MISSING))
    if indices.null_count:
        indices = indices.cast(pa.int64()).fill_null(len(values))
    looked_up: NDArray[np.int8] = codes[_as_numpy(indices)]
    return looked_up


def _fill_missing(codes: NDArray[np.int8], array: pa.Array) -> NDArray[np.int8]:
    import pyarrow as pa

    if array.null_count:
        codes[_as_numpy(array.is_null().cast(pa.uint8())) == 1] = MISSING
    return codes


def _as_numpy(array: pa.Array) -> NDArray[Any]:
    """View numbers without nulls; pyarrow's own `to_numpy` would import pandas."""
    return np.from_dlpack(array) if len(array) else np.empty(0, dtype=np.int8)
