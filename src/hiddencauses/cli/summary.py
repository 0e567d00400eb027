"""`hiddencauses summary`: how many causes, which, and whether the chains agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hiddencauses.cli.options import RunReader, json_option, reads_run
from hiddencauses.cli.output import message, print_json
from hiddencauses.cli.tabular import print_frame, print_heading, print_line, print_rows

if TYPE_CHECKING:
    from hiddencauses.posterior.summary import Summary

__all__ = ["command"]

#: Links that fewer than these of a cause's draws have are not shown.
SHOWN_LINKS = 0.5


@click.command("summary", epilog="Example: hiddencauses summary run --json")
@reads_run
@json_option
@click.option("--by", "column", metavar="COLUMN", help="Prevalence in groups, by a carried column.")
def command(run: RunReader, as_json: bool, column: str | None) -> None:
    """Say what the run in the folder RUN has found, and how sure it is."""
    from hiddencauses.posterior import align, prevalence_by, summarise

    draws = run.draws()
    alignment = align(draws)
    if column is not None:
        groups = prevalence_by(draws, run.table(), column, alignment=alignment)
        if as_json:
            print_json({"by": column, "groups": groups.to_pylist()})
        else:
            print_frame(groups)
        return
    summary = summarise(draws, alignment=alignment)
    if as_json:
        print_json(summary.to_dict())
        return
    _show(summary)
    for _, line in summary.diagnosis.messages():
        message(f"warning: {line}")


def _show(summary: Summary) -> None:
    counts, found = summary.counts, summary.alignment
    print_line(
        f"{counts.mode} causes (mode; {summary.level:.0%} of draws: {counts.low} to {counts.high}), "
        f"{found.n_established} established"
    )
    columns = found.causes.draws.columns
    rows = []
    for k in range(found.n_worth_telling):
        linked = [i for i in range(len(columns)) if found.link_probability[i, k] >= SHOWN_LINKS]
        linked.sort(key=lambda i: -found.strength[i, k])
        links = [f"{columns[i]} {found.strength[i, k]:.2f}" for i in linked]
        low, high = found.prevalence_low[k], found.prevalence_high[k]
        prevalence = f"{found.prevalence[k]:.3f} ({low:.3f}-{high:.3f})"
        exists, match = f"{found.exists[k]:.1%}", f"{found.match[k]:.2f}"
        rows.append((k + 1, found.status[k], exists, match, prevalence, ", ".join(links)))
    print_heading("Causes, most prevalent first")
    if not rows:
        print_line("  no cause: the leaks explain the table")
        return
    header = ("cause", "status", "exists", "match", "prevalence", "drives, with strength")
    print_rows(header, rows, right=(0, 2, 3, 4))
    rare = found.n_aligned - found.n_worth_telling
    if rare:
        print_line(f"and {rare} more that are in fewer than 1 of 20 draws")
