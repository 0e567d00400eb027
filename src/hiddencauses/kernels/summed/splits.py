"""One cause into two that together have its links, and two into one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.names import SPLIT_MERGE, Rng
from hiddencauses.kernels.state import NEEDS_ROOM, WELL, Data, KernelSpec, State
from hiddencauses.kernels.streams import bernoulli, open_stream, pick
from hiddencauses.kernels.summed.blind import blind_division
from hiddencauses.kernels.summed.choice import draw_pair, log_pair_chance, pair_weights
from hiddencauses.kernels.summed.effort import BLIND, SPLITS, note_change
from hiddencauses.kernels.summed.fit import draw_parameters, fit, log_parameters_density
from hiddencauses.kernels.summed.gains import gains, sampled_rows
from hiddencauses.kernels.summed.group import (
    degree_in,
    group_of,
    linked_causes,
    new_group,
    replace,
    without,
)
from hiddencauses.kernels.summed.launch import draw_links, launch, log_links_density
from hiddencauses.kernels.summed.target import log_target_ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["update_by_split_or_merge"]


@compiled
def update_by_split_or_merge(
    rng: Rng, state: State, data: Data, spec: KernelSpec, move: int, blind: bool
) -> int:
    """Propose a split or a merge, each half of the time.

    With n causes that have links before a split, L the probability of the links of the two as proposed,
    q and q₂ the densities of parameters under the fits of the one and of the two, and c the chance with which
    the two are picked to be merged afterwards, a split is accepted with probability

        min(1, target ratio · c n q / (L q₂)),

    a merge with the inverse of the same, in which n are left.
    """
    if state.count[0] == state.degree.size:
        return NEEDS_ROOM
    stream = open_stream(rng.seed, rng.chain, SPLIT_MERGE, move, rng.visit)
    rows = sampled_rows(stream, data.n_rows)
    linked = linked_causes(state)
    if bernoulli(stream, 0.5):
        if linked.size > 0:
            _split(rng, stream, state, data, spec, move, rows, blind, linked)
    elif linked.size > 1:
        _merge(rng, stream, state, data, spec, move, rows, blind, linked)
    return WELL


@compiled
def _split(
    rng: Rng,
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    move: int,
    rows: NDArray[np.int64],
    blind: bool,
    linked: NDArray[np.int64],
) -> None:
    state.counters[13] += 1
    causes = np.full(1, linked[pick(stream, linked.size)])
    kept = without(state, causes)
    old, new = group_of(state, spec, causes), new_group(state, spec, 2)
    variables = np.flatnonzero(old.z[:, 0])
    chances = _chances(stream, state, data, spec, kept, variables, rows, blind)
    draw_links(stream, chances, variables, new)
    if degree_in(new, 0) == 0 or degree_in(new, 1) == 0:
        return
    found = fit(state, data, spec, kept, new, 0, rows)
    draw_parameters(stream, spec, found, new, 0)
    activity = np.empty((2, state.y.shape[1]), dtype=np.uint64)
    gain = log_target_ratio(rng, move, state, data, spec, kept, old, new, state.leak, activity)
    weights = pair_weights(state, kept, new, activity, rows)
    log_ratio = (
        gain
        + log_pair_chance(weights, linked.size - 1, linked.size)
        + math.log(linked.size)
        + log_parameters_density(spec, fit(state, data, spec, kept, old, 0, rows), old, 0)
        - log_links_density(chances, variables, new)
        - log_parameters_density(spec, found, new, 0)
    )
    if accept(stream, log_ratio):
        state.counters[14] += 1
        note_change(state, BLIND if blind else SPLITS, gain, rng.warming)
        replace(rng, state, spec, causes, new, activity)


@compiled
def _merge(
    rng: Rng,
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    move: int,
    rows: NDArray[np.int64],
    blind: bool,
    linked: NDArray[np.int64],
) -> None:
    state.counters[15] += 1
    weights = pair_weights(state, without(state, linked[:0]), new_group(state, spec, 0), state.y[:0], rows)
    a, b = draw_pair(stream, weights)
    causes = np.array([linked[a], linked[b]])
    kept = without(state, causes)
    old, new = group_of(state, spec, causes), new_group(state, spec, 1)
    new.z[:, 0] = old.z[:, 0] | old.z[:, 1]
    variables = np.flatnonzero(new.z[:, 0])
    chances = _chances(stream, state, data, spec, kept, variables, rows, blind)
    found = fit(state, data, spec, kept, new, 0, rows)
    draw_parameters(stream, spec, found, new, 0)
    activity = np.empty((1, state.y.shape[1]), dtype=np.uint64)
    gain = log_target_ratio(rng, move, state, data, spec, kept, old, new, state.leak, activity)
    log_ratio = (
        gain
        - log_pair_chance(weights, a, b)
        - math.log(linked.size - 1.0)
        + log_links_density(chances, variables, old)
        + log_parameters_density(spec, fit(state, data, spec, kept, old, 0, rows), old, 0)
        - log_parameters_density(spec, found, new, 0)
    )
    if accept(stream, log_ratio):
        state.counters[16] += 1
        note_change(state, BLIND if blind else SPLITS, gain, rng.warming)
        replace(rng, state, spec, causes, new, activity)


@compiled
def _chances(
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    kept: NDArray[np.bool_],
    variables: NDArray[np.int64],
    rows: NDArray[np.int64],
    blind: bool,
) -> NDArray[np.float64]:
    """Return the probability of each way of dividing links between two causes, none of them given up."""
    if blind:
        return blind_division(stream, variables.size)
    return launch(stream, state, spec, gains(state, data, spec, kept, variables, rows), variables, 2, False)
