"""The noisy-OR: how probable the cells of a table are, given links, activity and parameters (Eq. 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.model.world import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["log_likelihood", "log_off_probabilities", "spread_strength", "strength_per_link"]


def strength_per_link(world: World) -> NDArray[np.float64]:
    """Return λ as variables × causes whatever its scope, 0 where there is no link."""
    return spread_strength(world.parameters.strength, world.links)


def spread_strength(strength: NDArray[np.float64], links: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return a strength of any scope as variables × causes, 0 where there is no link."""
    return np.where(links == 1, np.broadcast_to(strength, links.shape), 0.0)


def log_off_probabilities(world: World) -> NDArray[np.float64]:
    """Return log P(cell = 0) for every cell, rows × variables.

    A cell is off when neither the leak nor any active linked cause switches it on:
    log(1 − ε) + Σ_k z y log(1 − λ).
    """
    log_failure = np.log1p(-strength_per_link(world))
    return np.log1p(-world.parameters.leak) + world.activity.astype(np.float64) @ log_failure.T


def log_likelihood(codes: NDArray[np.int8], world: World) -> float:
    """Return log P(X | Z, Y, λ, ε), missing cells left out.

    Parameters
    ----------
    codes
        Cells as rows × variables: 0, 1, or −1 for missing.
    world
        Where to evaluate.
    """
    log_off = log_off_probabilities(world)
    log_on = np.log(-np.expm1(log_off))
    return float(log_off[codes == 0].sum() + log_on[codes == 1].sum())
