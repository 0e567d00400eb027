"""Links proposed without a look at the data.

Nothing good is born this way. But a launch, which looks, would hardly ever propose a cause that stands for
nothing, or one that is there already; and what a birth would not propose a death cannot undo, nor a merge
what a split would not. So there are blind births and splits as well, a kind of move of their own: they cost
little.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.streams import bernoulli, pick
from hiddencauses.kernels.summed.group import Group, degree_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["blind_division", "draw_blind_links", "log_blind_density"]

#: How likely a link is given to both parts of a cause, either of these: the parts are alike, or one is a
#: piece of the other.
MOSTLY_BOTH, HALF_BOTH = 0.9, 0.4


@compiled
def draw_blind_links(stream: NDArray[np.uint64], group: Group) -> None:
    """Give the only cause of a group any number of links, all numbers alike, to any variables."""
    n_variables = group.z.shape[0]
    wanted = 1 + pick(stream, n_variables)
    for i in range(n_variables):
        left = n_variables - i
        if wanted == left or (wanted > 0 and bernoulli(stream, wanted / left)):
            group.z[i, 0] = 1
            wanted -= 1


@compiled
def log_blind_density(group: Group) -> float:
    """Return the log probability with which `draw_blind_links` draws what the cause has."""
    n, degree = float(group.z.shape[0]), float(degree_in(group, 0))
    log_subsets = math.lgamma(n + 1.0) - math.lgamma(degree + 1.0) - math.lgamma(n - degree + 1.0)
    return -math.log(n) - log_subsets


@compiled
def blind_division(stream: NDArray[np.uint64], n_variables: int) -> NDArray[np.float64]:
    """Return chances for dividing links between two causes, as a launch does, none of them given up."""
    both = MOSTLY_BOTH if bernoulli(stream, 0.5) else HALF_BOTH
    chances = np.empty((n_variables, 4))
    chances[:, 0] = 0.0
    chances[:, 1] = chances[:, 2] = 0.5 * (1.0 - both)
    chances[:, 3] = both
    return chances
