"""Birth of a cause with several links at once, and its death, the activity of its neighbours summed out too.

Neighbours (contexts) are causes that share links with it. Without them the death of a cause that stands for
two others being on together would leave its rows unexplained: it is only when the activity of these two is
drawn anew that the cause turns out not to be needed. With a leak per variable the cause may change places
with a part of its variables' leaks (`exchange.py`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.names import JOINT_BIRTH, Rng
from hiddencauses.kernels.state import NEEDS_ROOM, WELL, Data, KernelSpec, State, remove_cause
from hiddencauses.kernels.streams import bernoulli, draw_place, open_stream, pick
from hiddencauses.kernels.summed.blind import draw_blind_links, log_blind_density
from hiddencauses.kernels.summed.choice import draw_contexts, victim_chances
from hiddencauses.kernels.summed.effort import BIRTHS, BLIND, note_change
from hiddencauses.kernels.summed.exchange import leaks_given_back, leaks_taken_from
from hiddencauses.kernels.summed.fit import draw_parameters, fit, log_parameters_density
from hiddencauses.kernels.summed.gains import gains, sampled_rows
from hiddencauses.kernels.summed.group import (
    add_to_state,
    copy_cause,
    degree_in,
    group_of,
    linked_causes,
    new_group,
    without,
    write_activity,
)
from hiddencauses.kernels.summed.launch import draw_links, launch, log_links_density
from hiddencauses.kernels.summed.target import log_target_ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["update_by_joint_birth_or_death"]

#: Neighbours: at most two, none half of the time.
MOST_CONTEXTS, NO_CONTEXT = 2, 0.5
#: How often leaks are exchanged with the cause where they can be.
EXCHANGE = 0.5


@compiled
def update_by_joint_birth_or_death(
    rng: Rng, state: State, data: Data, spec: KernelSpec, move: int, blind: bool
) -> int:
    """Propose a birth or a death, each half of the time.

    With L the probability of the new cause's links as proposed, by a launch or blindly, q the density of its
    parameters under the fit, c the chance with which it would afterwards be chosen to die, and the target's
    ratio with the activity of the new cause and its contexts summed out, a birth is accepted with probability

        min(1, target ratio · c / (L q)),

    a death with the inverse of the same. Contexts are chosen by the links of the new
    cause alone, in both directions alike. Where leaks are exchanged with the cause the fit, and the launch,
    see those of the state without it.
    """
    if state.count[0] == state.degree.size:
        return NEEDS_ROOM
    stream = open_stream(rng.seed, rng.chain, JOINT_BIRTH, move, rng.visit)
    rows = sampled_rows(stream, data.n_rows)
    birth = bernoulli(stream, 0.5)
    asked = 0 if bernoulli(stream, NO_CONTEXT) else 1 + pick(stream, MOST_CONTEXTS)
    exchange = spec.leak_free and not spec.leak_shared and bernoulli(stream, EXCHANGE)
    if birth:
        _birth(rng, stream, state, data, spec, move, rows, blind, exchange, asked)
    else:
        _death(rng, stream, state, data, spec, move, rows, blind, exchange, asked)
    return WELL


@compiled
def _birth(
    rng: Rng,
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    move: int,
    rows: NDArray[np.int64],
    blind: bool,
    exchange: bool,
    asked: int,
) -> None:
    linked = linked_causes(state)
    variables = np.arange(state.z.shape[0])
    state.counters[9] += 1
    born = new_group(state, spec, 1)
    if blind:
        draw_blind_links(stream, born)
        log_density = log_blind_density(born)
    else:
        now = gains(state, data, spec, without(state, linked[:0]), variables, rows)
        ways = launch(stream, state, spec, now, variables, 1, True)
        draw_links(stream, ways, variables, born)
        log_density = log_links_density(ways, variables, born)
    if degree_in(born, 0) == 0:
        return
    contexts = np.empty(min(asked, linked.size), dtype=np.int64)
    draw_contexts(stream, state, linked, born.z[:, 0], contexts)
    size = contexts.size
    kept = without(state, contexts)
    old = group_of(state, spec, contexts)
    new = new_group(state, spec, size + 1)
    for j in range(size):
        copy_cause(state, spec, contexts[j], new, j)
    new.z[:, size] = born.z[:, 0]
    found = fit(state, data, spec, kept, new, size, rows)
    draw_parameters(stream, spec, found, new, size)
    leak = leaks_taken_from(state.leak, new, size) if exchange else state.leak
    if np.isnan(leak).any():
        return
    activity = np.empty((size + 1, state.y.shape[1]), dtype=np.uint64)
    gain = log_target_ratio(rng, move, state, data, spec, kept, old, new, leak, activity)
    chances = victim_chances(state, spec, kept, new, activity)
    log_ratio = (
        gain
        - log_density
        - log_parameters_density(spec, found, new, size)
        + math.log(chances[chances.size - 1])
    )
    if accept(stream, log_ratio):
        state.counters[10] += 1
        note_change(state, BLIND if blind else BIRTHS, gain, rng.warming)
        for j in range(size):
            write_activity(state, contexts[j], activity, j)
        add_to_state(state, spec, new, size, activity, rng.visit)
        _write(state.leak, leak)


@compiled
def _death(
    rng: Rng,
    stream: NDArray[np.uint64],
    state: State,
    data: Data,
    spec: KernelSpec,
    move: int,
    rows: NDArray[np.int64],
    blind: bool,
    exchange: bool,
    asked: int,
) -> None:
    linked = linked_causes(state)
    if linked.size == 0:
        return
    state.counters[11] += 1
    nobody = new_group(state, spec, 0)
    chances = victim_chances(state, spec, without(state, linked[:0]), nobody, state.y[:0])
    chosen = draw_place(stream, chances)
    victim = linked[chosen]
    others = linked[linked != victim]
    contexts = np.empty(min(asked, others.size), dtype=np.int64)
    draw_contexts(stream, state, others, state.z[:, victim], contexts)
    size = contexts.size
    causes = np.empty(size + 1, dtype=np.int64)
    causes[:size] = contexts
    causes[size] = victim
    kept = without(state, causes)
    old = group_of(state, spec, causes)
    new = group_of(state, spec, contexts)
    leak = leaks_given_back(state.leak, old, size) if exchange else state.leak
    if np.isnan(leak).any():
        return
    activity = np.empty((size, state.y.shape[1]), dtype=np.uint64)
    gain = log_target_ratio(rng, move, state, data, spec, kept, old, new, leak, activity)
    # the birth that would undo this is launched from the state that this leads to
    leak_before = state.leak.copy()
    _write(state.leak, leak)
    before = np.empty((size, state.y.shape[1]), dtype=np.uint64)
    for j in range(size):
        before[j] = state.y[contexts[j]]
        write_activity(state, contexts[j], activity, j)
    dead = group_of(state, spec, causes[size:])
    if blind:
        log_density = log_blind_density(dead)
    else:
        variables = np.arange(state.z.shape[0])
        then = gains(state, data, spec, without(state, causes[size:]), variables, rows)
        ways = launch(stream, state, spec, then, variables, 1, True)
        log_density = log_links_density(ways, variables, dead)
    found = fit(state, data, spec, kept, old, size, rows)
    log_ratio = (
        gain + log_density + log_parameters_density(spec, found, old, size) - math.log(chances[chosen])
    )
    if accept(stream, log_ratio):
        state.counters[12] += 1
        note_change(state, BLIND if blind else BIRTHS, gain, rng.warming)
        remove_cause(state, spec, victim, rng.visit)
    else:
        _write(state.leak, leak_before)
        for j in range(size):
            write_activity(state, contexts[j], before, j)


@compiled
def _write(leak: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    for i in range(leak.size):
        leak[i] = values[i]
