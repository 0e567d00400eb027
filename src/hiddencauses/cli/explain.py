"""`hiddencauses explain`: one row, cause by cause."""

from __future__ import annotations

import click

from hiddencauses.cli.options import RunReader, json_option, reads_run
from hiddencauses.cli.output import print_json
from hiddencauses.cli.tabular import print_frame, print_heading, print_line

__all__ = ["command"]


@click.command("explain", epilog="Example: hiddencauses explain run 17")
@reads_run
@click.argument("row")
@click.option("--table", "source", metavar="TABLE", help="Where the row is.  [default: the fitted table]")
@click.option("--id", "id_column", metavar="COLUMN", help="Column of --table that names its rows.")
@json_option
def command(run: RunReader, row: str, source: str | None, id_column: str | None, as_json: bool) -> None:
    """Explain ROW, its name or, where rows have none, its number counted from 1: which causes account for its
    ones, what the leaks do, and what is absent although expected.
    """
    import pyarrow as pa

    from hiddencauses.data.readers import read_table
    from hiddencauses.datasets import resolve_source
    from hiddencauses.posterior import explain

    table = run.table() if source is None else read_table(resolve_source(source), id_column=id_column)
    found = explain(run.draws(), table, row)
    if as_json:
        print_json(
            {
                "row": found.row,
                "causes": found.causes_to_frame().to_pylist(),
                "cells": found.to_frame().to_pylist(),
                "absent_but_expected": list(found.absent_but_expected),
            }
        )
        return
    print_line(f"Row {found.row}")
    print_heading("Causes, likeliest first")
    print_frame(found.causes_to_frame())
    print_heading("Ones: the chance that each switched the cell on (several may have)")
    ones = found.to_frame().filter(pa.array(found.cells == 1)).drop_columns(["cell", "expected"])
    if ones.num_rows:
        print_frame(ones)
    else:
        print_line("  the row has none")
    print_heading("Absent although expected")
    print_line("  " + (", ".join(found.absent_but_expected) or "nothing"))
