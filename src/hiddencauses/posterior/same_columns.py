"""New rows must have the variables of the fitted table; their order does not matter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.bits import pack_rows
from hiddencauses.validation import check_same_columns

if TYPE_CHECKING:
    from hiddencauses.data.table import Table

__all__ = ["with_columns_of"]


def with_columns_of(table: Table, columns: tuple[str, ...], *, missing_columns_are_unobserved: bool) -> Table:
    """Return a table's variables in the order of `columns`.

    Parameters
    ----------
    table
        New rows.
    columns
        The variables of the fitted table.
    missing_columns_are_unobserved
        Whether a variable that the new rows lack is taken as missing in all of them, not refused.
    """
    absent = check_same_columns(
        table.columns, columns, table.source, may_lack_some=missing_columns_are_unobserved
    )
    if not absent:
        return table if table.columns == columns else table.with_variables(columns)
    all_rows = pack_rows(np.ones((table.n_rows, len(absent)), dtype=np.bool_))
    missing = np.zeros_like(table.ones) if table.missing is None else table.missing
    widened = replace(
        table,
        ones=np.concatenate([table.ones, np.zeros_like(all_rows)]),
        missing=np.concatenate([missing, all_rows]),
        columns=(*table.columns, *absent),
    )
    return widened.with_variables(columns)
