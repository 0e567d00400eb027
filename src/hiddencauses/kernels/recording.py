"""Sweeps in a row, with every kept draw written into buffers.

Scalars of a draw have a column each. Links and activity are packed, 8 to a byte, cause after cause, and so
are the parameters that belong to causes; both are ragged, so draws are found by offsets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.compiled import compiled, compiled_door
from hiddencauses.kernels.density import log_joint_density
from hiddencauses.kernels.schedule import (
    AUTO_FINITE,
    AUTO_INFINITE,
    GIBBS,
    sweep_auto_finite,
    sweep_auto_infinite,
    sweep_finite,
    sweep_infinite,
)
from hiddencauses.kernels.state import PER_CAUSE, PER_LINK, Data, KernelSpec, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SCALARS", "Buffers", "run_sweeps"]

#: Columns of `Buffers.scalars`.
SCALARS = ("n_causes", "n_total", "log_joint", "strength", "prevalence", "concentration")


class Buffers(NamedTuple):
    """Where draws go. used: [draws, octets, reals]; octets_end and reals_end: where each draw's parts end."""

    used: NDArray[np.int64]
    scalars: NDArray[np.float64]
    leak: NDArray[np.float64]
    octets: NDArray[np.uint8]
    octets_end: NDArray[np.int64]
    reals: NDArray[np.float64]
    reals_end: NDArray[np.int64]


@compiled_door
def run_infinite(
    seed: np.uint64,
    chain: int,
    first: int,
    last: int,
    warming: bool,
    state: State,
    data: Data,
    spec: KernelSpec,
    buffers: Buffers,
    owed: bool,
) -> tuple[State, int, bool]:
    """Run sweeps of `GIBBS`: see `run_sweeps`."""
    if owed and not _record_draw(state, data, spec, buffers):
        return state, first, True
    for number in range(first, last):
        state = sweep_infinite(seed, chain, number, warming, state, data, spec)
        if not warming and not _record_draw(state, data, spec, buffers):
            return state, number + 1, True
    return state, last, False


@compiled_door
def run_auto_infinite(
    seed: np.uint64,
    chain: int,
    first: int,
    last: int,
    warming: bool,
    state: State,
    data: Data,
    spec: KernelSpec,
    buffers: Buffers,
    owed: bool,
) -> tuple[State, int, bool]:
    """Run sweeps of `AUTO_INFINITE`: see `run_sweeps`."""
    if owed and not _record_draw(state, data, spec, buffers):
        return state, first, True
    for number in range(first, last):
        state = sweep_auto_infinite(seed, chain, number, warming, state, data, spec)
        if not warming and not _record_draw(state, data, spec, buffers):
            return state, number + 1, True
    return state, last, False


@compiled_door
def run_finite(
    schedule: int,
    seed: np.uint64,
    chain: int,
    first: int,
    last: int,
    warming: bool,
    state: State,
    data: Data,
    spec: KernelSpec,
    buffers: Buffers,
    owed: bool,
) -> tuple[State, int, bool]:
    """Run sweeps of the finite model without moves on groups: see `run_sweeps`."""
    if owed and not _record_draw(state, data, spec, buffers):
        return state, first, True
    for number in range(first, last):
        state = sweep_finite(schedule, seed, chain, number, warming, state, data, spec)
        if not warming and not _record_draw(state, data, spec, buffers):
            return state, number + 1, True
    return state, last, False


@compiled_door
def run_auto_finite(
    seed: np.uint64,
    chain: int,
    first: int,
    last: int,
    warming: bool,
    state: State,
    data: Data,
    spec: KernelSpec,
    buffers: Buffers,
    owed: bool,
) -> tuple[State, int, bool]:
    """Run sweeps of `AUTO_FINITE`: see `run_sweeps`."""
    if owed and not _record_draw(state, data, spec, buffers):
        return state, first, True
    for number in range(first, last):
        state = sweep_auto_finite(seed, chain, number, warming, state, data, spec)
        if not warming and not _record_draw(state, data, spec, buffers):
            return state, number + 1, True
    return state, last, False


def run_sweeps(
    schedule: int,
    seed: np.uint64,
    chain: int,
    first: int,
    last: int,
    warming: bool,
    state: State,
    data: Data,
    spec: KernelSpec,
    buffers: Buffers,
    owed: bool,
) -> tuple[State, int, bool]:
    """Run sweeps `first` to `last` (not included), recording each draw unless this is warm-up.

    Returns the state, the number of the next sweep, and whether the last draw found no room in the buffers:
    it stops there. The caller makes room and goes on with that draw `owed`.
    """
    if schedule == GIBBS:
        return run_infinite(seed, chain, first, last, warming, state, data, spec, buffers, owed)
    if schedule == AUTO_INFINITE:
        return run_auto_infinite(seed, chain, first, last, warming, state, data, spec, buffers, owed)
    if schedule == AUTO_FINITE:
        return run_auto_finite(seed, chain, first, last, warming, state, data, spec, buffers, owed)
    return run_finite(schedule, seed, chain, first, last, warming, state, data, spec, buffers, owed)


@compiled
def _record_draw(state: State, data: Data, spec: KernelSpec, buffers: Buffers) -> bool:
    """Write the state behind the draws so far; tell whether there was room."""
    octets, reals = _draw_size(state, spec)
    if (
        buffers.used[0] == buffers.scalars.shape[0]
        or buffers.used[1] + octets > buffers.octets.size
        or buffers.used[2] + reals > buffers.reals.size
    ):
        return False
    draw, octet, real = buffers.used[0], buffers.used[1], buffers.used[2]
    count = state.count[0]
    linked = 0
    for k in range(count):
        linked += state.degree[k] > 0
        octet = _pack(state.z[:, k], buffers.octets, octet)
        octet = _copy_rows(state.y[k], state.count[1], buffers.octets, octet)
        if spec.strength_scope == PER_CAUSE:
            buffers.reals[real] = state.strength[0, k]
            real += 1
        elif spec.strength_scope == PER_LINK:
            for i in range(state.z.shape[0]):
                if state.z[i, k]:
                    buffers.reals[real] = state.strength[i, k]
                    real += 1
        if not spec.prevalence_shared:
            buffers.reals[real] = state.prevalence[k]
            real += 1
    buffers.scalars[draw, 0] = linked
    buffers.scalars[draw, 1] = count
    buffers.scalars[draw, 2] = log_joint_density(state, data, spec)
    buffers.scalars[draw, 3] = state.strength[0, 0]
    buffers.scalars[draw, 4] = state.prevalence[0]
    buffers.scalars[draw, 5] = state.concentration[0]
    for i in range(buffers.leak.shape[1]):
        buffers.leak[draw, i] = state.leak[i]
    buffers.octets_end[draw] = octet
    buffers.reals_end[draw] = real
    buffers.used[0], buffers.used[1], buffers.used[2] = draw + 1, octet, real
    return True


@compiled
def _draw_size(state: State, spec: KernelSpec) -> tuple[int, int]:
    """Return how many octets and reals the state takes."""
    count = state.count[0]
    octets = count * ((state.z.shape[0] + 7) // 8 + (state.count[1] + 7) // 8)
    reals = 0
    if spec.strength_scope == PER_CAUSE:
        reals += count
    elif spec.strength_scope == PER_LINK:
        for k in range(count):
            reals += state.degree[k]
    if not spec.prevalence_shared:
        reals += count
    return octets, reals


@compiled
def _pack(flags: NDArray[np.int8], octets: NDArray[np.uint8], at: int) -> int:
    """Write flags as bits, lowest bit first, and return the place behind them."""
    for first in range(0, flags.size, 8):
        octet = 0
        for bit in range(min(8, flags.size - first)):
            octet |= flags[first + bit] << bit
        octets[at] = octet
        at += 1
    return at


@compiled
def _copy_rows(words: NDArray[np.uint64], n_rows: int, octets: NDArray[np.uint8], at: int) -> int:
    """Write the bits of all rows, and return the place behind them."""
    for octet in range((n_rows + 7) // 8):
        octets[at] = (words[octet >> 3] >> np.uint64(8 * (octet & 7))) & np.uint64(255)
        at += 1
    return at
