"""Readers: whatever holds a table, made into a `RawSource`, or read as yes/no cells into a `Table`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hiddencauses.data.raw import RawSource
from hiddencauses.data.table import Table
from hiddencauses.errors import InputError, UserError
from hiddencauses.validation import check_choice

if TYPE_CHECKING:
    from typing import Literal

__all__ = ["open_raw", "read_table"]


def read_table(
    source: Any,
    *,
    id_column: str | None = None,
    carry: Sequence[str] = (),
    count_column: str | None = None,
    item_column: str | None = None,
    layout: Literal["cells", "events"] = "cells",
    format: str | None = None,  # noqa: A002 - the word users expect
    delimiter: str | None = None,
    drop_constant: bool = False,
) -> Table:
    """Read a table of yes/no observations from a file or from memory.

    Cells are 0/1, true/false, t/f, yes/no, y/n, present/absent; empty, NA, NaN and null are missing.

    Parameters
    ----------
    source
        A path (`-` is standard input, read as text): CSV, TSV and their like, plain or gzip-compressed;
        Parquet; Feather and Arrow; `.npy`, `.npz`; Matrix Market; and, with the extra `formats`, Excel,
        Stata and SPSS. Or a NumPy array, a data frame (pandas, polars, pyarrow, …), a scipy sparse
        matrix, an xarray DataArray, or a `Table`, which is returned as it is.
    id_column
        The column of row names. When none is named, a pandas index other than 0, 1, 2, … and a first
        column without a name are taken as such; when one is named, they are left out.
    carry
        Columns to keep with the rows without modelling them.
    count_column
        The column that says how often a row occurred; the row is repeated as often (0 drops it). The
        repeats of row `a` are called `a.1`, `a.2`, ….
    item_column
        For event lists: the column of items.
    layout
        "cells": a row per observation. "events": a line per (id, item); by default the first two columns.
    format
        The format, when the file's name does not tell it: text, parquet, arrow, npy, npz, mtx, xlsx,
        stata or spss.
    delimiter
        What separates the cells of a text table; guessed from its first lines when left out.
    drop_constant
        Drop the variables that never vary. By default they are kept, with a warning.
    """
    from hiddencauses.data.warning import warn_about, without_constant_columns

    check_choice("layout", layout, ("cells", "events"))
    if isinstance(carry, str):
        carry = (carry,)
    if layout == "cells" and item_column is not None:
        raise UserError('an item column was given; only event lists have one: say layout="events"')
    if layout == "events" and count_column is not None:
        raise UserError(
            "a count column was given; event lists have none, since repeated lines change nothing"
        )
    if isinstance(source, Table):
        if id_column or carry or count_column or layout == "events":
            raise UserError(
                "a built-in table, and any Table, has its row ids and carried columns already; ask for none, "
                "or give its file or frame instead"
            )
        table = source
    else:
        raw = open_raw(source, format=format, delimiter=delimiter)
        try:
            table = _assembled(raw, layout, id_column, tuple(carry), count_column, item_column)
        except MemoryError:
            raise InputError(
                "does not fit in memory", source=raw.name, fix="read it on a larger machine, or in parts"
            ) from None
        finally:
            raw.close()
    if drop_constant:
        table = without_constant_columns(table)
    warn_about(table)
    return table


def open_raw(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 - the word users expect
    delimiter: str | None = None,
) -> RawSource:
    """Open anything that holds named columns as a stream of raw batches, not yet read as yes/no cells.

    Parameters
    ----------
    source, format, delimiter
        As for `read_table`.
    """
    if isinstance(source, (str, os.PathLike)):
        from hiddencauses.data.readers.files import open_file

        return open_file(source, wanted=format, delimiter=delimiter)
    if format is not None or delimiter is not None:
        raise UserError("a format or delimiter was given; only files have one")
    from hiddencauses.data.readers.memory import open_memory

    return open_memory(source)


def _assembled(
    raw: RawSource,
    layout: str,
    id_column: str | None,
    carry: tuple[str, ...],
    count_column: str | None,
    item_column: str | None,
) -> Table:
    if layout == "events":
        from hiddencauses.data.events import assemble_events

        return assemble_events(raw, id_column=id_column, item_column=item_column, carry=carry)
    from hiddencauses.data.assemble import assemble

    return assemble(raw, id_column=id_column, carry=carry, count_column=count_column)
