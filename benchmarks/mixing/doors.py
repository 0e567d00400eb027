"""Doors for Python to the sweep and to each move on groups of causes."""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled_door
from hiddencauses.kernels.names import Rng
from hiddencauses.kernels.schedule import sweep_infinite
from hiddencauses.kernels.state import NEEDS_ROOM, Data, KernelSpec, State, enlarge
from hiddencauses.kernels.summed.births import update_by_joint_birth_or_death
from hiddencauses.kernels.summed.effort import BIRTHS, KINDS, REARRANGEMENTS, REDRAWS, SPLITS, SWAPS
from hiddencauses.kernels.summed.rearrangements import update_by_rearrangement
from hiddencauses.kernels.summed.redraw import update_activity_jointly
from hiddencauses.kernels.summed.splits import update_by_split_or_merge
from hiddencauses.kernels.summed.swaps import update_by_swap

__all__ = ["move_once", "sweep_once"]


@compiled_door
def sweep_once(seed: np.uint64, number: int, state: State, data: Data, spec: KernelSpec) -> State:
    """Make one sweep of the paper's moves."""
    return sweep_infinite(seed, 0, number, True, state, data, spec)


@compiled_door
def move_once(
    seed: np.uint64, visit: int, kind: int, move: int, state: State, data: Data, spec: KernelSpec
) -> State:
    """Make one move of a kind."""
    rng = Rng(seed, 0, visit, True)
    if kind == BIRTHS:
        while update_by_joint_birth_or_death(rng, state, data, spec, move, False) == NEEDS_ROOM:
            state = enlarge(state, spec)
    elif kind == SPLITS:
        while update_by_split_or_merge(rng, state, data, spec, move, False) == NEEDS_ROOM:
            state = enlarge(state, spec)
    elif kind == REARRANGEMENTS:
        update_by_rearrangement(rng, state, data, spec, move)
    elif kind == REDRAWS:
        update_activity_jointly(rng, state, data, spec, move)
    elif kind == SWAPS:
        update_by_swap(rng, state, data, spec, move)
    elif move // KINDS % 2:
        while update_by_joint_birth_or_death(rng, state, data, spec, move, True) == NEEDS_ROOM:
            state = enlarge(state, spec)
    else:
        while update_by_split_or_merge(rng, state, data, spec, move, True) == NEEDS_ROOM:
            state = enlarge(state, spec)
    return state
