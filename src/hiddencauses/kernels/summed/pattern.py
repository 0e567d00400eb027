"""First guesses at the links of new causes: what two badly explained rows have in common.

A row shows the variables of all its causes, two rows that share a cause mostly show that cause. Both are
drawn from what the kept causes leave unexplained, never from the causes to be replaced, so that the draw is
the same for a move and for its reverse and cancels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.streams import draw_place

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["fill_patterns"]

#: Strength of a guessed link: seen in no row, further for one of them, further for both.
IN_NONE, IN_ONE, IN_BOTH = 0.05, 0.25, 0.5
#: A row with so many unexplained cells is picked half as often as one with many more.
HALFWAY = 2.0
#: No row is quite impossible.
LEAST_WEIGHT = 1e-9


@compiled
def fill_patterns(
    stream: NDArray[np.uint64], gains: NDArray[np.float64], strength: NDArray[np.float64]
) -> None:
    """Write guessed strengths, variables × causes."""
    n_variables, n_rows = gains.shape
    unexplained = np.empty((n_variables, n_rows))
    for v in range(n_variables):
        for r in range(n_rows):
            # the probability that a cell that is on would be off
            unexplained[v, r] = gains[v, r] / (1.0 + gains[v, r]) if gains[v, r] > 0.0 else 0.0
    left = np.ones(n_variables)
    weight = np.empty(n_rows)
    for j in range(strength.shape[1]):
        weight[:] = 0.0
        for v in range(n_variables):
            for r in range(n_rows):
                weight[r] += unexplained[v, r] * left[v]
        for r in range(n_rows):
            total = weight[r] * weight[r]
            weight[r] = total / (total + HALFWAY * HALFWAY) + LEAST_WEIGHT
        one = draw_place(stream, weight)
        weight[:] = 0.0
        for v in range(n_variables):
            shown = unexplained[v, one] * left[v]
            for r in range(n_rows):
                weight[r] += shown * unexplained[v, r]
        for r in range(n_rows):
            weight[r] = (0.0 if r == one else weight[r] * weight[r]) + LEAST_WEIGHT
        other = draw_place(stream, weight)
        for v in range(n_variables):
            more, less = unexplained[v, one], unexplained[v, other]
            if more < less:
                more, less = less, more
            strength[v, j] = IN_NONE + IN_ONE * more + IN_BOTH * less
            left[v] *= 1.0 - less
