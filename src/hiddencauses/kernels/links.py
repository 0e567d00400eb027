"""Links of one variable to the causes it may share, one after the other (Eq. 10 and 11)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import ONE, lowest, popcount
from hiddencauses.kernels.names import LINKS, Rng
from hiddencauses.kernels.state import PER_LINK, Data, KernelSpec, State, set_link, strengths_at
from hiddencauses.kernels.streams import draw_beta, open_stream, permutation, uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["gain_of_link", "update_links"]

#: A gain within bounds is taken as decided when these leave so much, relative to what was added up.
ROUNDING = 1e-9
#: Factors are multiplied up to here before a logarithm is taken.
LARGE = 1e100


@compiled
def update_links(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> None:
    """Draw every z_ik from its conditional, causes in a fresh random order.

    The prior odds of a link are (m + a) / (N − m), m being the links of the cause to other variables and a =
    α/K, or 0 in the infinite model, where causes that only i has are left to `update_own_causes`. An order by
    storage would depend on the state and bias the sampler. With a strength per link the strength of an
    unlinked pair is drawn from its prior first, which leaves the posterior of all else as it is.
    """
    stream = open_stream(rng.seed, rng.chain, LINKS, i, rng.visit)
    n_variables, leak = state.z.shape[0], state.leak[i]
    count = state.count[0]
    share = state.concentration[0] / count if spec.finite else 0.0
    linked, y, ones, zeros = state.z[i, :count], state.y, data.ones[i], data.zeros[i]
    strengths = strengths_at(state.strength, spec.strength_scope, i, np.arange(count))
    room = np.empty(ones.size, dtype=np.uint64)
    for k in permutation(stream, count):
        others = state.degree[k] - linked[k]
        if others == 0 and not spec.finite:
            continue
        if spec.strength_scope == PER_LINK and not linked[k]:
            strengths[k] = draw_beta(stream, spec.strength_a, spec.strength_b)
            state.strength[i, k] = strengths[k]
        drawn = uniform(stream)
        # the uniform number is below 1 / (1 + exp(−log odds)) when the gain is above this
        needed = math.log(drawn * (n_variables - others) / ((1.0 - drawn) * (others + share)))
        gain = gain_of_link(y, ones, zeros, linked, strengths, leak, k, needed, room)
        value = 1 if gain > needed else 0
        if value != linked[k]:
            set_link(state, i, k, value)


@compiled
def gain_of_link(
    y: NDArray[np.uint64],
    ones: NDArray[np.uint64],
    zeros: NDArray[np.uint64],
    linked: NDArray[np.int8],
    strengths: NDArray[np.float64],
    leak: float,
    k: int,
    needed: float,
    others_active: NDArray[np.uint64],
) -> float:
    """Return log P(x_i | z_ik = 1) − log P(x_i | z_ik = 0), or a bound that is on the same side of `needed`.

    Only rows where the cause is active count. Of these, cells that are off contribute log(1 − λ) each; cells
    that are on and that no other cause may have switched on log(1 + λ (1 − ε)/ε) each: both are counted. The
    others must be looked at one by one, but each brings at least nothing and at most what it would if only
    the weakest of the other causes were active, which mostly settles it.

    Parameters
    ----------
    y
        Activity, places × words.
    ones, zeros
        Cells of the variable.
    linked, strengths, leak
        Its links by place, with their strengths, and its leak.
    k
        The cause.
    needed
        What the gain will be compared with; NaN for the gain itself.
    others_active
        Room for a word for each word of rows.
    """
    strength, weakest = strengths[k], 1.0
    for w in range(others_active.size):
        others_active[w] = 0
    for j in range(linked.size):
        if linked[j] and j != k:
            weakest = min(weakest, strengths[j])
            for w in range(others_active.size):
                others_active[w] |= y[j, w]
    off = alone = unsettled = 0
    for w in range(others_active.size):
        active = y[k, w]
        on = active & ones[w]
        off += popcount(active & zeros[w])
        alone += popcount(on & ~others_active[w])
        unsettled += popcount(on & others_active[w])
    loss = off * math.log1p(-strength)
    least = loss + alone * math.log1p(strength * (1.0 - leak) / leak)
    if unsettled == 0:
        return least
    margin = ROUNDING * (1.0 + least - 2.0 * loss)
    if least - margin > needed:
        return least
    odds = (1.0 - leak) * (1.0 - weakest) / (leak + (1.0 - leak) * weakest)
    most = least + unsettled * math.log1p(strength * odds)
    if most + margin < needed:
        return most
    return least + _gain_of_unsettled(y, ones, linked, strengths, leak, k, others_active)


@compiled
def _gain_of_unsettled(
    y: NDArray[np.uint64],
    ones: NDArray[np.uint64],
    linked: NDArray[np.int8],
    strengths: NDArray[np.float64],
    leak: float,
    k: int,
    others_active: NDArray[np.uint64],
) -> float:
    """Return Σ log(1 + λ P(off) / P(on)) over rows that are on, with this and another cause active."""
    total, product = 0.0, 1.0
    for w in range(others_active.size):
        left = y[k, w] & ones[w] & others_active[w]
        while left:
            mask = ONE << np.uint64(lowest(left))
            left &= ~mask
            on, off = leak, 1.0 - leak
            for j in range(linked.size):
                if linked[j] and j != k and y[j, w] & mask:
                    on += off * strengths[j]
                    off *= 1.0 - strengths[j]
            factor = 1.0 + strengths[k] * off / on
            if factor > LARGE:
                total += math.log(factor)
            else:
                product *= factor
                if product > LARGE:
                    total += math.log(product)
                    product = 1.0
    return total + math.log(product)
