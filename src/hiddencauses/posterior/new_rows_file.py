"""Answers for new rows, written block by block: a million of them never exist all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from hiddencauses.files import atomic_write
from hiddencauses.validation import check_ending

if TYPE_CHECKING:
    import pyarrow as pa

    from hiddencauses.posterior.new_rows import NewRows

__all__ = ["ENDINGS", "write_new_rows"]


def write_new_rows(blocks: Iterable[NewRows], path: str | Path, *, force: bool = False) -> int:
    """Write answers for new rows; return how many rows there were.

    The file appears when it is whole.

    Parameters
    ----------
    blocks
        What `apply_in_blocks` yields.
    path
        Where: .csv, .tsv, .parquet, .feather or .arrow.
    force
        Whether a file that is there may be replaced.
    """
    open_writer = _WRITERS[check_ending(path, ENDINGS)]
    rows = 0
    with atomic_write(path, force=force) as stream, ExitStack() as open_until_the_end:
        writer: Any = None
        for block in blocks:
            frame = block.to_frame()
            if writer is None:
                writer = open_until_the_end.enter_context(open_writer(stream, frame.schema))
            writer.write_table(frame)
            rows += frame.num_rows
    return rows


def _csv(stream: BinaryIO, schema: pa.Schema) -> Any:
    from pyarrow import csv

    return csv.CSVWriter(stream, schema)


def _tsv(stream: BinaryIO, schema: pa.Schema) -> Any:
    from pyarrow import csv

    return csv.CSVWriter(stream, schema, write_options=csv.WriteOptions(delimiter="\t"))


def _parquet(stream: BinaryIO, schema: pa.Schema) -> Any:
    from pyarrow import parquet

    return parquet.ParquetWriter(stream, schema)


def _arrow(stream: BinaryIO, schema: pa.Schema) -> Any:
    import pyarrow as pa

    return pa.ipc.new_file(stream, schema)


_WRITERS: dict[str, Callable[[BinaryIO, pa.Schema], Any]] = {
    ".csv": _csv,
    ".tsv": _tsv,
    ".parquet": _parquet,
    ".feather": _arrow,
    ".arrow": _arrow,
}
#: What files of answers may end in.
ENDINGS = tuple(_WRITERS)
