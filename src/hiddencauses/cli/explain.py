"""`hiddencauses explain`: one row, cause by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hiddencauses.cli.options import RunReader, json_option, reads_run
from hiddencauses.cli.output import print_json
from hiddencauses.cli.tabular import print_frame, print_heading, print_line, print_rows

if TYPE_CHECKING:
    from hiddencauses.posterior.explanation import Explanation

__all__ = ["command"]

#: What less likely switched a cell on is not listed; `--json` has all.
LEAST_TOLD = 0.01


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
    from hiddencauses.data.readers import read_table
    from hiddencauses.data.warning import without_oddities
    from hiddencauses.datasets import resolve_source
    from hiddencauses.posterior import explain

    if source is None and id_column is not None:
        raise click.UsageError("--id names the rows of --table, and there is none")
    with without_oddities():
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
    print_heading("Causes, likeliest first (at_work: the chance where there is such a cause)")
    if found.causes:
        print_frame(found.causes_to_frame())
    else:
        print_line("  no cause: the leaks explain the table")
    print_heading("Ones: the chance that each switched the cell on (several may have)")
    ones = [
        (found.columns[i], _switched_on_by(found, i)) for i in range(len(found.cells)) if found.cells[i] == 1
    ]
    if ones:
        print_rows(("variable", "switched on by"), ones)
    else:
        print_line("  the row has none")
    print_heading("Absent although expected")
    print_line("  " + (", ".join(found.absent_but_expected) or "nothing"))


def _switched_on_by(found: Explanation, variable: int) -> str:
    """List what may have switched a cell on, likeliest first."""
    chances = {"leak": found.by_leak[variable], "rare causes": found.by_others[variable]}
    chances |= dict(zip(found.causes, found.by_cause[:, variable], strict=True))
    told = [(name, chance) for name, chance in chances.items() if chance >= LEAST_TOLD]
    return ", ".join(f"{name} {chance:.2f}" for name, chance in sorted(told, key=lambda one: -one[1]))
