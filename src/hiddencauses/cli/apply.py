"""`hiddencauses apply`: which causes are at work in new rows, and what their missing cells are."""

from __future__ import annotations

from pathlib import Path

import click

from hiddencauses.cli.options import (
    RunReader,
    TableReader,
    force_option,
    out_option,
    reads_run,
    reads_table,
)
from hiddencauses.cli.output import message

__all__ = ["command"]


@click.command("apply", epilog="Example: hiddencauses apply run new.csv --out causes.csv")
@reads_run
@reads_table
@out_option
@force_option
@click.option(
    "--missing-columns-unobserved",
    is_flag=True,
    help="Take variables that TABLE lacks as missing in every row.",
)
@click.option(
    "--draws-used", type=int, default=100, show_default=True, metavar="N", help="Draws to average over."
)
def command(
    run: RunReader,
    table: TableReader,
    out: Path,
    force: bool,
    missing_columns_unobserved: bool,
    draws_used: int,
) -> None:
    """Write, for each row of TABLE, the chance that each cause of RUN is at work, and P(variable = 1) where
    a cell is missing. PATH is .csv, .tsv, .parquet, .feather or .arrow.
    """
    from hiddencauses.data.warning import without_oddities
    from hiddencauses.posterior import apply_in_blocks, write_new_rows
    from hiddencauses.posterior.new_rows_file import ENDINGS
    from hiddencauses.validation import check_ending, check_not_input, check_output

    check_ending(out, ENDINGS)
    check_output(out, force=force)
    check_not_input(out, [table.source])
    draws = run.draws()
    with without_oddities():
        rows = table.read()
    blocks = apply_in_blocks(
        draws,
        rows,
        missing_columns_are_unobserved=missing_columns_unobserved,
        draws_used=draws_used,
    )
    number = write_new_rows(blocks, out, force=force)
    message(f"{number} rows written to {out}")
