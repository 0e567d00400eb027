"""Groups of variables of which exactly one is 1 in every row, as the levels of a category are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hiddencauses.data.inspection.pairs import PairCounts
from hiddencauses.data.table import Table

__all__ = ["exclusive_groups"]

#: A pair of variables counts as keeping apart when so many common rows were to be expected.
_EXPECTED = 5.0


def exclusive_groups(table: Table, counts: PairCounts) -> tuple[tuple[str, ...], ...]:
    """Find groups of variables of which exactly one is 1 in every row, as far as is known.

    The search is greedy, from the commonest variable on: it may miss groups that share variables.
    """
    if len(counts.variables) < 2:
        return ()
    apart = (counts.both == 0) & (counts.expected() > 0)
    np.fill_diagonal(apart, False)
    total = np.diag(counts.first)
    order = [int(i) for i in np.argsort(-total, kind="stable")]
    groups, used = [], np.zeros(len(total), dtype=np.bool_)
    for start in order:
        if used[start]:
            continue
        group, candidates = [start], apart[start] & ~used
        for i in order:
            if candidates[i]:
                group.append(i)
                candidates &= apart[i]
        members = counts.variables[sorted(group)]
        if len(group) > 1 and _surely_apart(counts, group) and _covers(table, members):
            groups.append(tuple(table.columns[i] for i in members))
            used[group] = True
    return tuple(groups)


def _surely_apart(counts: PairCounts, group: list[int]) -> bool:
    """Tell whether the group would have met by chance."""
    expected = counts.expected()[np.ix_(group, group)]
    return float(np.triu(expected, 1).sum()) >= _EXPECTED


def _covers(table: Table, members: NDArray[np.int64]) -> bool:
    """Tell whether every row has exactly one of the members, or may have it among its missing cells."""
    ones = table.ones[members]
    union = np.bitwise_or.reduce(ones, axis=0)
    n_union = int(np.bitwise_count(union).sum())
    if n_union != int(np.bitwise_count(ones).sum()):  # pairs were counted on a part of the rows
        return False
    if table.missing is None:
        return n_union == table.n_rows
    unknown = np.bitwise_or.reduce(table.missing[members], axis=0)
    return (
        2 * n_union >= table.n_rows
        and n_union + int(np.bitwise_count(unknown & ~union).sum()) == table.n_rows
    )
