"""Raw sources for tests: as a text file gives them, and as a typed frame does."""

import pyarrow as pa

from hiddencauses.data.raw import RawSource


def text_source(columns, name="raw.csv", rows_per_batch=None):
    """Make a source of strings, in batches of so many rows, as a text file gives it."""
    return typed_source(
        {key: [None if v is None else str(v) for v in values] for key, values in columns.items()},
        name,
        rows_per_batch,
        untyped=True,
    )


def typed_source(columns, name="table", rows_per_batch=None, *, untyped=False):
    """Make a source whose columns have the types that Arrow gives their values."""
    if untyped:
        table = pa.table({key: pa.array(values, pa.string()) for key, values in columns.items()})
    else:
        table = pa.table(columns)
    batches = table.to_batches(max_chunksize=rows_per_batch)
    return RawSource(name, tuple(columns), iter(batches), untyped=untyped)
