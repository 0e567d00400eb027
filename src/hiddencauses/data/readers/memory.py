"""Tables in memory: told apart and handed to the reader of their kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.arrays import open_array
from hiddencauses.data.readers.frames import open_frame
from hiddencauses.data.readers.labelled import is_xarray, open_xarray
from hiddencauses.data.readers.sparse import is_sparse, open_sparse
from hiddencauses.data.table import Table
from hiddencauses.data.unpacked import table_batches, table_header
from hiddencauses.errors import InputError

__all__ = ["open_memory"]

#: What a table without a file is called in messages.
IN_MEMORY = "table"


def open_memory(source: Any) -> RawSource:
    """Open rows in lists, an array, a data frame, a sparse matrix, a DataArray or a `Table`."""
    if isinstance(source, Table):
        header = table_header(source)
        return RawSource(
            source.source, header.columns, table_batches(source), header.id_column, header.carried
        )
    if isinstance(source, np.ndarray):
        return open_array(_unmasked(source), IN_MEMORY)
    if isinstance(source, (list, tuple)):
        return open_array(np.array(source, dtype=object), IN_MEMORY)
    if is_sparse(source):
        return open_sparse(source, IN_MEMORY)
    if is_xarray(source):
        return open_xarray(source, IN_MEMORY)
    raw = open_frame(source, IN_MEMORY)
    if raw is not None:
        return raw
    raise InputError(
        f"a {type(source).__name__} is not a table",
        rule="give a path, rows in lists, an array, a data frame, a sparse matrix or a DataArray",
        fix="turn it into one of these first",
    )


def _unmasked(array: Any) -> np.ndarray[Any, Any]:
    """Make masked cells missing."""
    if not isinstance(array, np.ma.MaskedArray):
        return np.asarray(array)
    masked: Any = array
    numeric = array.dtype.kind in "biuf"
    return np.asarray(masked.astype(np.float64 if numeric else object).filled(np.nan if numeric else None))
