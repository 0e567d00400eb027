"""`hiddencauses fit`: draw from the posterior into a folder, and say what was found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hiddencauses.cli.findings import show_end
from hiddencauses.cli.follow import follow
from hiddencauses.cli.options import (
    TableReader,
    force_option,
    out_option,
    reads_table,
    running_options,
    seed_option,
)
from hiddencauses.cli.output import message

if TYPE_CHECKING:
    from hiddencauses.runs.run import Run

__all__ = ["command"]


@click.command("fit", epilog="Example: hiddencauses fit dataset:blocks --out run --seed 1")
@reads_table
@out_option
@click.option(
    "--spec", "spec_file", type=click.Path(path_type=Path), metavar="FILE", help="The model, as JSON."
)
@click.option(
    "--sampler",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="auto, gibbs (unbounded causes), reversible_jump or single_link_births (a finite number).",
)
@click.option("--chains", type=int, default=4, show_default=True, metavar="N", help="Independent chains.")
@click.option(
    "--warmup", type=int, default=1000, show_default=True, metavar="N", help="Sweeps thrown away first."
)
@click.option(
    "--draws",
    type=int,
    metavar="N",
    help="Sweeps kept, per chain.  [default: 1000; with --until at most 20000]",
)
@click.option(
    "--init",
    default="empty",
    show_default=True,
    metavar="START",
    help="Where chains start: empty, random, random:K or prior.",
)
@seed_option
@force_option
@running_options
def command(
    table: TableReader,
    out: Path,
    spec_file: Path | None,
    sampler: str,
    chains: int,
    warmup: int,
    draws: int | None,
    init: str,
    seed: int | None,
    force: bool,
    until: str | None,
    at_most_minutes: float | None,
    workers: int | None,
    processes: bool,
    quiet: bool,
) -> int:
    """Draw from the posterior, say what was found, and keep the draws in the folder PATH.

    Ctrl-C keeps every finished draw; `hiddencauses resume PATH` goes on.
    """
    from hiddencauses.model.spec import DEFAULT_SPEC, read_spec
    from hiddencauses.runs.fit import fit
    from hiddencauses.validation import check_output

    check_output(out, force=force)
    spec = read_spec(spec_file) if spec_file else DEFAULT_SPEC
    read = table.read()

    def start() -> Run:
        run = fit(
            read,
            spec,
            out=out,
            sampler=sampler,
            draws=draws,
            warmup=warmup,
            chains=chains,
            seed=seed,
            init=init,
            until=until,
            at_most_minutes=at_most_minutes,
            workers=workers,
            processes=processes,
            force=force,
        )
        if not quiet:
            message(
                f"{read.source}: {chains} chains of {warmup} + {run.settings.draws} sweeps into {out}; "
                "a first run compiles for a while"
            )
        return run

    run, interrupted = follow(start, out, quiet=quiet)
    return show_end(run, interrupted=interrupted, quiet=quiet)
