"""xarray: arrays whose rows and columns have coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.arrays import open_array
from hiddencauses.errors import InputError

__all__ = ["is_xarray", "open_xarray"]


def is_xarray(source: object) -> bool:
    """Tell an xarray object without importing xarray."""
    return type(source).__module__.partition(".")[0] == "xarray"


def open_xarray(source: Any, name: str) -> RawSource:
    """Open a two-dimensional DataArray: the first dimension is rows, coordinates are names."""
    if type(source).__name__ != "DataArray":
        raise InputError(
            f"is an xarray {type(source).__name__}, which may hold several arrays",
            source=name,
            rule="a table is one DataArray of two dimensions",
            fix="pass one of its arrays, for example dataset['name'] or dataset.to_dataarray()",
        )
    if source.ndim != 2:
        return open_array(np.asarray(source.values), name)
    row_ids, columns = (
        [str(label) for label in source.coords[dim].values.tolist()] if dim in source.coords else None
        for dim in source.dims
    )
    return open_array(np.asarray(source.values), name, columns=columns, row_ids=row_ids)
