"""The paper's two measures of how far draws are from a true structure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hiddencauses.sampling.draws import Draws

__all__ = ["co_linkage", "in_degree_error", "structure_error"]


def co_linkage(draws: Draws, chain: int) -> NDArray[np.int64]:
    """Return ZZᵀ of every draw of a chain, draws × variables × variables."""
    links = [draws.links(chain, draw).astype(np.int64) for draw in range(draws.n_draws)]
    return np.stack([each @ each.T for each in links])


def in_degree_error(expected: NDArray[np.float64], links: NDArray[np.int8]) -> float:
    """Return Σ |true − expected in-degree| from E[ZZᵀ] and the true links."""
    true = links.astype(float) @ links.T
    return float(np.abs(np.diag(true) - np.diag(expected)).sum())


def structure_error(expected: NDArray[np.float64], links: NDArray[np.int8]) -> float:
    """Return Σ |true − expected| over the pairs of variables."""
    true = links.astype(float) @ links.T
    return float(np.abs(np.triu(true - expected, k=1)).sum())
