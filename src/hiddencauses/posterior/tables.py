"""Tables that answers are asked for: whatever `read_table` takes."""

from __future__ import annotations

from typing import Any

from hiddencauses.data.readers import read_table
from hiddencauses.data.table import Table
from hiddencauses.data.warning import without_oddities

__all__ = ["as_table"]


def as_table(table: Any) -> Table:
    """Return a table, read where it is not one yet.

    Without warnings of constant columns and empty rows, which matter to a fit and not to an answer.
    """
    if isinstance(table, Table):
        return table
    with without_oddities():
        return read_table(table)
