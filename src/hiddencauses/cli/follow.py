"""Show how far a run is until it ends, and hear Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddencauses.cli.output import message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiddencauses.runs.run import ChainProgress, Run

__all__ = ["follow", "plain_line", "shown_time"]

#: The table is drawn anew, and lines are printed when piped, every so many seconds.
TABLE_SECONDS, LINE_SECONDS = 0.25, 10.0
EXIT_INTERRUPTED = 130


def follow(start: Callable[[], Run], folder: Path, *, quiet: bool) -> tuple[Run, bool]:
    """Start a run, show how far it is until it ends, and return it and whether it was interrupted.

    The first Ctrl-C has every chain saved, a second one leaves at once; the run can be resumed after both.
    """
    interrupted = threading.Event()
    run: Run | None = None

    def interrupt(*_: object) -> None:
        if interrupted.is_set():
            show_cursor = "\x1b[?25h\n" if sys.stderr.isatty() else ""  # the table had hidden it
            told = f"{show_cursor}left at once; continue with: hiddencauses resume {folder}\n"
            os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, told.encode())
            # Threads may be in compiled code for a while yet. What is on disk is as after any crash: whole.
            os._exit(EXIT_INTERRUPTED)
        interrupted.set()
        message("stopping when every chain has saved its draws; Ctrl-C again leaves at once")
        if run is not None:
            run.stop(wait=False)

    with _on_interrupt(interrupt):
        run = start()
        if interrupted.is_set():
            run.stop(wait=False)
        if quiet:
            _wait(run, lambda: None)
        elif sys.stderr.isatty():
            _with_table(run)
        else:
            _with_lines(run)
        run.wait()
    return run, interrupted.is_set()


@contextmanager
def _on_interrupt(handler: Callable[..., None]) -> Iterator[None]:
    """Put a handler in the place of the one for Ctrl-C, where that is possible."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _wait(run: Run, show: Callable[[], None]) -> None:
    while run.running:
        run.wait(TABLE_SECONDS)
        show()


def _with_lines(run: Run) -> None:
    """Print a line now and then."""
    last = time.monotonic()

    def show() -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            message(plain_line(run.progress(), run.settings.warmup, run.settings.draws))

    _wait(run, show)


def plain_line(chains: Sequence[ChainProgress], warmup: int, draws: int) -> str:
    """Say how far all chains are, in one line."""
    parts = []
    for chain in chains:
        done = f"warm-up {chain.sweeps}/{warmup}" if chain.phase == "warm-up" else f"{chain.draws}/{draws}"
        part = "starting" if chain.phase == "starting" else f"{done}, {chain.n_causes} causes"
        parts.append(f"chain {chain.chain + 1}: {part}")
    left = [chain.seconds_left for chain in chains if chain.seconds_left is not None]
    return "; ".join(parts) + (f"; about {shown_time(max(left))} left" if left else "")


def shown_time(seconds: float) -> str:
    """Show a duration as a person would say it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def _with_table(run: Run) -> None:
    """Keep a table on the terminal, a row for each chain."""
    from rich.console import Console
    from rich.live import Live

    with Live(_table(run), console=Console(stderr=True), refresh_per_second=4, redirect_stderr=True) as live:
        _wait(run, lambda: live.update(_table(run)))


def _table(run: Run) -> Any:
    from rich import box
    from rich.table import Table

    settings = run.settings
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("chain", "phase", "draws", "draws/s", "causes", "log joint", "time left"):
        table.add_column(name, justify="left" if name == "phase" else "right")
    for chain in run.progress():
        warming = chain.phase == "warm-up"
        table.add_row(
            str(chain.chain + 1),
            f"warm-up {chain.sweeps / max(settings.warmup, 1):.0%}" if warming else chain.phase,
            f"{chain.draws}/{settings.draws}",
            f"{chain.per_second:.1f}" if chain.per_second else "",
            str(chain.n_causes),
            "" if chain.log_joint is None else f"{chain.log_joint:.1f}",
            "" if chain.seconds_left is None else shown_time(chain.seconds_left),
        )
    return table
