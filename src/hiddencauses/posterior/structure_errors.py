"""The paper's structure error between the links of draws, and its expectation over the draws.

For each pair of variables the links of a draw say how many causes the two share, an entry of Z Zᵀ. The
structure error of two settings of the links sums the absolute differences of these numbers over all pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from hiddencauses.posterior.collection import Collection

__all__ = ["SharedCauses", "expected_structure_errors", "shared_causes", "structure_error"]


def structure_error(links: ArrayLike, other: ArrayLike) -> float:
    """Return Σ |Z Zᵀ − Ẑ Ẑᵀ| over pairs of different variables.

    Examples
    --------
    >>> structure_error([[1], [1], [0]], [[1], [1], [1]])
    2.0
    """
    one, two = (np.asarray(z, dtype=np.float64) for z in (links, other))
    return float(np.abs(np.triu(one @ one.T - two @ two.T, 1)).sum())


class SharedCauses:
    """How many causes pairs of variables share in each draw, kept for pairs that share any.

    Attributes
    ----------
    pairs
        Pairs of variables (i < j) that share a cause in some draw, pairs × 2.
    draw, pair, count
        In that draw that pair (a row of `pairs`) shares so many causes.
    n_draws
        How many draws there are.
    """

    def __init__(
        self,
        pairs: NDArray[np.int64],
        draw: NDArray[np.int64],
        pair: NDArray[np.int64],
        count: NDArray[np.int64],
        n_draws: int,
    ) -> None:
        self.pairs, self.draw, self.pair, self.count, self.n_draws = pairs, draw, pair, count, n_draws

    def of_pair(self, pair: int) -> NDArray[np.float64]:
        """Return the number of causes that a pair shares, draw by draw."""
        chosen = self.pair == pair
        counts = np.bincount(self.draw[chosen], weights=self.count[chosen], minlength=self.n_draws)
        return counts.astype(np.float64)

    def spread(self) -> NDArray[np.float64]:
        """Return the variance over the draws of each pair's number."""
        n = len(self.pairs)
        first = np.bincount(self.pair, weights=self.count, minlength=n) / self.n_draws
        second = np.bincount(self.pair, weights=self.count**2, minlength=n) / self.n_draws
        return np.asarray(second - first**2)


def shared_causes(causes: Collection) -> SharedCauses:
    """Count the causes that pairs of variables share, in every draw."""
    draws, keys, counts = [], [], []
    n = causes.n_variables
    for number in range(causes.n_draws):
        links = causes.links[causes.start[number] : causes.start[number + 1]]
        shared = (links.T @ links).tocoo()
        above = shared.row < shared.col
        keys.append(shared.row[above].astype(np.int64) * n + shared.col[above])
        counts.append(shared.data[above].astype(np.int64))
        draws.append(np.full(len(keys[-1]), number))
    distinct, pair = np.unique(np.concatenate(keys), return_inverse=True)
    pairs = np.stack(np.divmod(distinct, n), axis=1)
    return SharedCauses(pairs, np.concatenate(draws), pair, np.concatenate(counts), causes.n_draws)


def expected_structure_errors(shared: SharedCauses) -> NDArray[np.float64]:
    """Return for each draw the mean of its structure errors to all draws."""
    most = int(shared.count.max(initial=0))
    times = np.zeros((len(shared.pairs), most + 1))
    np.add.at(times, (shared.pair, shared.count), 1.0)
    times[:, 0] = shared.n_draws - times.sum(axis=1)
    values = np.arange(most + 1)
    error = times @ np.abs(values[:, None] - values) / shared.n_draws  # of each number, pair by pair
    more = error[shared.pair, shared.count] - error[shared.pair, 0]
    extra = np.bincount(shared.draw, weights=more, minlength=shared.n_draws)
    return np.asarray(error[:, 0].sum() + extra)
