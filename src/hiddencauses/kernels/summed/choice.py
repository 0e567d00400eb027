"""Which causes a move is about: contexts by links shared, pairs by links and activity, victims by size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import count_both, words_for
from hiddencauses.kernels.state import KernelSpec, State, strength_of
from hiddencauses.kernels.streams import draw_place
from hiddencauses.kernels.summed.gains import bits_of_rows
from hiddencauses.kernels.summed.group import Group

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["draw_contexts", "draw_pair", "log_pair_chance", "pair_weights", "victim_chances"]

#: What keeps every choice possible: weight of a context that shares nothing, of all pairs that do not.
LEAST_CONTEXT, LEAST_PAIRS = 0.05, 0.2
#: How often a victim is chosen by its size.
BY_SIZE = 0.5


@compiled
def draw_contexts(
    stream: NDArray[np.uint64],
    state: State,
    others: NDArray[np.int64],
    links: NDArray[np.int8],
    contexts: NDArray[np.int64],
) -> None:
    """Choose causes, one after the other, that have the given links, or those of them not yet covered."""
    left = links.copy()
    free = np.ones(others.size, dtype=np.bool_)
    for c in range(contexts.size):
        weight = _context_weights(state, others, free, left)
        chosen = draw_place(stream, weight)
        free[chosen] = False
        contexts[c] = others[chosen]
        left -= left * state.z[:, contexts[c]]


@compiled
def _context_weights(
    state: State, others: NDArray[np.int64], free: NDArray[np.bool_], links: NDArray[np.int8]
) -> NDArray[np.float64]:
    weight = np.zeros(others.size)
    for o in range(others.size):
        if free[o]:
            common = 0
            for i in range(links.size):
                common += links[i] * state.z[i, others[o]]
            weight[o] = LEAST_CONTEXT + common / state.degree[others[o]]
    return weight


@compiled
def pair_weights(
    state: State,
    kept: NDArray[np.bool_],
    group: Group,
    activity: NDArray[np.uint64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return a weight for each two of: the kept causes that have links, then those of a group.

    Two causes that share links may be one cause twice; two that are on together may be one cause in halves.
    """
    n_variables = state.z.shape[0]
    most = state.count[0] + group.prevalence.size
    links = np.zeros((most, n_variables), dtype=np.int8)
    on = np.zeros((most, words_for(rows.size)), dtype=np.uint64)
    n = 0
    for k in range(state.count[0]):
        if kept[k] and state.degree[k] > 0:
            links[n] = state.z[:, k]
            bits_of_rows(state.y[k], rows, on[n])
            n += 1
    for j in range(group.prevalence.size):
        links[n] = group.z[:, j]
        bits_of_rows(activity[j], rows, on[n])
        n += 1
    degrees, rate = np.zeros(n), np.zeros(n)
    for a in range(n):
        degrees[a] = links[a].sum()
        rate[a] = count_both(on[a], on[a])
    weight = np.zeros((n, n))
    for a in range(n):
        for b in range(a):
            common = 0
            for i in range(n_variables):
                common += links[a, i] & links[b, i]
            both = count_both(on[a], on[b])
            overlap = common / min(degrees[a], degrees[b])
            together = 0.0
            if rate[a] > 0 and rate[b] > 0:
                together = max(both - rate[a] * rate[b] / rows.size, 0.0) / math.sqrt(rate[a] * rate[b])
            weight[a, b] = weight[b, a] = overlap**3 + together**2 + LEAST_PAIRS / n
    return weight


@compiled
def draw_pair(stream: NDArray[np.uint64], weight: NDArray[np.float64]) -> tuple[int, int]:
    """Choose an ordered pair with probability proportional to its weight."""
    place = draw_place(stream, weight.ravel())
    return place // weight.shape[0], place % weight.shape[0]


@compiled
def log_pair_chance(weight: NDArray[np.float64], a: int, b: int) -> float:
    """Return the log probability with which `draw_pair` chooses these."""
    return math.log(weight[a, b] / weight.sum())


@compiled
def victim_chances(
    state: State, spec: KernelSpec, kept: NDArray[np.bool_], group: Group, activity: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Return the chance to be chosen for death of: the kept causes that have links, then those of a group.

    What stands for nothing switches few cells on; of causes as large as that hardly any should be there.
    """
    chances = np.empty(state.count[0] + group.prevalence.size)
    n, total = 0, 0.0
    for k in range(state.count[0]):
        if kept[k] and state.degree[k] > 0:
            acting = 0.0
            for i in range(state.z.shape[0]):
                if state.z[i, k]:
                    acting += strength_of(state.strength, spec.strength_scope, i, k)
            chances[n] = 1.0 / (1.0 + acting * count_both(state.y[k], state.y[k]))
            total += chances[n]
            n += 1
    for j in range(group.prevalence.size):
        acting = 0.0
        for i in range(group.z.shape[0]):
            if group.z[i, j]:
                acting += group.strength[i, j]
        chances[n] = 1.0 / (1.0 + acting * count_both(activity[j], activity[j]))
        total += chances[n]
        n += 1
    for c in range(n):
        chances[c] = BY_SIZE * chances[c] / total + (1.0 - BY_SIZE) / n
    return chances[:n]
