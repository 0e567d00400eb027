"""Labels that sources leave unnamed: the index column that pandas and R write without a header."""

from __future__ import annotations

from collections.abc import Container

__all__ = ["ROW_ID", "free_name", "name_the_index"]

#: What a column of row names is called when its source does not name it.
ROW_ID = "row_id"


def free_name(wanted: str, taken: Container[str]) -> str:
    """Return `wanted`, with underscores put after it until nothing else has that name."""
    while wanted in taken:
        wanted += "_"
    return wanted


def name_the_index(header: list[str]) -> tuple[list[str], str | None]:
    """Name a first column that has no name, as pandas and R write row names; return its name, if any."""
    if len(header) > 1 and not header[0].strip():
        index = free_name(ROW_ID, header[1:])
        return [index, *header[1:]], index
    return header, None
