"""Holding out: cells or rows of a table that a fit is not shown, to be predicted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.bits import pack_rows
from hiddencauses.data.table import MISSING, Table
from hiddencauses.rng import Purpose, stream
from hiddencauses.validation import check_at_least, check_folds

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["cell_folds", "row_folds", "with_hidden", "with_rows"]


def cell_folds(table: Table, folds: int, seed: int) -> list[NDArray[np.bool_]]:
    """Divide the cells that are there into equal parts at random, each told as rows × variables."""
    folds = check_at_least("folds", folds, 2)
    there = table.codes() != MISSING
    where = np.flatnonzero(there)
    order = stream(seed, Purpose.HELD_OUT).permutation(len(where))
    parts = []
    for part in np.array_split(where[order], folds):
        held = np.zeros(there.size, dtype=np.bool_)
        held[part] = True
        parts.append(held.reshape(there.shape))
    return parts


def row_folds(table: Table, folds: int, seed: int) -> list[NDArray[np.int64]]:
    """Divide rows into equal parts at random: the places of each part's rows, in order."""
    folds = check_folds(check_at_least("folds", folds, 2), table.n_rows)
    order = stream(seed, Purpose.HELD_OUT, block=1).permutation(table.n_rows)
    return [np.sort(part) for part in np.array_split(order, folds)]


def with_hidden(table: Table, held: NDArray[np.bool_]) -> Table:
    """Return the table with some cells missing."""
    hidden = pack_rows(held)
    missing = hidden if table.missing is None else table.missing | hidden
    return replace(table, ones=table.ones & ~hidden, missing=missing if missing.any() else None)


def with_rows(table: Table, places: NDArray[np.int64]) -> Table:
    """Return the table with only these rows; carried columns are left behind."""
    codes = table.codes()[places]
    cells = np.where(codes == MISSING, np.nan, codes)
    ids = None if table.row_ids is None else [table.row_ids[r] for r in places]
    return Table.from_array(cells, columns=table.columns, row_ids=ids, source=table.source)
