"""A handle on a run: wait for it, look at it, stop it, go on with it."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hiddencauses.errors import (
    ChangedTableWarning,
    DamagedRunError,
    OtherVersionsWarning,
    RunError,
    UserError,
)
from hiddencauses.runs.conductor import Conductor
from hiddencauses.runs.convergence import Quantity, judge, watched
from hiddencauses.runs.draw_files import finished_draws, load_draws, load_scalars, sweeps_done
from hiddencauses.runs.layout import lock_file, posterior_file
from hiddencauses.runs.lock import FileLock
from hiddencauses.runs.log import write_log
from hiddencauses.runs.posterior_read import count_draws
from hiddencauses.runs.room import warn_if_short
from hiddencauses.runs.settings import DRAWING, Settings, read_settings, versions, write_settings
from hiddencauses.runs.table_copy import file_digest, read_table_copy
from hiddencauses.runs.until import is_reached, looks
from hiddencauses.sampling.plan import cores
from hiddencauses.validation import check_at_least, check_positive, check_until

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiddencauses.data.table import Table
    from hiddencauses.sampling.draws import Draws

__all__ = ["ChainProgress", "Run"]

#: Files of a run that goes on elsewhere may be replaced while they are looked at: look again so often.
LOOKS = 3


class ChainProgress(NamedTuple):
    """How far a chain is.

    Attributes
    ----------
    chain
        Which one.
    phase
        "starting", "warm-up", "drawing" or "done".
    sweeps, draws
        Sweeps behind it, warm-up included, and draws kept.
    n_causes
        How many causes it has now.
    log_joint
        Of the last draw in this session; None before there is one.
    per_second
        Sweeps a second while it has its turn.
    seconds_left
        Until it has all that is asked for, at that speed and with the turns it gets.
    """

    chain: int
    phase: str
    sweeps: int
    draws: int
    n_causes: int
    log_joint: float | None
    per_second: float
    seconds_left: float | None


class Run:
    """A run in a folder, going on or not.

    `fit` makes one, `Run.open` finds one again.

    Attributes
    ----------
    folder
        Where it is.
    settings
        What it was asked for and made with.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.settings: Settings = read_settings(self.folder)
        self._conductor: Conductor | None = None
        self._began: dict[int, int] = {}
        self._started = 0.0

    @classmethod
    def open(cls, folder: str | Path) -> Run:
        """Open a run's folder; a folder that is none is refused."""
        return cls(folder)

    def __repr__(self) -> str:
        state = "running" if self.running else f"{self.n_draws} draws of each chain"
        return f"Run({str(self.folder)!r}, {self.settings.chains} chains, {state})"

    # -- going on ----------------------------------------------------------------------------------

    def resume(
        self,
        *,
        draws: int | None = None,
        until: str | Mapping[str, float] | None = None,
        at_most_minutes: float | None = None,
        workers: int | None = None,
        processes: bool = False,
    ) -> Run:
        """Go on where the run is, in the background: to what was asked for, or to more draws.

        The draws are those of a run that was never interrupted, and asked for as many at once.

        Parameters
        ----------
        draws
            How many draws each chain is to have in all; as many as were asked for when left out.
        until
            As `fit` takes it. With `draws` alone what was given before is dropped.
        at_most_minutes, workers, processes
            As `fit` takes them.
        """
        if self.running:
            raise RunError(f"{self.folder} is running already; wait() for it or stop() it first")
        workers = cores() if workers is None else check_at_least("workers", workers, 1)
        minutes = None if at_most_minutes is None else check_positive("at_most_minutes", at_most_minutes)
        wanted = None if until is None else check_until(until)
        if draws is not None:
            draws = check_at_least("draws", draws, 1)
        lock = FileLock(lock_file(self.folder), self.folder)
        try:
            self.settings = read_settings(self.folder)
            self._ask_for(draws, wanted)
            self._warn_of_changes()
            self._began = dict(enumerate(sweeps_done(self.folder, self.settings)))
            write_log(self.folder, f"started from sweeps {list(self._began.values())}")
            self._started = time.monotonic()
            self._conductor = Conductor(
                self.folder, self.settings, lock, workers=workers, processes=processes, minutes=minutes
            )
        except BaseException:
            lock.release()
            raise
        return self

    def _ask_for(self, draws: int | None, until: dict[str, float] | None) -> None:
        """Change what is asked for, in the settings too."""
        if draws is None and until is None:
            return
        there = max(finished_draws(self.folder, self.settings))
        goal = self.settings.draws if draws is None else draws
        if goal < there:
            raise UserError(
                f"{self.folder} has {there} draws of a chain already and {goal} are asked for; draws are "
                "counted from the first: ask for more, or for nothing"
            )
        changed = replace(self.settings, draws=goal, until=until)
        if changed != self.settings:
            warn_if_short(changed, self.folder)
            write_settings(changed, self.folder)
            self.settings = changed

    def _warn_of_changes(self) -> None:
        """Say what is no longer as it was when the run was made."""
        table = self.settings.table
        if table.source_digest is not None:
            now = file_digest(table.source)
            if now is not None and now != table.source_digest:
                warnings.warn(
                    f"{table.source} has changed since the fit; {self.folder} goes on with its own copy of "
                    "the table as it was",
                    ChangedTableWarning,
                    stacklevel=3,
                )
        now_used = versions()
        other = [
            f"{name} {self.settings.versions.get(name)} then, {now_used[name]} now"
            for name in DRAWING
            if self.settings.versions.get(name) != now_used[name]
        ]
        if other:
            warnings.warn(
                f"{self.folder} was made with other versions ({'; '.join(other)}): it goes on and is valid, "
                "but is not bit for bit what it would have been",
                OtherVersionsWarning,
                stacklevel=3,
            )

    @property
    def running(self) -> bool:
        """Whether this handle has it going on."""
        return self._conductor is not None and self._conductor.running

    def wait(self, timeout: float | None = None) -> Run:
        """Wait until the run ends, or so many seconds; raise what it ended by.

        An interrupt (Ctrl-C) while waiting stops the run, keeps every finished draw, and is passed on.
        """
        if self._conductor is not None:
            try:
                self._conductor.join(timeout)
            except KeyboardInterrupt:
                self.stop()
                raise
            if not self._conductor.running and self._conductor.error is not None:
                error, self._conductor = self._conductor.error, None
                raise error
        return self

    def stop(self, *, wait: bool = True) -> Run:
        """Stop the run and keep every finished draw; `resume` goes on."""
        if self._conductor is not None:
            self._conductor.stop()
            if wait:
                self.wait()
        return self

    @property
    def outcome(self) -> str:
        """How the last session of this handle ended: "finished", "stopped", "out of time", or "" ."""
        return "" if self._conductor is None or self.running else self._conductor.outcome

    # -- looking -----------------------------------------------------------------------------------

    @property
    def n_draws(self) -> int:
        """How many draws every chain has on disk."""
        return int(min(self._looked(finished_draws)))

    @property
    def finished(self) -> bool:
        """Whether the run has all that was asked for."""
        there = self._looked(finished_draws)
        draws = min(there)
        if count_draws(posterior_file(self.folder), self.settings) < draws:
            return False
        if draws >= self.settings.draws:
            return True
        until = self.settings.until
        if not until or draws != max(there) or draws not in set(looks(self.settings.draws)):
            return False
        return is_reached(until, self.convergence())

    def progress(self) -> list[ChainProgress]:
        """Return how far each chain is."""
        if self._conductor is None:
            sweeps = sweeps_done(self.folder, self.settings)
            return [self._progress(chain, sweep, 0, None, 0.0) for chain, sweep in enumerate(sweeps)]
        found = []
        for chain, report in enumerate(self._conductor.latest):
            if report is None:
                found.append(ChainProgress(chain, "starting", 0, 0, 0, None, 0.0, None))
            else:
                found.append(
                    self._progress(chain, report.sweep, report.n_causes, report.log_joint, report.seconds)
                )
        return found

    def _progress(
        self, chain: int, sweep: int, n_causes: int, log_joint: float | None, seconds: float
    ) -> ChainProgress:
        warmup, goal = self.settings.warmup, self.settings.warmup + self.settings.draws
        made = sweep - self._began.get(chain, sweep)
        passed = time.monotonic() - self._started
        left = (
            (goal - sweep) * passed / made if made > 0 and self.running and not self.settings.until else None
        )
        phase = "done" if sweep >= goal else "drawing" if sweep >= warmup else "warm-up"
        rate = made / seconds if seconds > 0 else 0.0
        return ChainProgress(chain, phase, sweep, max(0, sweep - warmup), n_causes, log_joint, rate, left)

    def draws(self) -> Draws:
        """Return the draws that every chain has on disk so far."""
        draws: Draws = self._looked(load_draws)
        if not draws.n_draws:
            raise RunError(
                f"{self.folder} has no draws yet (it is in warm-up); go on with hiddencauses resume "
                f"{self.folder}"
            )
        return draws

    def convergence(self) -> list[Quantity]:
        """Return R-hat and effective draws of what does not depend on the order of causes."""
        return judge(watched(self._looked(load_scalars), self.settings.spec))

    def table(self) -> Table:
        """Return the table that the run was fitted to, from the run's own copy."""
        return read_table_copy(self.folder, self.settings.run, self.settings.table.fingerprint)

    def _looked(self, look: Any) -> Any:
        """Look at files that may be replaced meanwhile."""
        for _ in range(LOOKS - 1):
            try:
                return look(self.folder, self.settings)
            except DamagedRunError:
                time.sleep(0.05)
        return look(self.folder, self.settings)
