"""Compiled loops around sweeps and single kernels, with tables redrawn from the model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled, compiled_door
from hiddencauses.kernels.activity import update_activity
from hiddencauses.kernels.birth_death import update_by_birth_or_death
from hiddencauses.kernels.concentration import update_concentration
from hiddencauses.kernels.leak import update_leak
from hiddencauses.kernels.links import update_links
from hiddencauses.kernels.names import Rng
from hiddencauses.kernels.own_causes import update_own_causes
from hiddencauses.kernels.prevalence import update_prevalence
from hiddencauses.kernels.schedule import sweep
from hiddencauses.kernels.single_link import update_by_single_link
from hiddencauses.kernels.state import NEEDS_ROOM, Data, KernelSpec, State, enlarge
from hiddencauses.kernels.streams import open_stream, uniform
from hiddencauses.kernels.strength import update_strength
from hiddencauses.kernels.summed.births import update_by_joint_birth_or_death
from hiddencauses.kernels.summed.rearrangements import update_by_rearrangement
from hiddencauses.kernels.summed.redraw import update_activity_jointly
from hiddencauses.kernels.summed.splits import update_by_split_or_merge
from hiddencauses.kernels.summed.swaps import update_by_swap
from verification.cells import cell_of, log_off_of, set_cell
from verification.world_statistics import fill_statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["KERNELS", "change_by_kernel", "run_successively", "statistics_of"]

#: The streams of redrawn tables; purposes from 900 on are not the package's.
TABLE = 900

#: Kernels by the numbers that `change_by_kernel` knows.
KERNELS = (
    "links",
    "activity",
    "strength",
    "leak",
    "prevalence",
    "concentration",
    "own causes",
    "birth and death",
    "single link",
    "joint birth and death",
    "split and merge",
    "rearrangement",
    "joint activity",
    "swap",
    "blind birth and death",
    "blind split and merge",
)


@compiled
def _redraw_table(stream: NDArray[np.uint64], state: State, data: Data, spec: KernelSpec) -> None:
    """Draw all cells but the missing ones from the model, in place."""
    n_variables, n_rows = state.z.shape[0], data.n_rows
    base = np.empty(n_rows)
    for i in range(n_variables):
        log_off_of(state, spec, i, base)
        for r in range(n_rows):
            if cell_of(data, i, r) >= 0:
                set_cell(data, i, r, uniform(stream) < -math.expm1(base[r]))


@compiled_door
def statistics_of(state: State, data: Data, spec: KernelSpec, out: NDArray[np.float64]) -> None:
    """Write the statistics of a state and its table."""
    fill_statistics(state, data, spec, out)


@compiled_door
def run_successively(
    schedule: int,
    seed: np.uint64,
    chain: int,
    first: int,
    state: State,
    data: Data,
    simulated: KernelSpec,
    sampled: KernelSpec,
    out: NDArray[np.float64],
) -> State:
    """Alternate sweeps and redrawn tables, one line of statistics each.

    `sampled` is the spec that the sampler works with; a negative control makes it differ from `simulated`.
    """
    for step in range(out.shape[0]):
        state = sweep(schedule, seed, chain, first + step, False, state, data, sampled)
        _redraw_table(open_stream(seed, chain, TABLE, 0, first + step), state, data, simulated)
        fill_statistics(state, data, simulated, out[step])
    return state


@compiled_door
def change_by_kernel(
    kernel: int,
    seed: np.uint64,
    chain: int,
    passes: int,
    state: State,
    data: Data,
    spec: KernelSpec,
    out: NDArray[np.float64],
) -> None:
    """Write how the statistics change when one kernel runs on a copy of a state."""
    before = np.empty(out.size)
    fill_statistics(state, data, spec, before)
    state = _copy(state)
    n_variables = state.z.shape[0]
    for visit in range(passes * n_variables):
        i = visit % n_variables
        rng = Rng(seed, chain, visit, False)
        if kernel == 0:
            update_links(rng, state, data, spec, i)
        elif kernel == 1:
            update_activity(rng, state, data, spec)
        elif kernel == 2:
            update_strength(rng, state, data, spec)
        elif kernel == 3:
            update_leak(rng, state, data, spec)
        elif kernel == 4:
            update_prevalence(rng, state, spec)
        elif kernel == 5:
            update_concentration(rng, state, spec)
        elif kernel == 6:
            while update_own_causes(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 7:
            while update_by_birth_or_death(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 8:
            while update_by_single_link(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 9:
            while update_by_joint_birth_or_death(rng, state, data, spec, 0, False) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 10:
            while update_by_split_or_merge(rng, state, data, spec, 0, False) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 11:
            update_by_rearrangement(rng, state, data, spec, 0)
        elif kernel == 12:
            update_activity_jointly(rng, state, data, spec, 0)
        elif kernel == 13:
            update_by_swap(rng, state, data, spec, 0)
        elif kernel == 14:
            while update_by_joint_birth_or_death(rng, state, data, spec, 0, True) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 15:
            while update_by_split_or_merge(rng, state, data, spec, 0, True) == NEEDS_ROOM:
                state = enlarge(state, spec)
    fill_statistics(state, data, spec, out)
    for s in range(out.size):
        out[s] -= before[s]


@compiled
def _copy(state: State) -> State:
    return State(
        state.count.copy(),
        state.z.copy(),
        state.y.copy(),
        state.degree.copy(),
        state.strength.copy(),
        state.prevalence.copy(),
        state.leak.copy(),
        state.concentration.copy(),
        state.born.copy(),
        state.linked.copy(),
        state.tuning.copy(),
        state.counters.copy(),
        state.effort.copy(),
    )
