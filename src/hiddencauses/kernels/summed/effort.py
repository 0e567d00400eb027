"""What the moves on groups have cost and brought so far, and what follows from it: how many of which to try.

Cost is counted in operations, never in time. Counts are kept during warm-up only, so that what follows from
them is fixed before the first draw is kept: a choice of moves that depended on the state would not leave the
posterior as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "BIRTHS",
    "BLIND",
    "KINDS",
    "REARRANGEMENTS",
    "REDRAWS",
    "SPLITS",
    "SWAPS",
    "count_work",
    "fill_chances",
    "note_change",
    "note_move",
    "note_sweep",
    "number_of_moves",
]

#: Kinds of moves; rows of `State.effort`, whose columns are: moves, changes of links, work.
BIRTHS, SPLITS, REARRANGEMENTS, REDRAWS, SWAPS, BLIND = 0, 1, 2, 3, 4, 5
KINDS = 6
MOVES, CHANGES, WORK = 0, 1, 2
#: Its last row: what was gained lately, work of an ordinary sweep, work of the move that is being made.
LATELY, SWEEP_WORK, WORK_NOW = 0, 1, 2

#: Before there is anything to go by, and while much is gained: moves a sweep.
EXPLORING = 16
#: So many moves are made before anything is concluded.
FIRST_MOVES = 100
#: Gains in log density are forgotten at this rate; a chain that has lately gained more goes on exploring.
MEMORY, MUCH = 0.98, 10.0
#: Without a warm-up; at least, and at most.
UNKNOWN_MOVES, LEAST_MOVES, MOST_MOVES = 4, 2, 16
#: Operations of an ordinary sweep for each row, variable and cause, in units of those of the moves.
SWEEP_OPERATIONS = 10.0
#: Chances of each kind until then.
FIRST_CHANCES = (2.0, 2.0, 1.0, 1.0, 1.0, 2.0)
#: Share of the work that goes to each kind whatever it pays, and to drawing activity jointly, which changes
#: no links and so has no pay that could be counted.
LEAST_SHARE, REDRAW_SHARE = 0.08, 0.1


@compiled
def count_work(state: State, operations: float) -> None:
    """Add operations to the work of the move that is being made."""
    state.effort[KINDS, WORK_NOW] += operations


@compiled
def note_change(state: State, kind: int, gain: float, warming: bool) -> None:
    """Note a change of links that was accepted, with what it gained in log density."""
    if warming:
        state.effort[kind, CHANGES] += 1.0
        state.effort[KINDS, LATELY] += max(gain, 0.0)


@compiled
def note_move(state: State, kind: int, warming: bool) -> None:
    """Book the work done since the last booking as one move of this kind."""
    if warming:
        state.effort[kind, MOVES] += 1.0
        state.effort[kind, WORK] += state.effort[KINDS, WORK_NOW]
        state.effort[KINDS, LATELY] *= MEMORY
    state.effort[KINDS, WORK_NOW] = 0.0


@compiled
def note_sweep(state: State, warming: bool) -> None:
    """Note what an ordinary sweep costs with as many causes as there are now."""
    if warming:
        n_variables, n_rows = state.z.shape[0], state.count[1]
        state.effort[KINDS, SWEEP_WORK] = SWEEP_OPERATIONS * n_rows * n_variables * max(state.count[0], 1)


@compiled
def number_of_moves(state: State, warming: bool) -> int:
    """Return how many moves to make in a sweep.

    Many at first and while much is gained by them; then as many as cost about as much as the sweep.
    """
    made = state.effort[:KINDS, MOVES].sum()
    if warming and (made < FIRST_MOVES or state.effort[KINDS, LATELY] > MUCH):
        return EXPLORING
    if made == 0.0:
        return UNKNOWN_MOVES
    mean_work = state.effort[:KINDS, WORK].sum() / made
    if mean_work == 0.0:
        return LEAST_MOVES
    return int(min(max(state.effort[KINDS, SWEEP_WORK] / mean_work, LEAST_MOVES), MOST_MOVES))


@compiled
def fill_chances(state: State, chances: NDArray[np.float64]) -> None:
    """Write the chance of each kind of move: such that work is shared out by the changes that work brings."""
    if state.effort[:KINDS, MOVES].sum() < FIRST_MOVES:
        for kind in range(KINDS):
            chances[kind] = FIRST_CHANCES[kind]
        return
    # one more move and one more change each: a kind that never succeeded may still do
    rate, cost = np.zeros(KINDS), np.zeros(KINDS)
    for kind in range(KINDS):
        cost[kind] = (state.effort[kind, WORK] + 1.0) / (state.effort[kind, MOVES] + 1.0)
        if kind != REDRAWS:
            rate[kind] = (state.effort[kind, CHANGES] + 1.0) / (state.effort[kind, WORK] + cost[kind])
    total = rate.sum()
    for kind in range(KINDS):
        share = REDRAW_SHARE
        if kind != REDRAWS:
            share = LEAST_SHARE + (1.0 - REDRAW_SHARE - (KINDS - 1.0) * LEAST_SHARE) * rate[kind] / total
        chances[kind] = share / cost[kind]
