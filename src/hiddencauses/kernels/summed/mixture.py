"""The moves on groups of causes, mixed at random."""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.names import MIXTURE, Rng
from hiddencauses.kernels.state import NEEDS_ROOM, Data, KernelSpec, State, enlarge
from hiddencauses.kernels.streams import bernoulli, draw_place, open_stream
from hiddencauses.kernels.summed.births import update_by_joint_birth_or_death
from hiddencauses.kernels.summed.effort import (
    BIRTHS,
    BLIND,
    KINDS,
    REARRANGEMENTS,
    SPLITS,
    SWAPS,
    fill_chances,
    note_move,
    note_sweep,
    number_of_moves,
)
from hiddencauses.kernels.summed.rearrangements import update_by_rearrangement
from hiddencauses.kernels.summed.redraw import update_activity_jointly
from hiddencauses.kernels.summed.splits import update_by_split_or_merge
from hiddencauses.kernels.summed.swaps import update_by_swap

__all__ = ["update_by_summed_moves"]


@compiled
def update_by_summed_moves(rng: Rng, state: State, data: Data, spec: KernelSpec) -> State:
    """Make the moves of one sweep; a larger state is returned when more room was needed."""
    stream = open_stream(rng.seed, rng.chain, MIXTURE, 0, rng.visit)
    chances = np.empty(KINDS)
    note_sweep(state, rng.warming)
    fill_chances(state, chances)
    for move in range(number_of_moves(state, rng.warming)):
        kind = draw_place(stream, chances)
        blind = kind == BLIND
        # each move is called in one place: the compiler may write it out in full wherever it is called
        if kind == BIRTHS or (blind and bernoulli(stream, 0.5)):
            while update_by_joint_birth_or_death(rng, state, data, spec, move, blind) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kind == SPLITS or blind:
            while update_by_split_or_merge(rng, state, data, spec, move, blind) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kind == REARRANGEMENTS:
            update_by_rearrangement(rng, state, data, spec, move)
        elif kind == SWAPS:
            update_by_swap(rng, state, data, spec, move)
        else:
            update_activity_jointly(rng, state, data, spec, move)
        note_move(state, kind, rng.warming)
    return state
