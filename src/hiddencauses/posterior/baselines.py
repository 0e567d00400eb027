"""What hidden causes are compared with: independent variables, and latent classes.

A baseline learns from a table and says of any row the log probability of its cells that are there; the
chance of a cell given others follows from two of these.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Mixture", "baselines", "independent", "latent_classes"]

#: Latent classes are tried up to so many, and the number with the least BIC is taken.
MOST_CLASSES = 10


class Mixture:
    """Classes of rows, in each of which variables are independent; one class is plain independence.

    Attributes
    ----------
    weight
        Of each class.
    on
        Classes × variables: chances of 1.
    """

    def __init__(self, weight: NDArray[np.float64], on: NDArray[np.float64]) -> None:
        self.weight, self.on = weight, np.clip(on, 1e-6, 1 - 1e-6)

    def log_densities(self, codes: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return log P(class, cells that are there), rows × classes."""
        ones, zeros = (codes == 1).astype(np.float64), (codes == 0).astype(np.float64)
        return np.asarray(np.log(self.weight) + ones @ np.log(self.on).T + zeros @ np.log1p(-self.on).T)

    def log_density(self, codes: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return log P(cells that are there) of each row."""
        return np.asarray(logsumexp(self.log_densities(codes), axis=1))

    def chances(self, codes: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return P(cell = 1 | the row's cells that are there), rows × variables."""
        joint = self.log_densities(codes)
        return np.asarray(np.exp(joint - logsumexp(joint, axis=1, keepdims=True)) @ self.on)


def independent(codes: NDArray[np.int8], seed: int) -> Mixture:
    """Learn each variable's own share of ones, with one further one and one further zero."""
    ones, there = (codes == 1).sum(axis=0), (codes >= 0).sum(axis=0)
    return Mixture(np.ones(1), ((ones + 1.0) / (there + 2.0))[None, :])


def latent_classes(codes: NDArray[np.int8], seed: int) -> Mixture:
    """Learn latent classes by StepMix, as many as have the least BIC."""
    from stepmix.stepmix import StepMix

    cells = np.where(codes < 0, np.nan, codes).astype(np.float64)
    best, least = None, np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of scikit-learn's private names, and of starts that do not converge
        for classes in range(1, MOST_CLASSES + 1):
            model = StepMix(
                classes,
                measurement="binary_nan",
                n_init=3,
                max_iter=500,
                random_state=seed % 2**32,
                verbose=0,
                progress_bar=0,
            )
            model.fit(cells)
            bic = float(model.bic(cells))
            if bic >= least:
                break
            best, least = model, bic
    assert best is not None
    found = best.get_parameters()
    return Mixture(np.asarray(found["weights"]).ravel(), np.asarray(found["measurement"]["pis"]))


def baselines() -> dict[str, Callable[[NDArray[np.int8], int], Mixture]]:
    """Return the baselines that can be run here, by name: latent classes only where StepMix is installed."""
    found: dict[str, Callable[[NDArray[np.int8], int], Mixture]] = {"independent variables": independent}
    if find_spec("stepmix") is not None:
        found["latent classes"] = latent_classes
    return found
