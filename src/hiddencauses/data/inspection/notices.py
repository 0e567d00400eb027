"""What in a table matters for the model, said before anything is fitted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddencauses.data.inspection.pairs import Pair
from hiddencauses.data.table import Table

__all__ = ["Notice", "notices"]

FEW_ROWS = 50
#: A variable that is 1 in more of its known cells than this is common.
COMMON = 0.6
#: A variable that is 1 in fewer rows than this tells little.
RARE = 3
#: Two variables this many standard errors apart avoid each other, even among many pairs.
APART = -4.0
_LISTED = 8


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that matters for the model.

    Attributes
    ----------
    code
        A short name for programs.
    message
        What it is and what to do about it.
    columns
        The variables concerned.
    """

    code: str
    message: str
    columns: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"code": self.code, "message": self.message, "columns": list(self.columns)}


@dataclass(frozen=True, slots=True)
class Findings:
    """What the inspection found that the notices speak of."""

    ones: np.ndarray[tuple[int], np.dtype[np.int64]]
    known: np.ndarray[tuple[int], np.dtype[np.int64]]
    rows_without_ones: int
    rows_all_missing: int
    duplicates: tuple[tuple[str, ...], ...]
    exclusive: tuple[tuple[str, ...], ...]
    apart: tuple[Pair, ...]


def notices(table: Table, found: Findings) -> tuple[Notice, ...]:
    """Say what matters for the model."""
    return (*_rows(table, found), *_columns(table, found), *_dependence(table, found))


def _rows(table: Table, found: Findings) -> Iterator[Notice]:
    if table.n_rows < FEW_ROWS:
        yield Notice("few_rows", f"only {table.n_rows} rows: expect wide uncertainty about the causes")
    elif table.n_rows < table.n_variables:
        yield Notice("few_rows", f"fewer rows ({table.n_rows}) than variables ({table.n_variables})")
    if found.rows_all_missing:
        yield Notice(
            "rows_all_missing", f"{found.rows_all_missing} rows have every cell missing: they say nothing"
        )
    if 2 * found.rows_without_ones > table.n_rows:
        yield Notice(
            "rows_without_ones",
            f"{found.rows_without_ones} of {table.n_rows} rows have no 1: they say little about the causes",
        )


def _columns(table: Table, found: Findings) -> Iterator[Notice]:
    names = np.array(table.columns, dtype=object)

    def those(chosen: Any) -> tuple[str, ...]:
        return tuple(names[chosen])

    ones, known = found.ones, found.known
    if blank := those(known == 0):
        yield Notice(
            "all_missing", f"every cell is missing in {listing(blank)}: nothing can be learnt of them", blank
        )
    constant = those((known > 0) & ((ones == 0) | (ones == known)))
    if constant:
        yield Notice(
            "constant",
            f"the same in every row: {listing(constant)}; kept, since dropping a variable "
            "changes the posterior (--drop-constant leaves them out)",
            constant,
        )
    common = those((ones < known) & (ones > COMMON * known))
    if common:
        yield Notice(
            "common",
            f"1 in more than {COMMON:.0%} of the known cells: {listing(common)}; the leak will explain "
            "most of them, so consider reversing such a variable (reverse = true in an encoding)",
            common,
        )
    rare = those((ones > 0) & (ones < RARE) & (ones < known))
    if rare and table.n_rows >= FEW_ROWS:
        yield Notice(
            "rare", f"1 in fewer than {RARE} rows: {listing(rare)}; their causes will stay unsure", rare
        )
    for group in found.duplicates:
        yield Notice(
            "duplicate_columns",
            f"identical in every row: {listing(group)}; they will get a cause of their own, so keep one",
            group,
        )
    for group, n_missing in _missing_together(table):
        yield Notice(
            "missing_together",
            f"missing in the same {n_missing} rows: {listing(group)}; if these were not asked there that "
            "is as it should be, but make sure that missing does not stand for no",
            group,
        )


def _dependence(table: Table, found: Findings) -> Iterator[Notice]:
    for group in found.exclusive:
        yield Notice(
            "exclusive",
            f"exactly one is 1 in every row: {listing(group)}; causes only add, so the model cannot express "
            "that they exclude one another: carry the category along, or leave them out",
            group,
        )
    grouped = [set(group) for group in found.exclusive]
    avoiding = [
        pair
        for pair in found.apart
        if pair.z <= APART and not any({pair.first, pair.second} <= group for group in grouped)
    ]
    if avoiding:
        shown = listing([f"{pair.first} and {pair.second}" for pair in avoiding], 3)
        yield Notice(
            "negative_dependence",
            f"together less often than by chance: {shown}; causes only add, so the model cannot express this",
            tuple(dict.fromkeys(name for pair in avoiding for name in (pair.first, pair.second))),
        )


def _missing_together(table: Table) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield groups of variables that are missing in the very same rows."""
    if table.missing is None:
        return
    counts = table.missing_per_column()
    groups: dict[bytes, list[int]] = {}
    for i in np.flatnonzero((counts > 0) & (counts < table.n_rows)):
        groups.setdefault(table.missing[i].tobytes(), []).append(int(i))
    for group in groups.values():
        if len(group) > 1 and counts[group[0]] >= 2:
            yield tuple(table.columns[i] for i in group), int(counts[group[0]])


def listing(names: Sequence[str], limit: int = _LISTED) -> str:
    """Name a few, and say how many more there are."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
