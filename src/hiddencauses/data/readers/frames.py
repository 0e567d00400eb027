"""Data frames of any library: narwhals tells them apart, Arrow carries their columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hiddencauses.data.labels import ROW_ID, free_name
from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.columnar import raw_from_schema
from hiddencauses.data.readers.objects import arrow_from_objects
from hiddencauses.errors import InputError
from hiddencauses.validation import check_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["open_frame"]

ROWS_PER_BATCH = 1 << 15


def open_frame(source: Any, name: str) -> RawSource | None:
    """Open a data frame (pandas, polars, pyarrow, lazy ones, …); None if it is not one.

    A pandas index that is not simply 0, 1, 2, … becomes the row ids.
    """
    import narwhals.stable.v2 as nw
    import pyarrow as pa

    if isinstance(source, pa.RecordBatch):
        source = pa.Table.from_batches([source])
    if isinstance(source, pa.Table):
        return raw_from_schema(source.schema, _batches(source), name)
    labels: list[str] | None = None
    index_name: object = None
    if nw.dependencies.is_pandas_like_dataframe(source):
        labels, index_name = _index_labels(source.index, name)
        columns = check_names([str(column) for column in source.columns], name)
        source = source.set_axis(list(columns), axis=1)
    frame = nw.from_native(source, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect(backend="pyarrow")
    if not isinstance(frame, nw.DataFrame):
        return None
    header = check_names([str(column) for column in frame.columns], name)
    arrays = [_arrow(frame.get_column(column)) for column in frame.columns]
    id_column = None
    if labels is not None:
        id_column = free_name(str(index_name) if index_name is not None else ROW_ID, header)
        header, arrays = (id_column, *header), [pa.chunked_array([pa.array(labels, pa.string())]), *arrays]
    table = pa.table(arrays, names=list(header))
    return RawSource(name, header, _batches(table), id_column=id_column)


def _batches(table: pa.Table) -> Iterator[pa.RecordBatch]:
    return iter(table.to_batches(max_chunksize=ROWS_PER_BATCH))


def _arrow(series: Any) -> pa.ChunkedArray:
    """Convert a column; one that Arrow refuses (words among numbers) goes value by value."""
    import pyarrow as pa

    try:
        array = series.to_arrow()
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        array = arrow_from_objects(series.to_list())
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _index_labels(index: Any, name: str) -> tuple[list[str] | None, object]:
    if getattr(index, "nlevels", 1) > 1:
        raise InputError(
            f"has an index of {index.nlevels} levels",
            source=name,
            rule="rows have one name each",
            fix="call .reset_index() and name the id column",
        )
    if type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1):
        return None, None
    return [
        "" if missing else str(label) for label, missing in zip(index, index.isna(), strict=True)
    ], index.name
