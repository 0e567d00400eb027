"""Whether chains agree on a number, and how many independent draws they are worth.

Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, "Rank-normalization, folding, and localization". What
their formulas leave open, numbers that never vary, is decided here, for a run on its way as for its answers.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ESS_PER_CHAIN", "FEWEST_DRAWS", "RHAT_LIMIT", "effective_draws", "split_rhat", "standard_error"]

#: R-hat above which chains are said to disagree, and effective draws for each chain below which there are
#: said to be too few.
RHAT_LIMIT, ESS_PER_CHAIN = 1.01, 100
#: Chains of fewer draws say nothing.
FEWEST_DRAWS = 4
_AXES = {"chain_axis": 0, "draw_axis": 1}


def split_rhat(values: NDArray[np.float64]) -> float:
    """Return rank-normalised split R-hat of a number, chains × draws.

    1 for a constant, infinite where nothing varies within any half of a chain but between them, NaN for a
    single chain and with too few draws.
    """
    from arviz_stats.base.array import array_stats

    if len(values) == 1 or values.shape[1] < FEWEST_DRAWS:
        return float("nan")
    if np.ptp(values) == 0:
        return 1.0
    half = values.shape[1] // 2
    if not np.ptp(values[:, :half], axis=1).any() and not np.ptp(values[:, -half:], axis=1).any():
        return float("inf")
    with _dividing_by_nothing():
        rhat = float(array_stats.rhat(values, method="rank", **_AXES))
        if np.isnan(rhat):  # distances from the median are constant: the ranks themselves still tell
            rhat = float(array_stats.rhat(values, method="z_scale", **_AXES))
    return rhat


def effective_draws(values: NDArray[np.float64], where: Literal["bulk", "tail"]) -> float:
    """Return effective draws for the middle of a number (chains × draws) or for its 5 % and 95 % points.

    NaN for a constant and with too few draws; for tails that never vary, those of the middle.
    """
    from arviz_stats.base.array import array_stats

    if values.shape[1] < FEWEST_DRAWS or np.ptp(values) == 0:
        return float("nan")
    more = {"prob": (0.05, 0.95)} if where == "tail" else {}
    with _dividing_by_nothing():
        found = float(array_stats.ess(values, method=where, **more, **_AXES))
    return found if np.isfinite(found) or where == "bulk" else effective_draws(values, "bulk")


def standard_error(values: NDArray[np.float64]) -> float:
    """Return the Monte-Carlo standard error of the mean; 0 for a constant, NaN with too few draws."""
    from arviz_stats.base.array import array_stats

    if values.shape[1] < FEWEST_DRAWS:
        return float("nan")
    if np.ptp(values) == 0:
        return 0.0
    with _dividing_by_nothing():
        return float(array_stats.mcse(values, method="mean", **_AXES))


@contextmanager
def _dividing_by_nothing() -> Iterator[None]:
    """Hush what numbers that hardly vary bring about."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        yield
