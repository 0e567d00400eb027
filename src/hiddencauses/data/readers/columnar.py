"""Columnar files: Parquet and Arrow (Feather), streamed batch by batch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from hiddencauses.data.labels import ROW_ID, free_name
from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.guard import drawn, reading
from hiddencauses.errors import InputError
from hiddencauses.validation import check_names, check_size

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["METADATA_KEY", "open_arrow", "open_parquet", "raw_from_schema"]

#: Under this key our own writer notes which columns are row ids and carried.
METADATA_KEY = b"hiddencauses"
#: Values decoded at a time, so that the peak does not grow with the width of the table.
VALUES_PER_BATCH = 1 << 22
PARQUET, ARROW = "a Parquet file", "an Arrow (Feather) file"


def open_parquet(stream: BinaryIO, name: str) -> RawSource:
    """Open a Parquet file; rows come a few thousand at a time."""
    from pyarrow import parquet

    with reading(name, PARQUET):
        # Without pre-buffering only the pages in use are in memory.
        file = parquet.ParquetFile(stream, pre_buffer=False, page_checksum_verification=True)
        schema = file.schema_arrow
        rows = max(64, min(1 << 16, VALUES_PER_BATCH // max(1, len(schema))))
        batches = _validated(file.iter_batches(batch_size=rows, use_threads=False))
    return raw_from_schema(schema, drawn(batches, name, PARQUET), name, stream)


def open_arrow(stream: BinaryIO, name: str) -> RawSource:
    """Open an Arrow IPC file (Feather version 2) or stream."""
    import pyarrow as pa

    with reading(name, ARROW):
        head = stream.read(6)
        stream.seek(0)
        if head.startswith(b"FEA1"):
            raise InputError(
                "is a Feather file of version 1",
                source=name,
                rule="Feather means Arrow files (version 2)",
                fix="write it again with a current pyarrow or pandas",
            )
        if head == b"ARROW1":
            file = pa.ipc.open_file(stream)
            batches: Iterator[pa.RecordBatch] = (file.get_batch(i) for i in range(file.num_record_batches))
            schema = file.schema
        else:
            reader = pa.ipc.open_stream(stream)
            batches, schema = iter(reader), reader.schema
    return raw_from_schema(schema, drawn(_validated(batches), name, ARROW), name, stream)


def _validated(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Check offsets, indices and text: Arrow trusts them, and a damaged file would be read out of bounds."""
    for batch in batches:
        batch.validate(full=True)
        yield batch


def raw_from_schema(
    schema: pa.Schema, batches: Iterator[pa.RecordBatch], name: str, stream: BinaryIO | None = None
) -> RawSource:
    """Make a raw source of Arrow batches, with what the schema's metadata say about index and roles."""
    with reading(name, "a table"):
        columns = [str(column) for column in schema.names]  # which need not be text in a damaged file
    check_size(1, len(columns), name)
    id_column, carried = _stated_roles(schema.metadata or {}, columns, name)
    if id_column is not None and id_column.startswith("__index_level_"):
        renamed = free_name(ROW_ID, columns)
        columns[columns.index(id_column)] = renamed
        id_column = renamed
    checked = check_names(columns, name)

    def renamed_batches() -> Iterator[pa.RecordBatch]:
        try:
            for batch in batches:
                yield batch.rename_columns(list(checked))
        finally:
            if stream is not None:
                stream.close()

    return RawSource(name, checked, renamed_batches(), id_column=id_column, carried=carried, stream=stream)


def _stated_roles(
    metadata: dict[bytes, bytes], columns: list[str], name: str
) -> tuple[str | None, tuple[str, ...]]:
    """Read our own note, or what pandas says of its index; what does not make sense is passed over."""
    ours = _json(metadata.get(METADATA_KEY))
    if ours:
        id_column, carried = ours.get("id_column"), ours.get("carried")
        carried = carried if isinstance(carried, list) else []
        return (
            id_column if isinstance(id_column, str) and id_column in columns else None,
            tuple(column for column in carried if isinstance(column, str) and column in columns),
        )
    index = _json(metadata.get(b"pandas")).get("index_columns")
    levels = [level for level in index if isinstance(level, str)] if isinstance(index, list) else []
    levels = [level for level in levels if level in columns]
    if len(levels) > 1:
        raise InputError(
            f"has an index of {len(levels)} levels",
            source=name,
            rule="rows have one name each",
            fix="call .reset_index() before you write it, and name the id column",
        )
    return (levels[0] if levels else None), ()


def _json(text: bytes | None) -> dict[str, Any]:
    try:
        value = json.loads(text or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
