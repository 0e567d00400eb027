"""Errors of Markov chain averages from batch means, and tests of many averages at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = [
    "BatchMeans",
    "combined_p_value",
    "difference_p_value",
    "hotelling_p_value",
    "max_score_p_value",
    "merged",
]

#: A batch is long enough when it holds so many autocorrelation times of the slowest quantity: the variance of
#: the average then comes out too small by 1/25 at most, a z-score too large by 1/50.
TIMES_PER_BATCH = 25
#: Fewer batches give no variance to rely on.
FEWEST_BATCHES = 200
#: Directions in which batch means vary less than this share of the average direction count as exact.
EXACT = 1e-10


@dataclass(frozen=True, eq=False, slots=True)
class BatchMeans:
    """Averages over a chain or several, with errors from the means of consecutive batches.

    Attributes
    ----------
    means
        Batches × quantities.
    length
        Draws in a batch.
    variances
        Of single draws.
    """

    means: Floats
    length: int
    variances: Floats

    @property
    def mean(self) -> Floats:
        """The averages."""
        return np.asarray(self.means.mean(axis=0))

    @property
    def error(self) -> Floats:
        """Standard errors of the averages."""
        return np.asarray(self.means.std(axis=0, ddof=1) / np.sqrt(len(self.means)))

    @property
    def times(self) -> Floats:
        """Draws that are worth one independent draw."""
        known = self.variances > 0
        ratio = self.error**2 * len(self.means) * self.length
        return np.asarray(np.divide(ratio, self.variances, out=np.ones_like(ratio), where=known))

    @property
    def long_enough(self) -> bool:
        """Whether batches are so long that their means can count as independent."""
        return len(self.means) >= FEWEST_BATCHES and self.length >= TIMES_PER_BATCH * self.times.max()

    def scores(self, exact: Floats) -> Floats:
        """Return standard normal scores (by way of Student's t) of the averages against exact values."""
        t = np.divide(self.mean - exact, self.error, out=np.zeros_like(exact), where=self.error > 0)
        p = stats.t.sf(np.abs(t), len(self.means) - 1)
        return np.asarray(np.sign(t) * stats.norm.isf(np.maximum(p, 1e-300)))


def merged(batches: BatchMeans) -> BatchMeans:
    """Return the same with neighbours merged until batches are long enough, or too few are left."""
    while not batches.long_enough and len(batches.means) >= 2 * FEWEST_BATCHES:
        half = len(batches.means) // 2
        means = batches.means[: 2 * half].reshape(half, 2, -1).mean(axis=1)
        batches = BatchMeans(means, 2 * batches.length, batches.variances)
    return batches


def hotelling_p_value(batches: BatchMeans, exact: Floats) -> float:
    """Test all averages against exact values together, whatever their correlations (Hotelling's T²)."""
    covariance = np.cov(batches.means, rowvar=False).reshape(len(exact), -1) / len(batches.means)
    return difference_p_value(batches.mean - exact, covariance, len(batches.means))


def difference_p_value(difference: Floats, covariance: Floats, samples: int) -> float:
    """Test whether differences are all zero, given their covariance from so many independent samples.

    Quantities that do not vary, and combinations that do not (probabilities add up to one), are left out.
    """
    error = np.sqrt(np.diag(covariance))
    varying = error > 0
    if not varying.any():
        return 1.0
    scaled = difference[varying] / error[varying]
    correlation = covariance[np.ix_(varying, varying)] / np.outer(error[varying], error[varying])
    values, vectors = np.linalg.eigh(correlation)
    kept = values > EXACT * values.max()
    q = int(kept.sum())
    t2 = float((((scaled @ vectors[:, kept]) ** 2) / values[kept]).sum())
    return float(stats.f.sf(t2 * (samples - q) / (q * (samples - 1)), q, samples - q))


def max_score_p_value(scores: Floats) -> float:
    """Return the chance (at most) that the largest of so many normal scores is as large (Šidák)."""
    if len(scores) == 0:
        return 1.0
    single = 2 * stats.norm.sf(np.abs(scores).max())
    return float(-np.expm1(len(scores) * np.log1p(-min(single, 1 - 1e-16))))


def combined_p_value(p_values: Sequence[float]) -> float:
    """Combine independent p-values (Fisher)."""
    floored = np.maximum(np.asarray(p_values, dtype=np.float64), 1e-300)
    return float(stats.chi2.sf(-2 * np.log(floored).sum(), 2 * len(floored)))
