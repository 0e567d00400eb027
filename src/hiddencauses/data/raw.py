"""A raw source: what every reader gives and what encoding and assembling take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["RawSource"]


@dataclass(frozen=True, slots=True)
class RawSource:
    """Named columns that arrive in batches of rows, not yet understood as yes/no cells.

    Attributes
    ----------
    name
        What to call the source in messages: the file's name, or "table".
    columns
        The header, checked: no name empty, none twice.
    batches
        Record batches in row order, columns in header order. A text file gives strings; typed sources
        give booleans, numbers, strings or dictionaries. To be gone through once.
    """

    name: str
    columns: tuple[str, ...]
    batches: Iterator[pa.RecordBatch]
