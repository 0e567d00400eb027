"""One row: which causes account for its ones, what the leak accounts for, and what is absent but expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.posterior.alignment import Alignment, align
from hiddencauses.posterior.new_rows import DRAWS_USED, inference_of
from hiddencauses.posterior.same_columns import with_columns_of
from hiddencauses.posterior.tables import as_table
from hiddencauses.validation import check_row

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hiddencauses.sampling.draws import Draws

__all__ = ["Explanation", "explain"]

#: A variable that is off counts as expected when the row's causes would have it on at least this often.
EXPECTED = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class Explanation:
    """What the draws say of one row.

    Attributes
    ----------
    row
        Its name, or its number counted from 1.
    columns, cells
        Names of the variables, and the row's cells: 0, 1, or −1 for missing.
    causes
        Names of the causes.
    exists
        Share of draws that have each.
    at_work
        Chance that each is at work in the row, given that it exists.
    by_cause, by_leak, by_others
        For cells that are 1: the chance that each cause switched it on (causes × variables), that the leak
        did, and how many other, rare causes did. More than one may have, so they may add up to more than 1.
    expected
        For other cells: how often a row with the same causes at work would have it on.
    """

    row: str
    columns: tuple[str, ...]
    cells: NDArray[np.int8]
    causes: tuple[str, ...]
    exists: NDArray[np.float64]
    at_work: NDArray[np.float64]
    by_cause: NDArray[np.float64]
    by_leak: NDArray[np.float64]
    by_others: NDArray[np.float64]
    expected: NDArray[np.float64]

    @property
    def absent_but_expected(self) -> tuple[str, ...]:
        """Variables that are 0 and would more often be 1 with these causes at work."""
        chosen = (self.cells == 0) & (np.nan_to_num(self.expected) >= EXPECTED)
        return tuple(name for name, is_so in zip(self.columns, chosen, strict=True) if is_so)

    def causes_to_frame(self) -> pa.Table:
        """Return a row for each cause, that which likeliest exists and is at work first.

        With the ones it accounts for, on average over all draws.
        """
        import pyarrow as pa

        order = np.argsort(-self.exists * np.nan_to_num(self.at_work), kind="stable")
        return pa.table(
            {
                "cause": [self.causes[k] for k in order],
                "exists": self.exists[order],
                "at_work": self.at_work[order],
                "ones_accounted_for": self.by_cause.sum(axis=1)[order],
            }
        )

    def to_frame(self) -> pa.Table:
        """Return a row for each variable: who switched it on if it is 1, how expected it is if not."""
        import pyarrow as pa

        on = self.cells == 1
        frame = {
            "variable": pa.array(list(self.columns)),
            "cell": pa.array(self.cells, mask=self.cells < 0),
            "expected": pa.array(self.expected, mask=on),
            "by_leak": pa.array(self.by_leak, mask=~on),
            "by_others": pa.array(self.by_others, mask=~on),
        }
        frame |= {
            f"by_{name}": pa.array(part, mask=~on)
            for name, part in zip(self.causes, self.by_cause, strict=True)
        }
        return pa.table(frame)


def explain(
    draws: Draws,
    table: Any,
    row: int | str,
    *,
    alignment: Alignment | None = None,
    missing_columns_are_unobserved: bool = False,
    draws_used: int | None = DRAWS_USED,
) -> Explanation:
    """Explain one row of a table by the posterior.

    Parameters
    ----------
    draws
        Draws from the posterior given the fitted table.
    table
        Where the row is: the fitted table or another one of the same variables; whatever `read_table` takes.
    row
        Its name, or its number counted from 1.
    alignment
        The alignment of the draws, where it is there already.
    missing_columns_are_unobserved
        As in `apply`.
    draws_used
        As in `apply`.
    """
    table = as_table(table)
    place = check_row(row, table.n_rows, table.row_ids, table.source)
    aligned = align(draws) if alignment is None else alignment
    rows = with_columns_of(
        table, draws.columns, missing_columns_are_unobserved=missing_columns_are_unobserved
    )
    cells = rows.codes(place, place + 1)
    inference = inference_of(aligned, draws_used=draws_used)
    found = inference.of_rows(cells, asked=cells != 1, parts=True)
    return Explanation(
        row=str(place + 1) if table.row_ids is None else table.row_ids[place],
        columns=draws.columns,
        cells=cells[0],
        causes=aligned.names[: inference.n_labels],
        exists=aligned.exists[: inference.n_labels],
        at_work=found.at_work[0],
        by_cause=found.by_cause[0],
        by_leak=found.by_leak[0],
        by_others=found.by_others[0],
        expected=found.on[0],
    )
