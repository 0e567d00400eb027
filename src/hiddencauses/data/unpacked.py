"""A table taken out of its bits again, as Arrow batches with row ids and carried columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddencauses.data.bits import WORD
from hiddencauses.data.carried import one_chunk
from hiddencauses.data.labels import ROW_ID, free_name
from hiddencauses.data.table import MISSING, Table

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Header", "table_batches", "table_header"]

_CELLS_PER_BATCH = 1 << 22


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a table as they are written: row ids first, then variables, then carried ones."""

    columns: tuple[str, ...]
    id_column: str | None
    carried: tuple[str, ...]


def table_header(table: Table) -> Header:
    """Name the columns of a table, the row ids among them."""
    carried = () if table.carried is None else tuple(table.carried.column_names)
    named = (*table.columns, *carried)
    if table.row_ids is None:
        return Header(named, None, carried)
    id_column = free_name(ROW_ID, named)
    return Header((id_column, *named), id_column, carried)


def table_batches(table: Table) -> Iterator[pa.RecordBatch]:
    """Go through a table as Arrow batches: cells are booleans, null where missing."""
    import pyarrow as pa

    names = list(table_header(table).columns)
    step = max(WORD, _CELLS_PER_BATCH // table.n_variables // WORD * WORD)
    for start in range(0, table.n_rows, step):
        codes = table.codes(start, start + step)
        arrays = [pa.array(line == 1, mask=line == MISSING) for line in codes.T.copy()]
        if table.row_ids is not None:
            arrays.insert(0, pa.array(table.row_ids[start : start + step], type=pa.string()))
        if table.carried is not None:
            part = table.carried.slice(start, len(codes))
            arrays += [one_chunk(column) for column in part.columns]
        yield pa.record_batch(arrays, names=names)
