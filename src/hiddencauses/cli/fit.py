"""`hiddencauses fit`: draw from the posterior and say what was found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hiddencauses.cli.options import TableReader, force_option, out_option, reads_table, seed_option
from hiddencauses.cli.output import message
from hiddencauses.cli.tabular import print_heading, print_line, print_rows

if TYPE_CHECKING:
    from hiddencauses.sampling.draws import Draws

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
    "--draws", type=int, default=1000, show_default=True, metavar="N", help="Sweeps kept, per chain."
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
@click.option("--quiet", is_flag=True, help="Say nothing on the way.")
def command(
    table: TableReader,
    out: Path,
    spec_file: Path | None,
    sampler: str,
    chains: int,
    warmup: int,
    draws: int,
    init: str,
    seed: int | None,
    force: bool,
    quiet: bool,
) -> None:
    """Draw from the posterior, say what was found, and keep the draws in the folder PATH."""
    from hiddencauses.model.spec import DEFAULT_SPEC, read_spec
    from hiddencauses.runs.folder import write_run
    from hiddencauses.sampling.sample import sample
    from hiddencauses.validation import check_output

    check_output(out, force=force)
    spec = read_spec(spec_file) if spec_file else DEFAULT_SPEC
    read = table.read()
    if not quiet:
        message(
            f"{read.source}: {chains} chains of {warmup} + {draws} sweeps; a first run compiles for a while"
        )
    found = sample(
        read, spec, sampler=sampler, draws=draws, warmup=warmup, chains=chains, seed=seed, init=init
    )
    write_run(found, read, out, warmup=warmup, init=init, force=force)
    _show(found)
    if not quiet:
        message(f"saved in {out} (seed {found.seed})")


def _show(found: Draws) -> None:
    """Print the number of causes and the highest-posterior structure."""
    print_line("Number of causes")
    shares = found.n_causes_distribution()
    counts = [(k, f"{share:.1%}") for k, share in enumerate(shares) if share >= 0.001]
    print_rows(("causes", "share of draws"), counts, right=(0, 1))
    chain, draw = found.highest()
    world = found.world(chain, draw)
    linked = [k for k in range(world.n_total) if world.links[:, k].any()]
    linked.sort(key=lambda k: -int(world.activity[:, k].sum()))
    print_heading(f"Structure of the draw with the highest log joint density ({found.log_joint.max():.2f})")
    if not linked:
        print_line("  no cause: the leaks explain the table")
        return
    rows = [
        (
            place,
            int(world.activity[:, k].sum()),
            ", ".join(name for name, link in zip(found.columns, world.links[:, k], strict=True) if link),
        )
        for place, k in enumerate(linked, start=1)
    ]
    print_rows(("cause", "rows where it is at work", "variables it drives"), rows, right=(0, 1))
