"""A link taken from one cause and given to another."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.names import SWAP, Rng
from hiddencauses.kernels.state import PER_CAUSE, PER_LINK, Data, KernelSpec, State, set_link
from hiddencauses.kernels.streams import draw_place, open_stream, pick
from hiddencauses.kernels.summed.effort import SWAPS, note_change
from hiddencauses.kernels.summed.group import group_of, strength_of_cause, without, write_activity
from hiddencauses.kernels.summed.target import log_target_ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["update_by_swap"]

#: Weight of a cause that shares nothing with the one that gives the link away.
LEAST_WEIGHT = 0.05


@compiled
def update_by_swap(rng: Rng, state: State, data: Data, spec: KernelSpec, move: int) -> None:
    """Propose to move a link of some variable from cause a, which keeps others, to cause b.

    The variable and a are chosen all alike, b by what it shares with a besides this variable. With w(x, y)
    that weight and W its sum over all causes that could be chosen, it is accepted with probability

        min(1, target ratio · w(b, a) W(a) / (w(a, b) W(b))).

    There are as many causes to give the link back as there were to give it away. The strength of a link
    goes with it.
    """
    stream = open_stream(rng.seed, rng.chain, SWAP, move, rng.visit)
    i = pick(stream, state.z.shape[0])
    givers, takers = _candidates(state, i)
    if givers.size == 0 or takers.size == 0:
        return
    state.counters[19] += 1
    a = givers[pick(stream, givers.size)]
    forward = _weights(state, i, a, takers)
    chosen = draw_place(stream, forward)
    b = takers[chosen]
    takers[chosen] = a
    backward = _weights(state, i, b, takers)
    causes = np.array([a, b])
    old, new = group_of(state, spec, causes), group_of(state, spec, causes)
    new.z[i, 0], new.z[i, 1] = 0, 1
    if spec.strength_scope == PER_LINK:
        new.strength[i, 1] = old.strength[i, 0]
    elif spec.strength_scope == PER_CAUSE:
        new.strength[i, 1] = strength_of_cause(old, 1)
    activity = np.empty((2, state.y.shape[1]), dtype=np.uint64)
    kept = without(state, causes)
    gain = log_target_ratio(rng, move, state, data, spec, kept, old, new, state.leak, activity)
    log_ratio = gain + _log_chance(backward, chosen) - _log_chance(forward, chosen)
    if accept(stream, log_ratio):
        state.counters[20] += 1
        note_change(state, SWAPS, gain, rng.warming)
        set_link(state, i, a, 0)
        set_link(state, i, b, 1)
        if spec.strength_scope == PER_LINK:
            state.strength[i, b] = new.strength[i, 1]
        write_activity(state, a, activity, 0)
        write_activity(state, b, activity, 1)


@compiled
def _candidates(state: State, i: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the causes that may give a link of variable i away, and those that may take it."""
    givers = np.empty(state.count[0], dtype=np.int64)
    takers = np.empty(state.count[0], dtype=np.int64)
    n_givers = n_takers = 0
    for k in range(state.count[0]):
        if state.z[i, k]:
            if state.degree[k] > 1:
                givers[n_givers] = k
                n_givers += 1
        elif state.degree[k] > 0:
            takers[n_takers] = k
            n_takers += 1
    return givers[:n_givers], takers[:n_takers]


@compiled
def _weights(state: State, i: int, k: int, others: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return weights of causes by the share of their links that they have in common with k, without i."""
    weight = np.empty(others.size)
    for o in range(others.size):
        common = links = 0
        for v in range(state.z.shape[0]):
            if v != i and state.z[v, others[o]]:
                links += 1
                common += state.z[v, k]
        weight[o] = LEAST_WEIGHT + common / max(links, 1)
    return weight


@compiled
def _log_chance(weight: NDArray[np.float64], chosen: int) -> float:
    """Return the log probability with which a place is chosen."""
    return math.log(weight[chosen] / weight.sum())
