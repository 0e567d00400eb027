"""`hiddencauses check`: does the fitted model make tables like the one it was fitted to?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hiddencauses.cli.options import RunReader, force_option, json_option, reads_run
from hiddencauses.cli.output import message, print_json
from hiddencauses.cli.tabular import print_frame, print_heading, print_line

if TYPE_CHECKING:
    from hiddencauses.posterior.table_check import TableCheck

__all__ = ["command"]

#: The furthest off that are listed.
SHOWN = 20


@click.command("check", epilog="Example: hiddencauses check run --picture check.svg")
@reads_run
@json_option
@click.option("--tables", type=int, default=200, show_default=True, metavar="N", help="Tables to simulate.")
@click.option("--prior", is_flag=True, help="Simulate from the prior in place of the posterior.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw what was found, too: .svg or .png.",
)
@force_option
@click.option(
    "--seed", type=int, help="Whole number; the same seed gives the same tables.  [default: the run's]"
)
def command(
    run: RunReader,
    as_json: bool,
    tables: int,
    prior: bool,
    picture: Path | None,
    force: bool,
    seed: int | None,
) -> None:
    """Simulate tables from the posterior of RUN and compare them with the fitted one."""
    from hiddencauses.pictures import check_picture, draw_check, write_picture
    from hiddencauses.posterior import check, check_prior

    if picture is not None:
        check_picture(picture, force=force)
    draws, table = run.draws(), run.table()
    found = (
        check_prior(draws.spec, table, tables=tables, seed=draws.seed if seed is None else seed)
        if prior
        else check(draws, table, tables=tables, seed=seed)
    )
    if as_json:
        print_json({"kinds": found.kinds_to_frame().to_pylist(), "numbers": found.to_frame().to_pylist()})
    else:
        _show(found)
    if picture is not None:
        write_picture(draw_check(found), picture, force=force)
        message(f"picture written to {picture}")


def _show(found: TableCheck) -> None:
    frame, kinds, tables = found.to_frame(), found.kinds_to_frame(), len(found.simulated)
    print_frame(kinds)
    print_heading(f"Numbers outside of what 95% of {tables} simulated tables have, furthest first")
    outside = frame.filter(frame.column("outside"))
    if not outside.num_rows:
        print_line("  none")
        return
    far = [
        abs(line["observed"] - line["simulated_mean"])
        / max(line["simulated_high"] - line["simulated_low"], 1e-12)
        for line in outside.to_pylist()
    ]
    order = sorted(range(len(far)), key=lambda n: -far[n])[:SHOWN]
    print_frame(outside.take(order).drop_columns(["outside"]))
