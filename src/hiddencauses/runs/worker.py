"""One chain on its way to disk: run for a while, report, wait for the next order."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hiddencauses.errors import DamagedRunError
from hiddencauses.files import drop_leftovers
from hiddencauses.kernels.recording import SCALARS
from hiddencauses.model.simulate import draw_world
from hiddencauses.runs.blocks import Block, block_of, concatenated
from hiddencauses.runs.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from hiddencauses.runs.layout import chain_folder, checkpoint_file
from hiddencauses.runs.lock import FileLock
from hiddencauses.runs.parts import drop_parts, write_part
from hiddencauses.sampling.chain import Chain
from hiddencauses.sampling.convert import state_of
from hiddencauses.sampling.plan import check_sampler

if TYPE_CHECKING:
    from hiddencauses.kernels.state import Data, KernelSpec
    from hiddencauses.runs.settings import Settings
    from hiddencauses.sampling.draws import ChainDraws

__all__ = ["Channel", "Order", "Report", "work"]

#: A chain is heard of at least this often, unless a single piece takes longer.
SLICE_SECONDS = 0.5
#: Draws and checkpoint go to disk after so long, or so many octets of draws. Clocks decide when, and nothing
#: that is drawn depends on it.
SAVE_SECONDS, SAVE_OCTETS = 10.0, 1 << 23

#: Who orders a chain about holds the run's lock. If the chain's own is taken, then by what a process that was
#: killed has left behind, which ends at its next report.
ORPHAN_SECONDS = 60.0

LOG_JOINT = SCALARS.index("log_joint")


class Order(NamedTuple):
    """Go on until so many sweeps are behind the chain, or the time for one slice is over."""

    sweeps: int


class Report(NamedTuple):
    """Where a chain is.

    Attributes
    ----------
    chain
        Which one.
    sweep
        How many sweeps are behind it.
    n_causes
        How many causes it has now.
    log_joint
        Of its last draw; None before there is one.
    seconds
        How long it has worked since it was started.
    ended
        Whether this is its last report.
    error
        Why it ended, if it was for an error.
    """

    chain: int
    sweep: int
    n_causes: int
    log_joint: float | None = None
    seconds: float = 0.0
    ended: bool = False
    error: BaseException | None = None


class Channel(Protocol):
    """The worker's end of what it and the conductor talk through."""

    def receive(self) -> Order | None:
        """Wait for an order; None is to save and end."""

    def send(self, report: Report) -> None:
        """Tell the conductor."""


def work(
    folder: Path, settings: Settings, chain: int, data: Data, spec: KernelSpec, channel: Channel
) -> None:
    """Run a chain from its checkpoint as ordered, keep its draws, and end with a report in every case."""
    report = Report(chain, 0, 0)
    try:
        with FileLock(chain_folder(folder, chain) / "lock", folder, patience=ORPHAN_SECONDS) as lock:
            writer = _Writer(folder, settings, chain, data, spec, lock)
            report = writer.report()
            channel.send(report)
            while (order := channel.receive()) is not None:
                writer.go_on(order.sweeps)
                report = writer.report()
                channel.send(report)
            writer.save()
            report = writer.report()
    except (EOFError, BrokenPipeError):
        return  # the process that gives orders is gone
    except Exception as error:  # noqa: BLE001 - it is raised where the run is waited for
        report = report._replace(error=error)
    channel.send(report._replace(ended=True))


class _Writer:
    """A chain and where it is kept."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        chain: int,
        data: Data,
        spec: KernelSpec,
        lock: FileLock,
    ) -> None:
        self._folder, self._settings, self._number, self._lock = folder, settings, chain, lock
        own = chain_folder(folder, chain)
        drop_leftovers(own)
        like = state_of(draw_world(settings.spec, rows=1, variables=1, seed=0), settings.spec)
        found = read_checkpoint(checkpoint_file(folder, chain), settings.run, chain, like=like)
        if found.state.leak.size != len(settings.table.columns):
            raise DamagedRunError(f"the checkpoint of chain {chain} in {folder} belongs to another table")
        drop_parts(own, beyond=self._draws_at(found.sweep))
        self._chain = Chain(
            check_sampler(settings.sampler, settings.spec),
            settings.seed,
            chain,
            warmup=settings.warmup,
            state=found.state,
            data=data,
            spec=spec,
            sweep=found.sweep,
        )
        self._pending: list[Block] = []
        self._saved_sweep, self._saved_time = found.sweep, time.monotonic()
        self._seconds = 0.0
        self._log_joint: float | None = None

    def _draws_at(self, sweep: int) -> int:
        return max(0, sweep - self._settings.warmup)

    def report(self) -> Report:
        """Say where the chain is."""
        return Report(self._number, self._chain.sweep, self._chain.n_total, self._log_joint, self._seconds)

    def go_on(self, sweeps: int) -> None:
        """Run for one slice of time, and save when it is time or the goal is reached."""
        began = time.monotonic()
        while self._chain.sweep < sweeps and time.monotonic() - began < SLICE_SECONDS:
            first = self._draws_at(self._chain.sweep)
            self._take(self._chain.advance(sweeps), first)
            if self._is_due():
                self.save()
        self._seconds += time.monotonic() - began
        if self._chain.sweep >= sweeps:
            self.save()

    def _take(self, draws: ChainDraws, first: int) -> None:
        if len(draws.scalars):
            self._pending.append(block_of(draws, first, self._settings.shape))
            self._log_joint = float(draws.scalars[-1, LOG_JOINT])

    def _is_due(self) -> bool:
        if self._chain.sweep == self._settings.warmup:
            return True
        octets = sum(block.octets for block in self._pending)
        return octets > SAVE_OCTETS or time.monotonic() - self._saved_time > SAVE_SECONDS

    def save(self) -> None:
        """Bring draws to the disk and then the checkpoint: what is before a checkpoint is always there."""
        if self._chain.sweep == self._saved_sweep:
            return
        self._lock.check_place()
        run, own = self._settings.run, chain_folder(self._folder, self._number)
        if self._pending:
            write_part(own, run, concatenated(self._pending, self._settings.shape))
        write_checkpoint(
            checkpoint_file(self._folder, self._number),
            run,
            self._number,
            Checkpoint(self._chain.sweep, self._chain.state),
        )
        self._pending = []
        self._saved_sweep, self._saved_time = self._chain.sweep, time.monotonic()
