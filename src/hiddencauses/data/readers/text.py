"""Text tables: CSV, TSV and their like, plain or gzip-compressed, streamed in batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from hiddencauses.data.labels import name_the_index
from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.header import read_header
from hiddencauses.data.readers.textbytes import TextBytes
from hiddencauses.errors import InputError
from hiddencauses.validation import check_delimiter, check_names, check_size

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["open_text"]

#: Small blocks keep the peak low; measured on 1,000,000 × 200, larger ones are no faster.
BLOCK = 2 << 20
#: A block holds at least this many rows as wide as the header, or a wide table would come row by row.
ROWS_PER_BLOCK = 64
#: A single row beyond this is a quote left open or not a table.
BLOCK_LIMIT = 256 << 20


def open_text(raw: BinaryIO, name: str, *, delimiter: str | None = None, gzipped: bool = False) -> RawSource:
    """Open a text table. Every column comes as strings, dictionary-encoded batch by batch."""
    if delimiter is not None:
        delimiter = check_delimiter(delimiter)
    text = TextBytes(raw, name, must_be_gzip=gzipped)
    header, delimiter = read_header(text, name, delimiter)
    header, index = name_the_index(header)
    check_size(1, len(header), name)
    columns = check_names(header, name)
    if len(columns) == 1:
        text.ignore_final_blank_line()
    return RawSource(
        name, columns, _batches(text, name, columns, delimiter), id_column=index, untyped=True, stream=raw
    )


def _batches(
    text: TextBytes, name: str, columns: tuple[str, ...], delimiter: str
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa
    from pyarrow import csv

    # pyarrow looks columns up by name and ours may be anything, so it works with their numbers.
    numbers = [str(i) for i in range(len(columns))]
    word = pa.dictionary(pa.int32(), pa.string())
    ragged: list[Any] = []

    def refuse(row: Any) -> str:
        ragged.append(row)
        return "error"

    block = min(max(BLOCK, ROWS_PER_BLOCK * sum(len(c) + 1 for c in columns)), BLOCK_LIMIT)
    try:
        reader = csv.open_csv(
            pa.PythonFile(text, mode="r"),
            # One thread: with more, pyarrow cannot say which row is ragged, and it is no faster.
            read_options=csv.ReadOptions(use_threads=False, block_size=block, column_names=numbers),
            parse_options=csv.ParseOptions(
                delimiter=delimiter,
                newlines_in_values=True,
                ignore_empty_lines=len(columns) > 1,
                invalid_row_handler=refuse,
            ),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(numbers, word)),
        )
        for batch in reader:
            yield batch.rename_columns(list(columns))
    except pa.ArrowInvalid as error:
        if text.failure is not None:
            raise text.failure from None
        if "Empty CSV file" in str(error):
            return  # a header and no rows: whoever builds the table says so
        raise _explained(error, name, len(columns), ragged, block) from None
    finally:
        text.close()


def _explained(error: Exception, name: str, width: int, ragged: list[Any], block: int) -> InputError:
    """Turn what pyarrow says about the rows into one clear line."""
    if ragged:
        row = ragged[0]
        fix = "check for a stray delimiter, an unquoted delimiter inside a cell, or a quote left open"
        if row.number == 1 and row.actual_columns == width + 1:
            fix = "if the first column holds row names, the header must have a name for it too"
        return InputError(
            f"has {row.actual_columns} cell{'s' * (row.actual_columns != 1)} where the header has {width}",
            source=name,
            row=row.number,
            rule="every row is as long as the header",
            fix=fix,
        )
    if "straddling" in str(error):
        return InputError(
            f"a row is longer than {block >> 20} MB",
            source=name,
            rule="a quote that is opened must be closed on the same row",
            fix="look for a quote left open",
        )
    return InputError(
        f"cannot be read as a text table ({str(error).splitlines()[0]})",
        source=name,
        fix="check that this is a text table",
    )
