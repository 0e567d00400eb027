"""`hiddencauses resume`: go on with a run that was stopped or killed, or give a finished one more draws."""

from __future__ import annotations

from pathlib import Path

import click

from hiddencauses.cli.findings import show_end
from hiddencauses.cli.follow import follow
from hiddencauses.cli.options import running_options
from hiddencauses.cli.output import message

__all__ = ["command"]


@click.command("resume", epilog="Example: hiddencauses resume run --draws 4000")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--draws", type=int, metavar="N", help="Draws of each chain in all.  [default: as before]")
@running_options
def command(
    folder: Path,
    draws: int | None,
    until: str | None,
    at_most_minutes: float | None,
    workers: int | None,
    processes: bool,
    quiet: bool,
) -> int:
    """Go on with the run in the folder RUN, to what was asked for or to more draws.

    The result is the same, bit for bit, as if it had never been interrupted.
    """
    from hiddencauses.runs.run import Run

    run = Run.open(folder)
    if draws is None and until is None and run.finished:
        if not quiet:
            message(
                f"{folder} is finished: {run.n_draws} draws of each of {run.settings.chains} chains; "
                f"for more say --draws {2 * run.n_draws}"
            )
        return 0

    def start() -> Run:
        return run.resume(
            draws=draws, until=until, at_most_minutes=at_most_minutes, workers=workers, processes=processes
        )

    _, interrupted = follow(start, folder, quiet=quiet)
    return show_end(run, interrupted=interrupted, quiet=quiet)
