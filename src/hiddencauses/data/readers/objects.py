"""Python objects of mixed kinds (object arrays, spreadsheet cells) as Arrow columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["arrow_from_objects"]


def arrow_from_objects(values: Sequence[object]) -> pa.Array:
    """Make an Arrow array; values of mixed kinds become words, missing ones (None, NaN, NA) null."""
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([_word(value) for value in values], type=pa.string())


def _word(value: object) -> str | None:
    if value is None or (isinstance(value, float) and value != value):
        return None
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    text = value if isinstance(value, str) else str(value)
    return text.encode("utf-8", errors="replace").decode("utf-8")
