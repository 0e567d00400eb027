"""Activity of every cause in every row, one cause after the other (Eq. 12)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import ONE, WORD
from hiddencauses.kernels.names import ACTIVITY, ACTIVITY_ORDER, ROW_BLOCK, Rng
from hiddencauses.kernels.state import (
    Data,
    KernelSpec,
    State,
    prevalence_of,
    strength_of,
)
from hiddencauses.kernels.streams import open_stream, permutation, uniform_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["update_activity"]

#: Log odds beyond this are certain: no uniform number is nearer to 0 or 1.
CERTAIN = 37.0
#: exp(−n), to settle most rows without an exponential of their own.
_POWERS = np.exp(-np.arange(CERTAIN + 2.0))
#: A row within bounds is taken as settled when these leave so much.
ROUNDING = 1e-6


class _Links(NamedTuple):
    """Links cause by cause, with what a cell of the variable says of the cause.

    first: where the links of a cause begin, with the end behind the last; variable; off: log odds from a
    cell that is off; alone: from one that is on and that nothing but the leak could have switched on; most:
    from one that is on, at most, if another cause is active as well.
    """

    first: NDArray[np.int64]
    variable: NDArray[np.int64]
    off: NDArray[np.float64]
    alone: NDArray[np.float64]
    most: NDArray[np.float64]


@compiled
def update_activity(rng: Rng, state: State, data: Data, spec: KernelSpec) -> None:
    """Draw every y_rk from its conditional, causes in a fresh random order that all rows share.

    Rows are independent given links and parameters, so that blocks of rows can be worked on anywhere.
    """
    order = permutation(open_stream(rng.seed, rng.chain, ACTIVITY_ORDER, 0, rng.visit), state.count[0])
    links = _describe_links(state, spec)
    for block in range((data.n_rows + ROW_BLOCK - 1) // ROW_BLOCK):
        _update_block(rng, state, data, spec, links, order, block)


@compiled
def _describe_links(state: State, spec: KernelSpec) -> _Links:
    count = state.count[0]
    total = 0
    for k in range(count):
        total += state.degree[k]
    links = _Links(
        np.zeros(count + 1, dtype=np.int64),
        np.empty(total, dtype=np.int64),
        np.empty(total),
        np.empty(total),
        np.empty(total),
    )
    n = 0
    for k in range(count):
        for i in range(state.z.shape[0]):
            if state.z[i, k]:
                strength, weakest, on = (
                    strength_of(state.strength, spec.strength_scope, i, k),
                    1.0,
                    state.leak[i],
                )
                for j in range(count):
                    if state.z[i, j] and j != k:
                        weakest = min(weakest, strength_of(state.strength, spec.strength_scope, i, j))
                most_odds = (1.0 - on) * (1.0 - weakest) / (on + (1.0 - on) * weakest)
                links.variable[n] = i
                links.off[n] = math.log1p(-strength)
                links.alone[n] = math.log1p(strength * (1.0 - on) / on)
                links.most[n] = math.log1p(strength * most_odds)
                n += 1
        links.first[k + 1] = n
    return links


@compiled
def _update_block(
    rng: Rng,
    state: State,
    data: Data,
    spec: KernelSpec,
    links: _Links,
    order: NDArray[np.int64],
    block: int,
) -> None:
    """Draw the activity of one block of rows.

    A row's log odds are a sum over the links of the cause. Cells that are off, and those that are on with no
    other cause active, are added up for 64 rows at a time. Cells that are on with other causes active bring
    at least nothing and at most `most`; only rows that this leaves open are looked at one by one.
    """
    stream = open_stream(rng.seed, rng.chain, ACTIVITY, block, rng.visit)
    first_row = block * ROW_BLOCK
    n_rows = min(ROW_BLOCK, data.n_rows - first_row)
    first_word, n_words = first_row // WORD, (n_rows + WORD - 1) // WORD
    least, slack = np.empty(n_words * WORD), np.empty(n_words * WORD)
    others_active = np.empty(n_words, dtype=np.uint64)
    for place in range(order.size):
        k = order[place]
        p = prevalence_of(state.prevalence, spec.prevalence_shared, k)
        least[:] = math.log(p) - math.log1p(-p)
        slack[:] = 0.0
        for link in range(links.first[k], links.first[k + 1]):
            i = links.variable[link]
            others_active[:] = 0
            for j in range(state.count[0]):
                if state.z[i, j] and j != k:
                    for w in range(n_words):
                        others_active[w] |= state.y[j, first_word + w]
            for w in range(n_words):
                on = data.ones[i, first_word + w]
                _add_weights(
                    least[w * WORD : (w + 1) * WORD],
                    data.zeros[i, first_word + w],
                    links.off[link],
                    on & ~others_active[w],
                    links.alone[link],
                )
                if on & others_active[w]:
                    _add_weight(slack[w * WORD : (w + 1) * WORD], on & others_active[w], links.most[link])
        for w in range(n_words):
            word = np.uint64(0)
            for b in range(min(WORD, n_rows - w * WORD)):
                row = w * WORD + b
                if least[row] + slack[row] < -CERTAIN:
                    continue
                drawn = uniform_at(stream, place * n_rows + row)
                decided = _settle(drawn, least[row], slack[row])
                if decided < 0:
                    unsettled = _gain_of_unsettled(state, data, spec, links, k, first_word + w, b)
                    decided = 1 if drawn < 1.0 / (1.0 + math.exp(-least[row] - unsettled)) else 0
                if decided:
                    word |= ONE << np.uint64(b)
            state.y[k, first_word + w] = word


@compiled
def _add_weights(
    total: NDArray[np.float64], one: np.uint64, weight: float, other: np.uint64, other_weight: float
) -> None:
    """Add to the numbers of 64 rows a weight where a bit is set, another where one of another word is."""
    for b in range(WORD):
        mask = ONE << np.uint64(b)
        total[b] += (weight if one & mask else 0.0) + (other_weight if other & mask else 0.0)


@compiled
def _add_weight(total: NDArray[np.float64], rows: np.uint64, weight: float) -> None:
    for b in range(WORD):
        total[b] += weight if rows & (ONE << np.uint64(b)) else 0.0


@compiled
def _settle(drawn: float, least: float, slack: float) -> int:
    """Tell whether a uniform number is below 1/(1 + exp(−log odds)): 1, 0, or −1 if bounds leave it open."""
    if least > CERTAIN:
        return 1
    most = least + slack
    if most < -1.0 and drawn >= _POWERS[int(-most)]:
        return 0
    if least > 1.0 and 1.0 - drawn >= _POWERS[int(least)]:
        return 1
    if slack == 0.0:
        return 1 if drawn < 1.0 / (1.0 + math.exp(-least)) else 0
    needed = math.log(drawn) - math.log1p(-drawn)
    if most + ROUNDING < needed:
        return 0
    if least - ROUNDING > needed:
        return 1
    return -1


@compiled
def _gain_of_unsettled(
    state: State, data: Data, spec: KernelSpec, links: _Links, k: int, w: int, b: int
) -> float:
    """Return the log odds from those cells of a row that are on with other causes active."""
    mask = ONE << np.uint64(b)
    total = 0.0
    for link in range(links.first[k], links.first[k + 1]):
        i = links.variable[link]
        if data.ones[i, w] & mask:
            on, off, active = state.leak[i], 1.0 - state.leak[i], False
            for j in range(state.count[0]):
                if j != k and state.z[i, j] and state.y[j, w] & mask:
                    strength = strength_of(state.strength, spec.strength_scope, i, j)
                    on += off * strength
                    off *= 1.0 - strength
                    active = True
            if active:
                total += math.log1p(strength_of(state.strength, spec.strength_scope, i, k) * off / on)
    return total
