"""Where chains run: each in a thread of its own, or each in a process of its own."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import signal
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hiddencauses.errors import RunStoppedError
from hiddencauses.runs.table_copy import read_table_copy
from hiddencauses.runs.worker import Order, Report, work
from hiddencauses.sampling.convert import kernel_data, kernel_spec

if TYPE_CHECKING:
    from hiddencauses.kernels.state import Data, KernelSpec
    from hiddencauses.runs.settings import Settings

__all__ = ["Reports", "Worker", "start_processes", "start_threads"]

#: What all chains report to; None wakes who listens.
Reports = queue.SimpleQueue[Report | None]


class Worker(Protocol):
    """The conductor's end of a chain."""

    def order(self, order: Order | None) -> None:
        """Tell the chain to go on, or with None to save and end."""

    def join(self) -> None:
        """Wait until it has ended."""


# -- threads ---------------------------------------------------------------------------------------


def start_threads(folder: Path, settings: Settings, reports: Reports) -> Iterator[Worker]:
    """Start every chain in a thread; kernels run without the interpreter's lock. The table is shared."""
    table = read_table_copy(folder, settings.run, settings.table.fingerprint)
    data, spec = kernel_data(table), kernel_spec(settings.spec, max_new=settings.max_new)
    for chain in range(settings.chains):
        yield _ThreadWorker(folder, settings, chain, data, spec, reports)


class _ThreadWorker:
    """A chain in a thread, and its channel."""

    def __init__(
        self, folder: Path, settings: Settings, chain: int, data: Data, spec: KernelSpec, reports: Reports
    ) -> None:
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._reports = reports
        self._thread = threading.Thread(
            target=work, args=(folder, settings, chain, data, spec, self), name=f"chain-{chain}"
        )
        self._thread.start()

    def order(self, order: Order | None) -> None:
        self._orders.put(order)

    def receive(self) -> Order | None:
        return self._orders.get()

    def send(self, report: Report) -> None:
        self._reports.put(report)

    def join(self) -> None:
        self._thread.join()


# -- processes -------------------------------------------------------------------------------------


def start_processes(folder: Path, settings: Settings, reports: Reports) -> Iterator[Worker]:
    """Start every chain in a process, which reads the table for itself."""
    for chain in range(settings.chains):
        yield _ProcessWorker(folder, settings, chain, reports)


class _ProcessWorker:
    """A chain in a process, and a thread that passes on what it says."""

    def __init__(self, folder: Path, settings: Settings, chain: int, reports: Reports) -> None:
        context = multiprocessing.get_context("spawn")  # nothing inherited, no lock held twice
        self._pipe, other = context.Pipe()
        self._chain, self._folder, self._reports = chain, folder, reports
        self._process = context.Process(
            target=_run_in_process, args=(folder, settings, chain, other), name=f"chain-{chain}", daemon=True
        )
        self._process.start()
        other.close()  # the only end is the child's, so its death is heard
        self._listener = threading.Thread(target=self._listen, name=f"listener-{chain}")
        self._listener.start()

    def order(self, order: Order | None) -> None:
        try:
            self._pipe.send(order)
        except OSError:
            return  # it has ended; the listener says so

    def _listen(self) -> None:
        last = Report(self._chain, 0, 0)
        try:
            while not last.ended:
                last = self._pipe.recv()
                self._reports.put(last)
        except (EOFError, OSError, pickle.UnpicklingError):
            self._process.join()
            code = self._process.exitcode or 0
            why = f"signal {-code}" if code < 0 else f"exit code {code}"
            error = RunStoppedError(
                f"the process of chain {self._chain} of {self._folder} ended by itself ({why}), perhaps for "
                "want of memory; what it had saved is kept: "
                f"continue with hiddencauses resume {self._folder}"
            )
            self._reports.put(last._replace(ended=True, error=error))

    def join(self) -> None:
        self._listener.join()
        self._process.join()
        self._pipe.close()


class _ProcessChannel:
    """The worker's end, in the process."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def receive(self) -> Order | None:
        order: Order | None = self._pipe.recv()
        return order

    def send(self, report: Report) -> None:
        try:
            pickle.dumps(report.error)
        except (pickle.PicklingError, TypeError, AttributeError):
            report = report._replace(error=RuntimeError(repr(report.error)))
        self._pipe.send(report)


def _run_in_process(folder: Path, settings: Settings, chain: int, pipe: Connection) -> None:
    """Run a chain; interrupts are the conductor's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = _ProcessChannel(pipe)
    try:
        table = read_table_copy(folder, settings.run, settings.table.fingerprint)
        data, spec = kernel_data(table), kernel_spec(settings.spec, max_new=settings.max_new)
    except Exception as error:  # noqa: BLE001 - it is raised where the run is waited for
        channel.send(Report(chain, 0, 0, ended=True, error=error))
        return
    work(folder, settings, chain, data, spec, channel)
