"""Leaving one row out at a time, without fitting again: Pareto-smoothed importance sampling.

Valid since rows are independent given links and parameters, with activity summed out. A row whose leaving
out would move the posterior too far (k-hat above the limit) is told; its value is not to be relied on.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

from hiddencauses.errors import UnreliableWeightsWarning
from hiddencauses.posterior.rows import distinct_rows
from hiddencauses.posterior.scores import BLOCK_ROWS, plain_inference
from hiddencauses.posterior.tables import as_table
from hiddencauses.validation import check_fitted_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.sampling.draws import Draws

__all__ = ["LeftOut", "khat_limit", "leave_one_out", "smoothed"]

#: Draws used at most: rows × draws densities are held for a block of rows.
DRAWS_USED = 1000


@dataclass(frozen=True, eq=False, slots=True)
class LeftOut:
    """Log predictive density of each row given the others.

    Attributes
    ----------
    each
        One per row.
    khat
        Pareto k-hat of each row's weights.
    limit
        The k-hat above which a row's value is not to be relied on.
    """

    each: NDArray[np.float64]
    khat: NDArray[np.float64]
    limit: float

    @property
    def total(self) -> float:
        """The sum, known as elpd."""
        return float(self.each.sum())

    @property
    def standard_error(self) -> float:
        """Standard error of the sum."""
        return float(np.sqrt(len(self.each)) * self.each.std())

    @property
    def unreliable(self) -> NDArray[np.int64]:
        """Places of the rows whose values are not to be relied on."""
        return np.flatnonzero(self.khat > self.limit)

    def warn(self) -> None:
        """Warn where values are not to be relied on."""
        if len(self.unreliable):
            warnings.warn(
                f"{len(self.unreliable)} of {len(self.each)} rows have a k-hat above {self.limit:.2f}, the "
                f"largest {self.khat.max():.2f}; score held-out rows instead (compare with what='rows')",
                UnreliableWeightsWarning,
                stacklevel=2,
            )


def leave_one_out(draws: Draws, table: Any, *, draws_used: int | None = DRAWS_USED) -> LeftOut:
    """Predict each fitted row from the others; `warn()` of what comes back warns where that failed.

    Parameters
    ----------
    draws
        Draws from the posterior given the table.
    table
        The fitted table.
    draws_used
        Draws used, spread evenly; all when None.
    """
    table = as_table(table)
    check_fitted_table(table.n_rows, table.columns, draws.n_rows, draws.columns, table.source)
    inference = plain_inference(draws, draws_used)
    each, khat = [], []
    for codes in table.blocks(BLOCK_ROWS):
        distinct, _, place = distinct_rows(codes)
        log_density = inference.of_rows(distinct, density=True).log_density
        log_weight, k = smoothed(-log_density)
        each.append(logsumexp(log_weight + log_density, axis=1)[place])
        khat.append(k[place])
    return LeftOut(np.concatenate(each), np.concatenate(khat), khat_limit(inference.n_draws))


def khat_limit(n_draws: int) -> float:
    """Return the k-hat up to which so many draws are enough (Vehtari, Simpson, Gelman, Yao, Gabry 2024)."""
    return min(0.7, 1.0 - 1.0 / math.log10(max(n_draws, 11)))


def smoothed(log_ratios: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return smoothed log weights that sum to 1 over the last axis, and k-hat; −∞ where all are equal."""
    from arviz_stats.base.array import array_stats

    n = log_ratios.shape[-1]
    varied = np.ptp(log_ratios, axis=-1) > 1e-12
    log_weight = np.full(log_ratios.shape, -np.log(n))
    khat = np.full(log_ratios.shape[:-1], -np.inf)
    if varied.any():
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            some, k = array_stats.psislw(-log_ratios[varied], axis=-1)  # it takes log likelihoods
        # too few draws to fit a tail, or too wide a range to take exponentials of: nothing is known of it
        unfit = np.isnan(k) | np.isnan(some).any(axis=-1)
        khat[varied] = np.where(unfit, np.inf, k)
        some = np.where(unfit[:, None], log_ratios[varied], some)
        log_weight[varied] = some - logsumexp(some, axis=-1, keepdims=True)
    return log_weight, khat
