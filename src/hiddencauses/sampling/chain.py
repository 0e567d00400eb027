"""One chain: warm-up, then draws, in pieces that leave room for an interrupt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.kernels.recording import SCALARS, Buffers, run_sweeps
from hiddencauses.kernels.schedule import SUMMED
from hiddencauses.sampling.draws import ChainDraws

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddencauses.kernels.state import Data, KernelSpec, State

__all__ = ["run_chain"]

#: Kept draws go to a buffer of at most so many draws, octets and reals at a time.
BUFFER_DRAWS, BUFFER_OCTETS, BUFFER_REALS = 4096, 1 << 20, 1 << 16
#: Kernels return to Python after about so many cell visits, so that an interrupt is heard soon.
PIECE_CELLS = 2_000_000

#: A shared prevalence is let loose for this part of the warm-up, when there are moves on groups: with causes
#: that share theirs, a state in which each is there twice resists every single merge. What a chain does
#: before its first kept draw changes nothing in what it converges to.
LOOSE_PART = 3


def run_chain(
    schedule: int,
    seed: int,
    chain: int,
    *,
    warmup: int,
    draws: int,
    state: State,
    data: Data,
    spec: KernelSpec,
    stopped: Callable[[], bool] = lambda: False,
) -> ChainDraws:
    """Run a chain from a state and return its draws.

    Parameters
    ----------
    schedule
        What a sweep does (`kernels.schedule`).
    seed, chain
        Name of the chain's streams.
    warmup, draws
        Sweeps thrown away, and sweeps kept.
    state, data, spec
        What the kernels work on.
    stopped
        Asked between pieces; when it says so the chain ends with what it has.
    """
    key = np.uint64(seed)
    leaks = 1 if spec.leak_shared else state.leak.size
    parts: list[ChainDraws] = []
    none = _buffers(0, leaks, 0, 0)
    piece = max(1, PIECE_CELLS // (data.ones.shape[0] * data.n_rows))
    loose = (
        warmup // LOOSE_PART if schedule & SUMMED and spec.prevalence_shared and spec.prevalence_free else 0
    )
    for begin, end, as_if in ((0, loose, spec._replace(prevalence_shared=False)), (loose, warmup, spec)):
        for first in range(begin, end, piece):
            if stopped():
                break
            last = min(first + piece, end)
            state, _, _ = run_sweeps(schedule, key, chain, first, last, True, state, data, as_if, none, False)
        if begin < loose:
            _tie_prevalences(state)
    state.counters[:] = 0
    buffers = _buffers(min(draws, BUFFER_DRAWS), leaks, BUFFER_OCTETS, BUFFER_REALS)
    number, end, owed = warmup, warmup + draws, False
    while owed or (number < end and not stopped()):
        last = number if owed and stopped() else min(number + min(piece, BUFFER_DRAWS), end)
        state, number, owed = run_sweeps(
            schedule, key, chain, number, last, False, state, data, spec, buffers, owed
        )
        if owed and not buffers.used[0]:  # room for less than one draw
            buffers = _buffers(
                len(buffers.scalars), leaks, 2 * buffers.octets.size + 64, 2 * buffers.reals.size + 64
            )
            continue
        parts.append(_taken(buffers))
        buffers.used[:] = 0
    return _joined(parts, leaks, state.counters.copy())


def _tie_prevalences(state: State) -> None:
    """Give all causes the prevalence that they have on average."""
    count = int(state.count[0])
    if count:
        state.prevalence[:] = state.prevalence[:count].mean()


def _buffers(draws: int, leaks: int, octets: int, reals: int) -> Buffers:
    return Buffers(
        used=np.zeros(3, dtype=np.int64),
        scalars=np.empty((draws, len(SCALARS))),
        leak=np.empty((draws, leaks)),
        octets=np.empty(octets, dtype=np.uint8),
        octets_end=np.empty(draws, dtype=np.int64),
        reals=np.empty(reals),
        reals_end=np.empty(draws, dtype=np.int64),
    )


def _taken(buffers: Buffers) -> ChainDraws:
    draws, octets, reals = (int(n) for n in buffers.used)
    return ChainDraws(
        scalars=buffers.scalars[:draws].copy(),
        leak=buffers.leak[:draws].copy(),
        octets=buffers.octets[:octets].copy(),
        octets_end=buffers.octets_end[:draws].copy(),
        reals=buffers.reals[:reals].copy(),
        reals_end=buffers.reals_end[:draws].copy(),
        counters=np.zeros(0, dtype=np.int64),
    )


def _joined(parts: list[ChainDraws], leaks: int, counters: np.ndarray) -> ChainDraws:
    """Put pieces together, offsets counted on."""
    octets = np.cumsum([0] + [len(part.octets) for part in parts])
    reals = np.cumsum([0] + [len(part.reals) for part in parts])
    return ChainDraws(
        scalars=np.concatenate([np.empty((0, len(SCALARS))), *(part.scalars for part in parts)]),
        leak=np.concatenate([np.empty((0, leaks)), *(part.leak for part in parts)]),
        octets=np.concatenate([np.empty(0, dtype=np.uint8), *(part.octets for part in parts)]),
        octets_end=_counted_on([part.octets_end for part in parts], octets),
        reals=np.concatenate([np.empty(0), *(part.reals for part in parts)]),
        reals_end=_counted_on([part.reals_end for part in parts], reals),
        counters=counters,
    )


def _counted_on(ends: list[np.ndarray], before: np.ndarray) -> np.ndarray:
    shifted = [end + start for end, start in zip(ends, before[:-1], strict=True)]
    return np.concatenate([np.empty(0, dtype=np.int64), *shifted])
