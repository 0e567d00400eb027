"""A raw source: what every reader gives and what encoding and assembling take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

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
        Record batches in row order, columns in header order. A text file gives strings (as
        dictionaries); typed sources give booleans, numbers, strings or dictionaries. To be gone
        through once.
    id_column
        The column that the source itself says holds the rows' names (an index, an unnamed first
        column), or None.
    carried
        The columns that the source itself says are not yes/no variables.
    untyped
        Whether everything comes as text, so that the type of a carried column is told from its words.
    stream
        The open file beneath, if any.
    """

    name: str
    columns: tuple[str, ...]
    batches: Iterator[pa.RecordBatch]
    id_column: str | None = None
    carried: tuple[str, ...] = ()
    untyped: bool = False
    stream: BinaryIO | None = field(default=None, repr=False)

    def close(self) -> None:
        """Close the file beneath; needed only when the batches were not gone through."""
        if self.stream is not None:
            self.stream.close()
