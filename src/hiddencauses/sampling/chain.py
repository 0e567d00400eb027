"""One chain: warm-up, then draws, in pieces between which it can be stopped, looked at and written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.kernels.recording import SCALARS, Buffers, run_sweeps
from hiddencauses.kernels.schedule import SUMMED
from hiddencauses.sampling.draws import ChainDraws

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddencauses.kernels.state import Data, KernelSpec, State

__all__ = ["Chain", "joined", "run_chain"]

#: Kept draws go to a buffer of at most so many draws, octets and reals at a time.
BUFFER_DRAWS, BUFFER_OCTETS, BUFFER_REALS = 4096, 1 << 20, 1 << 16
#: Kernels return to Python after about so many cell visits, or draws of a buffer, so that an interrupt is
#: heard soon.
PIECE_CELLS = 2_000_000

#: A shared prevalence is let loose for this part of the warm-up, when there are moves on groups: with causes
#: that share theirs, a state in which each is there twice resists every single merge. What a chain does
#: before its first kept draw changes nothing in what it converges to.
LOOSE_PART = 3


class Chain:
    """A chain, run piece by piece: the one loop behind `sample` and `fit`.

    Where it is, `state` and `sweep`, is all there is to know between pieces: streams are named by the sweep,
    and what part of the run this is follows from its number. A chain made from the two goes on as this one
    would have. How the sweeps are cut into pieces changes no draw.

    Parameters
    ----------
    schedule
        What a sweep does (`kernels.schedule`).
    seed, chain
        Name of the chain's streams.
    warmup
        Sweeps thrown away.
    state, data, spec
        What the kernels work on; the state is changed in place.
    sweep
        How many sweeps the state has behind it.

    Attributes
    ----------
    state
        Where the chain is.
    sweep
        How many sweeps are behind it.
    """

    def __init__(
        self,
        schedule: int,
        seed: int,
        chain: int,
        *,
        warmup: int,
        state: State,
        data: Data,
        spec: KernelSpec,
        sweep: int = 0,
    ) -> None:
        self.state, self.sweep = state, sweep
        self._schedule, self._key, self._chain = schedule, np.uint64(seed), chain
        self._data, self._spec = data, spec
        self._warmup = warmup
        loosened = schedule & SUMMED and spec.prevalence_shared and spec.prevalence_free
        self._loose = warmup // LOOSE_PART if loosened else 0
        self._leaks = 1 if spec.leak_shared else state.leak.size
        self._piece = max(1, min(PIECE_CELLS // (data.ones.shape[0] * data.n_rows), BUFFER_DRAWS))
        self._buffers = _buffers(0, self._leaks, 0, 0)

    @property
    def counters(self) -> np.ndarray:
        """What was counted over the kept draws so far (`kernels.state.COUNTERS`)."""
        return self.state.counters.copy()

    @property
    def n_total(self) -> int:
        """How many causes there are now."""
        return int(self.state.count[0])

    def advance(self, limit: int) -> ChainDraws:
        """Run one piece, at most until `limit` sweeps are behind the chain, and return the draws in it."""
        if self.sweep < self._warmup:
            self._warm_up(limit)
            return self.joined([])
        return self._draw(limit)

    def joined(self, parts: list[ChainDraws]) -> ChainDraws:
        """Put draws of this chain together, with what was counted until now."""
        return joined(parts, self._leaks, self.counters)

    def _warm_up(self, limit: int) -> None:
        loose = self.sweep < self._loose
        spec = self._spec._replace(prevalence_shared=False) if loose else self._spec
        last = min(self.sweep + self._piece, limit, self._loose if loose else self._warmup)
        self.state, self.sweep, _ = self._run(last, True, spec, self._buffers, False)
        if loose and self.sweep == self._loose:
            _tie_prevalences(self.state)
        if self.sweep == self._warmup:
            self.state.counters[:] = 0

    def _draw(self, limit: int) -> ChainDraws:
        last = min(self.sweep + self._piece, limit)
        if not len(self._buffers.scalars):
            self._buffers = _buffers(self._piece, self._leaks, BUFFER_OCTETS, BUFFER_REALS)
        parts: list[ChainDraws] = []
        owed = False
        while owed or self.sweep < last:
            self.state, self.sweep, owed = self._run(last, False, self._spec, self._buffers, owed)
            if owed and not self._buffers.used[0]:  # room for less than one draw
                octets, reals = self._buffers.octets.size, self._buffers.reals.size
                self._buffers = _buffers(self._piece, self._leaks, 2 * octets + 64, 2 * reals + 64)
                continue
            parts.append(_taken(self._buffers))
            self._buffers.used[:] = 0
        return self.joined(parts)

    def _run(
        self, last: int, warming: bool, spec: KernelSpec, buffers: Buffers, owed: bool
    ) -> tuple[State, int, bool]:
        return run_sweeps(
            self._schedule,
            self._key,
            self._chain,
            self.sweep,
            last,
            warming,
            self.state,
            self._data,
            spec,
            buffers,
            owed,
        )


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
    walk = Chain(schedule, seed, chain, warmup=warmup, state=state, data=data, spec=spec)
    parts: list[ChainDraws] = []
    while walk.sweep < warmup + draws and not stopped():
        parts.append(walk.advance(warmup + draws))
    return walk.joined(parts)


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


def joined(parts: list[ChainDraws], leaks: int, counters: np.ndarray) -> ChainDraws:
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
