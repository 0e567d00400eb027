"""Numbers by which tables are compared: how often variables are on, alone and together, and rows."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.table import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["kinds_and_names", "statistics"]


def statistics(codes: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return all numbers of a table, in the order of `kinds_and_names`.

    Shares of ones among the cells that are there; mean, standard deviation and largest of the rows' sums, and
    the share of rows without a one; the number of different rows; for each pair of variables the share of
    rows in which both are on among those in which both are there.
    """
    ones = (codes == 1).astype(np.float64)
    there = (codes != MISSING).astype(np.float64)
    rates = ones.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    sums = ones.sum(axis=1)
    whole = np.ascontiguousarray(codes).view(np.dtype((np.void, codes.shape[1])))
    first, second = np.triu_indices(codes.shape[1], 1)
    together = (ones.T @ ones)[first, second] / np.maximum((there.T @ there)[first, second], 1)
    of_rows = [sums.mean(), sums.std(), sums.max(), (sums == 0).mean(), len(np.unique(whole))]
    return np.concatenate([rates, of_rows, together])


def kinds_and_names(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return what each number is: its kind, and its name."""
    return [
        *(("variable rate", name) for name in columns),
        ("row sum", "mean"),
        ("row sum", "standard deviation"),
        ("row sum", "largest"),
        ("row sum", "share of rows without a one"),
        ("distinct rows", "number"),
        *(("co-occurrence", f"{one} and {other}") for one, other in combinations(columns, 2)),
    ]
