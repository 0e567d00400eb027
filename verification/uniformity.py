"""Exact tests of whether ranks are uniform.

The first is that of Säilynoja, Bürkner and Vehtari (2022): the empirical distribution of the ranks, at many
ranks at once, against the binomial distribution it has when they are uniform. The chance that it stays inside
a band everywhere is found by going through the ranks from left to right, so the p-value is exact (to 1e-13).
The second is the chi-square test over bins, more sensitive to fine structure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

__all__ = ["band_limits", "band_p_value", "bins_p_value"]

#: The band is checked at so many points at most; more cost time and gain little.
POINTS = 32


def _points(values: int) -> Ints:
    """Return the ranks behind which the empirical distribution is looked at."""
    return np.unique(np.linspace(0, values, min(values, POINTS) + 1).astype(np.int64)[1:-1])


def _tail(counts: Ints, n: int, share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two-sided binomial tail probabilities of counts."""
    below, above = stats.binom.cdf(counts, n, share), stats.binom.sf(counts - 1, n, share)
    return np.asarray(2 * np.minimum(below, above))


def band_p_value(ranks: Ints, values: int) -> float:
    """Return the chance that uniform ranks 0 … values − 1 leave the smallest band that these do not.

    The band holds, at every point, the counts whose binomial tail probability exceeds the smallest that the
    given ranks reach anywhere.
    """
    points, n = _points(values), len(ranks)
    counts = np.searchsorted(np.sort(ranks), points)  # ranks below each point
    reached = float(_tail(counts, n, points / values).min())
    low, high = band_limits(n, values, reached)
    inside = _chance_inside(n, points / values, low, high)
    return float(min(max(1.0 - inside, 0.0), 1.0))


def band_limits(n: int, values: int, reached: float) -> tuple[Ints, Ints]:
    """Return the smallest and the largest count whose tail probability exceeds `reached`, at every point."""
    every = np.arange(n + 1)
    allowed = np.array([_tail(every, n, share) > reached for share in _points(values) / values])
    empty = ~allowed.any(axis=1)
    low = allowed.argmax(axis=1)
    high = n - allowed[:, ::-1].argmax(axis=1)
    high[empty], low[empty] = 0, 1
    return low, high


def _chance_inside(n: int, shares: NDArray[np.float64], low: Ints, high: Ints) -> float:
    """Return the chance that counts of n uniforms stay inside limits at all points, point after point."""
    chance, counts, before = np.ones(1), np.zeros(1, dtype=np.int64), 0.0
    for share, least, most in zip(shares, low, high, strict=True):
        if least > most:
            return 0.0
        then = np.arange(least, most + 1)
        # given the count so far, the rest fall into this stretch independently
        steps = stats.binom.pmf(
            then[None, :] - counts[:, None], n - counts[:, None], (share - before) / (1 - before)
        )
        chance, counts, before = chance @ steps, then, share
    return float(chance.sum())


def bins_p_value(ranks: Ints, values: int, bins: int = 16) -> float:
    """Return the p-value of the chi-square test over equal bins (`bins` divides `values`)."""
    assert values % bins == 0
    counts = np.bincount(ranks * bins // values, minlength=bins)
    return float(stats.chisquare(counts).pvalue)
