"""Quadrature rules for the parameters that all causes share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln, roots_jacobi

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.model.priors import Beta, Gamma

__all__ = ["beta_nodes", "gamma_nodes"]

BETA_NODES, GAMMA_NODES = 16, 48


def beta_nodes(prior: Beta) -> list[tuple[float, float]]:
    """Return values and weights that integrate a polynomial against a Beta density."""
    nodes, weights = roots_jacobi(BETA_NODES, prior.b - 1, prior.a - 1)
    return list(zip((0.5 * (nodes + 1)).tolist(), (weights / weights.sum()).tolist(), strict=True))


def gamma_nodes(prior: Gamma) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return values and weights that integrate a smooth function against a Gamma density.

    The half line is folded into an interval by t = x / (1 + x). In t the rational functions of x that
    the finite model leads to have no pole nearby, and the density's factor tᵃ⁻¹ becomes the weight of
    a Gauss-Jacobi rule.
    """
    nodes, weights = roots_jacobi(GAMMA_NODES, 0.0, prior.shape - 1)
    t = 0.5 * (nodes + 1)
    x = t / (1 - t)
    # The rule's weight in t is (2t)^(a−1) / 2 per unit of t.
    scale = prior.shape * np.log(prior.rate) - gammaln(prior.shape) - prior.shape * np.log(2.0)
    return x, weights * np.exp(scale - prior.rate * x - (prior.shape + 1) * np.log1p(-t))
