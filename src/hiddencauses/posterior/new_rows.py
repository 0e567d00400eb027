"""New rows: which causes are at work in each, and what its missing cells are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.table import MISSING
from hiddencauses.posterior.alignment import Alignment, align
from hiddencauses.posterior.rows import Inference, spread_draws, worlds_of
from hiddencauses.posterior.same_columns import with_columns_of
from hiddencauses.posterior.tables import as_table
from hiddencauses.validation import check_at_least

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hiddencauses.sampling.draws import Draws

__all__ = ["NewRows", "apply", "apply_in_blocks", "inference_of"]

#: Draws averaged over, and rows worked on at a time.
DRAWS_USED, BLOCK_ROWS = 100, 1 << 16


@dataclass(frozen=True, eq=False, slots=True)
class NewRows:
    """What the draws say of new rows, in the order in which they came.

    Attributes
    ----------
    first
        Where the first of them stood, counted from 0.
    row_ids
        Their names, or None.
    causes
        Names of the causes.
    at_work
        Rows × causes: chance that the cause is at work, given that it exists; NaN where no draw used has it.
    variables
        Those with a missing cell somewhere in the new rows.
    on
        Rows × these variables: chance that the cell is 1 where it is missing, NaN where it is not.
    """

    first: int
    row_ids: tuple[str, ...] | None
    causes: tuple[str, ...]
    at_work: NDArray[np.float32]
    variables: tuple[str, ...]
    on: NDArray[np.float32]

    def to_frame(self) -> pa.Table:
        """Return a row for each row: its name, a column for each cause, `P(variable)` for missing cells."""
        import pyarrow as pa

        unseen = [f"P({name})" for name in self.variables]
        taken = {*self.causes, *unseen}
        name = next(
            word for word in ("row", *(f"row_{n}" for n in range(len(taken) + 1))) if word not in taken
        )
        rows = (
            range(self.first + 1, self.first + 1 + len(self.at_work))
            if self.row_ids is None
            else self.row_ids
        )
        columns = {name: pa.array(list(rows))}
        columns |= {cause: pa.array(self.at_work[:, k]) for k, cause in enumerate(self.causes)}
        for i, title in enumerate(unseen):
            columns[title] = pa.array(self.on[:, i], mask=np.isnan(self.on[:, i]))
        return pa.table(columns)


def apply(
    draws: Draws,
    table: Any,
    *,
    alignment: Alignment | None = None,
    missing_columns_are_unobserved: bool = False,
    draws_used: int | None = DRAWS_USED,
    threads: int | None = None,
) -> NewRows:
    """Say of new rows which causes are at work in each, and how probable each missing cell is.

    Parameters
    ----------
    draws
        Draws from the posterior given the fitted table.
    table
        New rows of the same variables, in any order; whatever `read_table` takes.
    alignment
        The alignment of the draws, where it is there already.
    missing_columns_are_unobserved
        Whether a variable that the new rows lack is taken as missing in all of them, not refused.
    draws_used
        Draws averaged over, spread evenly over the chains; all when None.
    threads
        How many threads work; as many as there are processors when None. The result is the same.
    """
    table = as_table(table)
    blocks = list(
        apply_in_blocks(
            draws,
            table,
            alignment=alignment,
            missing_columns_are_unobserved=missing_columns_are_unobserved,
            draws_used=draws_used,
            threads=threads,
        )
    )
    return NewRows(
        first=0,
        row_ids=table.row_ids,
        causes=blocks[0].causes,
        at_work=np.concatenate([block.at_work for block in blocks]),
        variables=blocks[0].variables,
        on=np.concatenate([block.on for block in blocks]),
    )


def apply_in_blocks(
    draws: Draws,
    table: Any,
    *,
    alignment: Alignment | None = None,
    missing_columns_are_unobserved: bool = False,
    draws_used: int | None = DRAWS_USED,
    threads: int | None = None,
    block_rows: int = BLOCK_ROWS,
) -> Iterator[NewRows]:
    """Do what `apply` does, `block_rows` rows at a time, so that the answers need not fit in memory."""
    table = as_table(table)
    block_rows = check_at_least("block_rows", block_rows, 1)
    aligned = align(draws) if alignment is None else alignment
    inference = inference_of(aligned, draws_used=draws_used, threads=threads)
    rows = with_columns_of(
        table, draws.columns, missing_columns_are_unobserved=missing_columns_are_unobserved
    )
    unseen = np.flatnonzero(rows.missing_per_column())
    for first in range(0, rows.n_rows, block_rows):
        codes = rows.codes(first, first + block_rows)
        found = inference.of_rows(codes, asked=codes == MISSING if len(unseen) else None)
        yield NewRows(
            first=first,
            row_ids=None if table.row_ids is None else table.row_ids[first : first + block_rows],
            causes=aligned.names[: inference.n_labels],
            at_work=found.at_work.astype(np.float32),
            variables=tuple(draws.columns[i] for i in unseen),
            on=(found.on[:, unseen] if len(unseen) else np.zeros((len(codes), 0))).astype(np.float32),
        )


def inference_of(
    alignment: Alignment, *, draws_used: int | None = DRAWS_USED, threads: int | None = None
) -> Inference:
    """Make draws ready to say what they know of rows; causes that are rare are not told of."""
    causes, told = alignment.causes, alignment.n_worth_telling
    used = spread_draws(causes.n_draws, draws_used)
    worlds = worlds_of(causes, alignment.label, told, used)
    return Inference(worlds, told, causes.draws.seed, threads=threads)
