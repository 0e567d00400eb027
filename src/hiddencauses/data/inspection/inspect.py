"""Describe a table: its size, its density, what is odd about it, and what matters for the model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hiddencauses.data.inspection.duplicates import duplicate_columns, row_digests
from hiddencauses.data.inspection.exclusive import exclusive_groups
from hiddencauses.data.inspection.notices import Findings, Notice, notices
from hiddencauses.data.inspection.pairs import Pair, associated_pairs, count_pairs
from hiddencauses.data.table import Table

__all__ = ["INSPECTION_SCHEMA", "Inspection", "VariableCount", "inspect_table"]

INSPECTION_SCHEMA = "hiddencauses/inspection/1"


@dataclass(frozen=True, slots=True)
class VariableCount:
    """How often a variable is 1, among the rows in which it is known."""

    name: str
    ones: int
    known: int

    @property
    def share(self) -> float | None:
        """The share of ones, or None where nothing is known."""
        return self.ones / self.known if self.known else None


@dataclass(frozen=True, slots=True)
class Inspection:
    """A table described.

    Attributes
    ----------
    source, rows, variables
        The table's name and shape.
    carried
        Names of the columns carried along.
    density
        The share of ones among the known cells, or None if no cell is known.
    missing_share
        The share of cells that are missing.
    ones_per_row
        The mean number of ones in a row.
    distinct_rows
        How many different rows there are.
    largest_repeat
        How often the commonest row occurs.
    rows_without_ones, rows_all_missing
        Rows in which nothing is 1, and rows of which nothing is known.
    constant, all_missing
        Variables that never vary, and those of which nothing is known.
    duplicate_columns
        Groups of variables with identical cells.
    exclusive
        Groups of variables of which exactly one is 1 in every row.
    rarest, commonest
        Variables by their share of ones.
    together, apart
        The pairs of variables most surely associated, positively and negatively.
    pairs_from
        What the pairs were counted on, when not on the whole table.
    warnings
        What matters for the model.
    """

    source: str
    rows: int
    variables: int
    carried: tuple[str, ...]
    density: float | None
    missing_share: float
    ones_per_row: float
    distinct_rows: int
    largest_repeat: int
    rows_without_ones: int
    rows_all_missing: int
    constant: tuple[str, ...]
    all_missing: tuple[str, ...]
    duplicate_columns: tuple[tuple[str, ...], ...]
    exclusive: tuple[tuple[str, ...], ...]
    rarest: tuple[VariableCount, ...]
    commonest: tuple[VariableCount, ...]
    together: tuple[Pair, ...]
    apart: tuple[Pair, ...]
    pairs_from: str | None
    warnings: tuple[Notice, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        data: dict[str, Any] = {"schema": INSPECTION_SCHEMA, **asdict(self)}
        for key in ("rarest", "commonest"):
            data[key] = [{**asdict(v), "share": v.share} for v in getattr(self, key)]
        return data


def inspect_table(table: Table, *, n_listed: int = 10) -> Inspection:
    """Describe a table.

    Parameters
    ----------
    table
        The table.
    n_listed
        How many of the rarest and commonest variables and of the most associated pairs to name.
    """
    ones = table.ones_per_column()
    known = table.n_rows - table.missing_per_column()
    cells = table.n_rows * table.n_variables
    _, repeats = np.unique(row_digests(table), return_counts=True)
    counts = count_pairs(table)
    together, apart = associated_pairs(table, counts, n_listed)
    duplicates, exclusive = duplicate_columns(table), exclusive_groups(table, counts)
    with_ones = int(np.bitwise_count(np.bitwise_or.reduce(table.ones, axis=0)).sum())
    unknown = 0
    if table.missing is not None:
        unknown = int(np.bitwise_count(np.bitwise_and.reduce(table.missing, axis=0)).sum())
    found = Findings(ones, known, table.n_rows - with_ones, unknown, duplicates, exclusive, apart)
    varying = (ones > 0) & (ones < known)
    share = np.where(known > 0, ones / np.maximum(known, 1), np.nan)
    by_share = [int(i) for i in np.argsort(share, kind="stable") if known[i] > 0]

    def count(i: int) -> VariableCount:
        return VariableCount(table.columns[i], int(ones[i]), int(known[i]))

    return Inspection(
        source=table.source,
        rows=table.n_rows,
        variables=table.n_variables,
        carried=() if table.carried is None else tuple(table.carried.column_names),
        density=float(ones.sum() / known.sum()) if known.any() else None,
        missing_share=1 - float(known.sum()) / cells,
        ones_per_row=float(ones.sum()) / table.n_rows,
        distinct_rows=len(repeats),
        largest_repeat=int(repeats.max()),
        rows_without_ones=found.rows_without_ones,
        rows_all_missing=unknown,
        constant=tuple(table.columns[i] for i in np.flatnonzero((known > 0) & ~varying)),
        all_missing=tuple(table.columns[i] for i in np.flatnonzero(known == 0)),
        duplicate_columns=duplicates,
        exclusive=exclusive,
        rarest=tuple(count(i) for i in by_share[:n_listed]),
        commonest=tuple(count(i) for i in by_share[::-1][:n_listed]),
        together=together,
        apart=apart,
        pairs_from=_pairs_from(table, int(varying.sum()), len(counts.variables), counts.rows_used),
        warnings=notices(table, found),
    )


def _pairs_from(table: Table, varying: int, variables: int, rows: int) -> str | None:
    """Say on what part of the table the pairs were counted, if not on all of it."""
    parts = []
    if variables < varying:
        parts.append(f"the {variables} variables that vary most (of {varying})")
    if rows < table.n_rows:
        parts.append(f"{rows} rows spread evenly over the table (of {table.n_rows})")
    return " in ".join(parts) or None
