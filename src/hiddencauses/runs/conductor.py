"""Who runs when: gives chains their turns, decides when there are draws enough, and puts them together."""

from __future__ import annotations

import queue
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hiddencauses.errors import OutputError, RunStoppedError
from hiddencauses.runs.convergence import judge, watched
from hiddencauses.runs.draw_files import assemble, load_scalars
from hiddencauses.runs.log import write_log
from hiddencauses.runs.until import is_reached, looks
from hiddencauses.runs.worker import Order, Report
from hiddencauses.runs.workers import Reports, Worker, start_processes, start_threads

if TYPE_CHECKING:
    from hiddencauses.runs.lock import FileLock
    from hiddencauses.runs.settings import Settings

__all__ = ["Conductor"]

#: Who waits wakes up so often, as an interrupt is not heard by a thread that sleeps on a lock everywhere.
HEARING_SECONDS = 0.5


class Conductor:
    """Runs the chains of a run in the background, from their checkpoints to what is asked for.

    The chain that is furthest behind goes first, so that chains keep step whatever number of them run at
    once, and a run that is stopped has about as many draws of each. Who runs when changes no draw.

    Parameters
    ----------
    folder, settings
        The run.
    lock
        Its lock, which is given back at the end.
    workers
        How many chains may run at once.
    processes
        Whether each chain has a process, and not a thread.
    minutes
        After how long to stop, or None.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        lock: FileLock,
        *,
        workers: int,
        processes: bool,
        minutes: float | None,
    ) -> None:
        self._folder, self._settings, self._lock = folder, settings, lock
        self._at_once, self._processes = workers, processes
        self._ends = None if minutes is None else time.monotonic() + 60.0 * minutes
        self._reports: Reports = queue.SimpleQueue()
        self._latest: dict[int, Report] = {}
        self._busy: set[int] = set(range(settings.chains))
        self._ended: set[int] = set()
        self._stop, self._done = threading.Event(), threading.Event()
        self.error: BaseException | None = None
        self.outcome = ""
        threading.Thread(target=self._run, name="conductor").start()

    @property
    def running(self) -> bool:
        """Whether it is still at work."""
        return not self._done.is_set()

    @property
    def latest(self) -> list[Report | None]:
        """The last report of each chain; None before the first."""
        return [self._latest.get(chain) for chain in range(self._settings.chains)]

    def stop(self) -> None:
        """Have every chain saved and what there is put together; returns at once."""
        self._stop.set()
        self._reports.put(None)

    def join(self, timeout: float | None = None) -> None:
        """Wait until all is done, or so many seconds."""
        # Not `Thread.join`: before Python 3.13 an interrupt in it makes the thread count as ended.
        if timeout is not None:
            self._done.wait(timeout)
        while timeout is None and not self._done.wait(HEARING_SECONDS):
            pass

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._lock.release()
            self._done.set()

    def _work(self) -> None:
        workers: list[Worker] = []
        try:
            start = start_processes if self._processes else start_threads
            for worker in start(self._folder, self._settings, self._reports):
                workers.append(worker)  # those that could start are dismissed, also if one could not
            self._conduct(workers)
        except Exception as error:  # noqa: BLE001 - it is raised where the run is waited for
            self.error = self.error or error
        try:
            self._dismiss(workers)
            if self.error is None:
                self._lock.check_place()
                draws = assemble(self._folder, self._settings)
                write_log(self._folder, f"{self.outcome}; posterior.nc has {draws} draws of each chain")
        except Exception as error:  # noqa: BLE001
            self.error = self.error or error
        if self.error is not None:
            self.error = self._explained(self.error)
            write_log(self._folder, f"ended by {type(self.error).__name__}: {self.error}")

    def _conduct(self, workers: list[Worker]) -> None:
        goals = looks(self._settings.draws) if self._settings.until else iter([self._settings.draws])
        warmup, goal = self._settings.warmup, 0
        while not self._listen():
            if len(self._latest) < self._settings.chains:
                continue  # the goal depends on how far every chain is
            sweeps = [report.sweep for report in self._latest.values()]
            while not goal or warmup + goal < max(sweeps):
                goal = next(goals)  # one that was gone beyond was looked at before, and was not enough
            while not self._busy and min(sweeps) >= warmup + goal:
                if goal >= self._settings.draws or self._is_good_enough(goal):
                    self.outcome = "finished"
                    return
                goal = next(goals)
            self._give_turns(workers, warmup + goal)

    def _listen(self) -> bool:
        """Wait for a report; tell whether to end."""
        wait = None if self._ends is None else max(0.0, self._ends - time.monotonic())
        try:
            report = self._reports.get(timeout=wait)
        except queue.Empty:
            report = None
        if report is not None:
            self._note(report)
        if self.error is not None:
            return True
        if self._stop.is_set():
            self.outcome = "stopped"
        elif self._ends is not None and time.monotonic() >= self._ends:
            self.outcome = "out of time"
        return bool(self.outcome)

    def _note(self, report: Report) -> None:
        self._latest[report.chain] = report
        self._busy.discard(report.chain)
        if report.ended:
            self._ended.add(report.chain)
            self.error = self.error or report.error

    def _give_turns(self, workers: list[Worker], sweeps: int) -> None:
        waiting = [
            report
            for report in self._latest.values()
            if report.chain not in self._busy and report.sweep < sweeps
        ]
        waiting.sort(key=lambda report: report.sweep)
        for report in waiting[: max(0, self._at_once - len(self._busy))]:
            self._busy.add(report.chain)
            workers[report.chain].order(Order(sweeps))

    def _is_good_enough(self, goal: int) -> bool:
        assert self._settings.until is not None
        quantities = judge(watched(load_scalars(self._folder, self._settings), self._settings.spec))
        reached = is_reached(self._settings.until, quantities)
        told = ", ".join(f"{q.name} {q.rhat:.3f}/{min(q.ess_bulk, q.ess_tail):.0f}" for q in quantities)
        write_log(self._folder, f"at {goal} draws R-hat/effective draws are {told}")
        return reached

    def _dismiss(self, workers: list[Worker]) -> None:
        """Have all chains save and end, and hear them out."""
        for chain, worker in enumerate(workers):
            if chain not in self._ended:
                worker.order(None)
        while len(self._ended) < len(workers):
            report = self._reports.get()
            if report is not None:
                self._note(report)
        for worker in workers:
            worker.join()

    def _explained(self, error: BaseException) -> BaseException:
        """Add what to do to what the system said; that the folder has gone explains everything."""
        try:
            self._lock.check_place()
        except RunStoppedError as gone:
            return gone
        if isinstance(error, OutputError):
            return RunStoppedError(
                f"{error}; draws saved before are kept: continue with hiddencauses resume {self._folder}"
            )
        return error
