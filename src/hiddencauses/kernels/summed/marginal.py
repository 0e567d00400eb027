"""The likelihood of a group's variables with its activity summed out, and the exact draw of that activity."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import ONE, WORD
from hiddencauses.kernels.names import ROW_BLOCK, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State, strength_of
from hiddencauses.kernels.streams import draw_place, open_stream
from hiddencauses.kernels.summed.effort import count_work
from hiddencauses.kernels.summed.group import Group, fill_settings, is_linked
from hiddencauses.kernels.summed.products import LN2, SAFE, begin, renormalise, weigh

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOVE_BLOCKS", "log_marginal"]

#: Blocks of rows that the streams of one move may have: the number of the move stands above them.
MOVE_BLOCKS = 1 << 20
#: Operations for each linked variable, row and setting with a cause on.
MARGINAL_WORK = 8
#: Rows that are worked on at a time, so that what is remembered of them stays near; divides `ROW_BLOCK`.
CHUNK = 1024
#: How the odds of an off cell are marked.
OFF = -1.0


@compiled
def log_marginal(
    rng: Rng,
    purpose: np.int64,
    move: int,
    state: State,
    data: Data,
    spec: KernelSpec,
    kept: NDArray[np.bool_],
    group: Group,
    leak: NDArray[np.float64],
    activity: NDArray[np.uint64],
) -> float:
    """Return log P(x | group) − log P(x | no group) with the group's activity summed out.

    The likelihood is that of the kept causes and the group, with these leaks. With room in `activity`
    (causes of the group × words, or 0 × words) the activity is drawn from its joint conditional.
    """
    size = group.prevalence.size
    if size == 0:
        return 0.0
    n_rows, settings = data.n_rows, 1 << size
    linked = 0
    for i in range(state.z.shape[0]):
        linked += is_linked(group, i)
    count_work(state, MARGINAL_WORK * linked * n_rows * (settings - 1))
    number = np.empty((settings, min(CHUNK, n_rows)))
    power = np.empty((settings, min(CHUNK, n_rows)), dtype=np.int64)
    largest = np.empty(min(CHUNK, n_rows), dtype=np.int64)
    weight = np.empty(settings)
    total = 0.0
    for block in range((n_rows + ROW_BLOCK - 1) // ROW_BLOCK):
        stream = open_stream(rng.seed, rng.chain, purpose, move * MOVE_BLOCKS + block, rng.visit)
        for first in range(block * ROW_BLOCK, min((block + 1) * ROW_BLOCK, n_rows), CHUNK):
            n = min(CHUNK, n_rows - first)
            _multiply(state, data, spec, kept, group, leak, first, number[:, :n], power[:, :n])
            for s in range(settings):
                renormalise(number[s, :n], power[s, :n])
            weigh(number[:, :n], power[:, :n], largest[:n])
            total += _log_sums(number[:, :n], largest[:n])
            if activity.shape[0] > 0:
                for j in range(size):
                    for w in range(first // WORD, (first + n + WORD - 1) // WORD):
                        activity[j, w] = 0
                for r in range(n):
                    for s in range(settings):
                        weight[s] = number[s, r]
                    setting = draw_place(stream, weight)
                    mask = ONE << np.uint64(r & (WORD - 1))
                    for j in range(size):
                        if (setting >> j) & 1:
                            activity[j, (first + r) // WORD] |= mask
    return total


@compiled
def _multiply(
    state: State,
    data: Data,
    spec: KernelSpec,
    kept: NDArray[np.bool_],
    group: Group,
    leak: NDArray[np.float64],
    first: int,
    number: NDArray[np.float64],
    power: NDArray[np.int64],
) -> None:
    """Write prior times likelihood of every setting in some rows from `first` on, as products.

    A setting that switches a variable on with probability S multiplies the likelihood of a cell that is on by
    1 + S · off/on, off and on being the probabilities without the group, and of one that is off by 1 − S.
    """
    settings, n = number.shape
    log_failure = np.empty(settings)
    least, most = np.zeros(settings), np.zeros(settings)  # bounds of what was multiplied up, as logarithms
    odds, on, off = np.empty(n), np.empty(n), np.empty(n)
    for s in range(settings):
        log_prior = 0.0
        for j in range(group.prevalence.size):
            p = group.prevalence[j]
            log_prior += math.log(p) if (s >> j) & 1 else math.log1p(-p)
        begin(number[s], power[s], log_prior)
    for i in range(state.z.shape[0]):
        if not is_linked(group, i):
            continue
        fill_settings(group, i, log_failure)
        _fill_odds(state, data, spec, i, kept, leak[i], first, on, off, odds)
        largest_odds = (1.0 - leak[i]) / leak[i]
        for s in range(1, settings):
            if log_failure[s] == 0.0:
                continue
            failure, success = math.exp(log_failure[s]), -math.expm1(log_failure[s])
            if least[s] + log_failure[s] < -SAFE or most[s] + math.log1p(largest_odds) > SAFE:
                renormalise(number[s], power[s])
                least[s] = most[s] = 0.0
            least[s] += log_failure[s]
            most[s] += math.log1p(largest_odds)
            products = number[s]
            for r in range(n):
                products[r] *= failure if odds[r] == OFF else 1.0 + odds[r] * success


@compiled
def _fill_odds(
    state: State,
    data: Data,
    spec: KernelSpec,
    i: int,
    kept: NDArray[np.bool_],
    leak: float,
    first: int,
    on: NDArray[np.float64],
    off: NDArray[np.float64],
    odds: NDArray[np.float64],
) -> None:
    """Write P(off) / P(on), given the kept causes, of cells that are on; `OFF` and 0 (missing) of others."""
    n = odds.size
    on[:] = leak
    off[:] = 1.0 - leak
    for k in range(state.count[0]):
        if kept[k] and state.z[i, k]:
            strength = strength_of(state.strength, spec.strength_scope, i, k)
            for start in range(0, n, WORD):
                active = state.y[k, (first + start) // WORD]
                if active:
                    for b in range(min(WORD, n - start)):
                        acting = strength if active & (ONE << np.uint64(b)) else 0.0
                        on[start + b] += off[start + b] * acting
                        off[start + b] *= 1.0 - acting
    for start in range(0, n, WORD):
        ones, zeros = data.ones[i, (first + start) // WORD], data.zeros[i, (first + start) // WORD]
        for b in range(min(WORD, n - start)):
            mask = ONE << np.uint64(b)
            ratio = off[start + b] / on[start + b]
            odds[start + b] = ratio if ones & mask else (OFF if zeros & mask else 0.0)


@compiled
def _log_sums(weight: NDArray[np.float64], largest: NDArray[np.int64]) -> float:
    """Return Σ log of the rows' sums, weights being multiples of 2 to the power `largest`."""
    total, product, powers = 0.0, 1.0, 0
    for r in range(largest.size):
        row = 0.0
        for s in range(weight.shape[0]):
            row += weight[s, r]
        powers += largest[r]
        product *= row  # between 1 and twice the number of settings
        if r % 64 == 63:
            total += math.log(product)
            product = 1.0
    return total + math.log(product) + powers * LN2
