"""Excel workbooks (`.xlsx`), with the extra `formats`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

from hiddencauses.data.labels import name_the_index
from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.extras import needed
from hiddencauses.data.readers.guard import reading
from hiddencauses.data.readers.objects import arrow_from_objects
from hiddencauses.errors import InputError
from hiddencauses.validation import check_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["open_xlsx"]

XLSX = "an Excel workbook (.xlsx)"
ROWS_PER_BATCH = 1 << 14


def open_xlsx(stream: BinaryIO, name: str) -> RawSource:
    """Open the first sheet of a workbook; its first row that is not blank is the header."""
    calamine = needed("python_calamine", "python-calamine", name)
    with stream, reading(name, XLSX):
        workbook = calamine.CalamineWorkbook.from_filelike(stream)
        rows = workbook.get_sheet_by_index(0).to_python(skip_empty_area=False)
    rows = [[_tidy(value) for value in row] for row in rows]
    filled = [i for i, row in enumerate(rows) if any(value is not None for value in row)]
    if not filled:
        raise InputError(
            "the first sheet is empty",
            source=name,
            rule="a table has a header and at least one row",
            fix="put the table on the first sheet",
        )
    body = rows[filled[0] : filled[-1] + 1]
    width = max(i + 1 for row in body for i, value in enumerate(row) if value is not None)
    header, index = name_the_index(["" if value is None else str(value) for value in body[0][:width]])
    columns = check_names(header, name)
    data = [row[:width] for row in body[1:] if width == 1 or any(value is not None for value in row)]
    return RawSource(name, columns, _batches(data, columns), id_column=index)


def _batches(data: Sequence[Sequence[object]], columns: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for start in range(0, len(data), ROWS_PER_BATCH):
        arrays = [
            arrow_from_objects(list(values))
            for values in zip(*data[start : start + ROWS_PER_BATCH], strict=True)
        ]
        yield pa.record_batch(arrays, names=list(columns))


def _tidy(value: object) -> object:
    """Make empty cells None, and whole numbers (Excel has only floats) whole."""
    if value == "":
        return None
    return int(value) if isinstance(value, float) and value.is_integer() else value
