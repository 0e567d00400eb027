"""How well draws predict what they were not shown: log predictive of held-out cells and rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

from hiddencauses.data.table import MISSING
from hiddencauses.posterior.collection import collect
from hiddencauses.posterior.matching import NOBODY
from hiddencauses.posterior.rows import Inference, spread_draws, worlds_of
from hiddencauses.posterior.same_columns import with_columns_of
from hiddencauses.posterior.tables import as_table
from hiddencauses.validation import check_fitted_table, check_held_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.data.table import Table
    from hiddencauses.sampling.draws import Draws

__all__ = ["Score", "clustered_error", "plain_inference", "score_cells", "score_rows"]

#: Rows worked on at a time.
BLOCK_ROWS = 1 << 14


@dataclass(frozen=True, eq=False, slots=True)
class Score:
    """Log predictive densities, natural logarithms; larger is better.

    Attributes
    ----------
    what
        "cells" or "rows".
    each
        Of every held-out cell, row by row, or of every row.
    group
        The row that each belongs to: cells of one row are not independent.
    error
        For rows: standard error of `each` that comes from a finite number of draws, as if these were
        independent, and, where too many causes are tied together to sum over, from importance sampling. None
        for cells.
    """

    what: str
    each: NDArray[np.float64]
    group: NDArray[np.int64]
    error: NDArray[np.float64] | None

    @property
    def mean(self) -> float:
        """Mean of a cell, or of a row."""
        return float(self.each.mean())

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, for other cells or rows like these."""
        return clustered_error(self.each, self.group)


def score_rows(draws: Draws, table: Any, *, draws_used: int | None = None) -> Score:
    """Score rows that were not fitted: the log of each row's probability, activity summed out.

    Parameters
    ----------
    draws
        Draws from the posterior given other rows.
    table
        New rows of the same variables; missing cells do not count.
    draws_used
        Draws averaged over; all when None.
    """
    rows = with_columns_of(as_table(table), draws.columns, missing_columns_are_unobserved=False)
    inference = plain_inference(draws, draws_used)
    each, error = [], []
    for codes in rows.blocks(BLOCK_ROWS):
        found = inference.of_rows(codes, density=True)
        # importance sampling errs on each draw by itself
        sampled = np.sqrt((found.log_density_error**2).mean(axis=1) / inference.n_draws)
        log_mean, averaged = _log_mean(found.log_density)
        each.append(log_mean)
        error.append(np.hypot(averaged, sampled))
    return Score("rows", np.concatenate(each), np.arange(rows.n_rows), np.concatenate(error))


def score_cells(
    draws: Draws, shown: Table, truth: Table, held: NDArray[np.bool_], *, draws_used: int | None = None
) -> Score:
    """Score cells that were hidden from a fit: the log of each one's probability given the rest of its row.

    Parameters
    ----------
    draws
        Draws from the posterior given `shown`.
    shown
        The table with cells hidden (`with_hidden`).
    truth
        The same table with them.
    held
        Which cells were hidden, rows × variables.
    draws_used
        Draws averaged over; all when None.
    """
    check_fitted_table(shown.n_rows, shown.columns, draws.n_rows, draws.columns, shown.source)
    check_fitted_table(truth.n_rows, truth.columns, draws.n_rows, draws.columns, truth.source)
    check_held_cells(held, shown.codes() == MISSING, truth.codes() != MISSING)
    inference = plain_inference(draws, draws_used)
    answers = truth.codes()
    parts = []
    for start in range(0, shown.n_rows, BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        codes = shown.codes(start, block.stop)
        # asked of all missing cells, since equal rows are worked out once
        parts.append(inference.of_rows(codes, asked=codes == MISSING).on[held[block]])
    chances = np.concatenate(parts)
    each = np.log(np.where(answers[held] == 1, chances, 1.0 - chances))
    return Score("cells", each, np.nonzero(held)[0], None)


def plain_inference(draws: Draws, draws_used: int | None) -> Inference:
    """Make draws ready to say what they know of rows, without telling causes."""
    causes = collect(draws)
    worlds = worlds_of(causes, np.full(causes.n_causes, NOBODY), 0, spread_draws(causes.n_draws, draws_used))
    return Inference(worlds, 0, draws.seed)


def clustered_error(values: NDArray[np.float64], group: NDArray[np.int64]) -> float:
    """Return the standard error of a mean of values of which those of one group go together."""
    _, number = np.unique(group, return_inverse=True)
    sums = np.bincount(number, weights=values - values.mean())
    n = len(sums)
    return float(np.sqrt((sums**2).sum() * n / max(n - 1, 1)) / len(values)) if n > 1 else float("nan")


def _log_mean(log_density: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the log of the mean over draws, and its standard error as if draws were independent."""
    n = log_density.shape[1]
    log_mean = logsumexp(log_density, axis=1) - np.log(n)
    ratio = np.exp(log_density - log_mean[:, None])
    return log_mean, np.asarray(ratio.std(axis=1) / np.sqrt(n))
