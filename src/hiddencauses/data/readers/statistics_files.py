"""Stata (`.dta`) and SPSS (`.sav`) files, with the extra `formats`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.extras import needed
from hiddencauses.data.readers.guard import reading
from hiddencauses.data.readers.objects import arrow_from_objects
from hiddencauses.validation import check_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["open_statistics_file"]

_READERS = {"stata": ("read_dta", "a Stata file"), "spss": ("read_sav", "an SPSS file")}
ROWS_PER_BATCH = 1 << 15


def open_statistics_file(stream: BinaryIO, name: str, kind: str) -> RawSource:
    """Open a Stata or SPSS file: codes as stored (no value labels), user-defined missing codes missing."""
    path = stream.name
    stream.close()
    pyreadstat = needed("pyreadstat", "pyreadstat", name)
    function, shown = _READERS[kind]
    with reading(name, shown):
        read = getattr(pyreadstat, function)
        _, stated = read(path, metadataonly=True, output_format="dict")
        # The library makes room for as many rows as the header announces, which a damaged one does absurdly.
        room = _cells_per_byte(path) * Path(path).stat().st_size
        if (stated.number_rows or 0) * stated.number_columns > room:  # some SPSS files do not say
            raise ValueError(
                f"its header announces {stated.number_rows} rows; the file is too short for them"
            )
        data, _ = read(path, output_format="dict")
        lists = {str(column): list(values) for column, values in data.items()}
    columns = check_names(list(lists), name)
    return RawSource(name, columns, _batches(lists, columns))


def _cells_per_byte(path: str) -> int:
    """Bound how many cells a byte of the file can hold: zlib, in SPSS files of kind 3, goes to 1032 to 1."""
    with Path(path).open("rb") as stream:
        return 1100 if stream.read(4) == b"$FL3" else 1


def _batches(lists: dict[str, list[object]], columns: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    n_rows = max((len(values) for values in lists.values()), default=0)
    for start in range(0, n_rows, ROWS_PER_BATCH):
        arrays = [arrow_from_objects(lists[column][start : start + ROWS_PER_BATCH]) for column in columns]
        yield pa.record_batch(arrays, names=list(columns))
