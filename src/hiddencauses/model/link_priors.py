"""Priors of the links Z: the Indian buffet process and its finite counterpart, as log densities.

A set of causes has no order. Three forms are in use and must not be mixed (docs/math.md):

* *labelled*: columns in uniformly random order;
* *class*: matrices equal up to the order of columns (the paper's form), left-ordered;
* *finite ordered*: the K columns of the finite model (Eq. 5).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaln, gammaln

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "column_log_weights",
    "finite_column_log_masses",
    "harmonic",
    "left_ordered",
    "log_class_probability",
    "log_finite_probability",
    "log_labelled_probability",
]


def harmonic(n: int) -> float:
    """Return H_n = 1 + 1/2 + … + 1/n."""
    return float((1.0 / np.arange(1, n + 1)).sum())


def column_log_weights(n_variables: int) -> NDArray[np.float64]:
    """Return log[(N−m)! (m−1)! / N!] for m = 0 … N links, −inf at m = 0.

    Under the buffet process the number of causes with one given set of m links is Poisson with mean α
    times this, independently of all other sets; over all sets the weights add up to H_N.
    """
    m = np.arange(1, n_variables + 1)
    return np.concatenate([[-np.inf], betaln(n_variables - m + 1, m)])


def finite_column_log_masses(n_variables: int, k: int, concentration: ArrayLike) -> NDArray[np.float64]:
    """Return the log probability of one given column with m = 0 … N links in the finite model (Eq. 5).

    `concentration` may be an array; m runs along a new last axis.
    """
    share = np.asarray(concentration, dtype=np.float64)[..., None] / k
    m = np.arange(n_variables + 1)
    return np.asarray(np.log(share) + betaln(m + share, n_variables - m + 1))


def log_labelled_probability(links: NDArray[np.int8], concentration: float) -> float:
    """Return the log probability of Z under the buffet process, columns in uniformly random order.

    α^K / K! · exp(−α H_N) · Π_k (N − m_k)! (m_k − 1)! / N!
    """
    n_variables, k = links.shape
    weights = column_log_weights(n_variables)[links.sum(axis=0)]
    return float(
        k * np.log(concentration) - gammaln(k + 1) - concentration * harmonic(n_variables) + weights.sum()
    )


def log_class_probability(links: NDArray[np.int8], concentration: float) -> float:
    """Return the log probability of the class of matrices equal to Z up to column order (section 3.2)."""
    k = links.shape[1]
    repeats = Counter(column.tobytes() for column in np.ascontiguousarray(links.T))
    orderings = gammaln(k + 1) - sum(gammaln(count + 1) for count in repeats.values())
    return log_labelled_probability(links, concentration) + float(orderings)


def log_finite_probability(links: NDArray[np.int8], concentration: float) -> float:
    """Return the log probability of the ordered matrix Z with K columns in the finite model (Eq. 5)."""
    n_variables, k = links.shape
    if k == 0:
        return 0.0
    masses = finite_column_log_masses(n_variables, k, concentration)
    return float(masses[links.sum(axis=0)].sum())


def left_ordered(links: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the left-ordered form: columns as binary numbers (first variable most significant), falling.

    Examples
    --------
    >>> left_ordered(np.array([[0, 1], [1, 0]], dtype=np.int8))
    array([[1, 0],
           [0, 1]], dtype=int8)
    """
    # The last key of lexsort counts most.
    order = np.lexsort(links[::-1])[::-1]
    return links[:, order]
