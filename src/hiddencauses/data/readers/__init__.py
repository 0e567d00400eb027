"""Readers: whatever holds a table, made into a `RawSource` or straight into a `Table`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiddencauses.data.raw import RawSource

__all__ = ["open_raw"]


def open_raw(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 - the word users expect
    delimiter: str | None = None,
) -> RawSource:
    """Open anything that holds named columns as a stream of raw batches, not yet read as yes/no cells."""
    from hiddencauses.data.readers.files import open_file

    return open_file(source, wanted=format, delimiter=delimiter)
