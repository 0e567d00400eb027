"""`hiddencauses datasets`: list the built-in tables, or write one out."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hiddencauses.cli.options import force_option, json_option
from hiddencauses.cli.output import message, print_json
from hiddencauses.cli.tabular import print_heading, print_line, print_rows
from hiddencauses.errors import UserError

if TYPE_CHECKING:
    from hiddencauses.datasets import DatasetInfo

__all__ = ["command"]


@click.command(
    "datasets",
    epilog="Example:  hiddencauses datasets nhefs --out nhefs.csv  (commands take dataset:nhefs as well)",
)
@click.argument("name", required=False)
@click.option(
    "--out", "-o", type=click.Path(path_type=Path), metavar="PATH", help="Write the table NAME to PATH."
)
@force_option
@json_option
def command(name: str | None, out: Path | None, force: bool, as_json: bool) -> None:
    """List the built-in tables, describe the one called NAME, or write it out.

    Wherever a command takes a TABLE, dataset:NAME stands for a built-in one.
    """
    from hiddencauses.datasets import dataset_info, list_datasets

    if name is None and out is not None:
        raise UserError("--out needs the name of a table, as in: hiddencauses datasets nhefs --out nhefs.csv")
    if force and out is None:
        raise UserError("--force replaces the file that --out names; there is no --out")
    chosen = list_datasets() if name is None else (dataset_info(name),)
    if name is not None and out is not None:
        _write(chosen[0], out, force=force)
        if not as_json:
            return
    if as_json:
        print_json({"schema": "hiddencauses/datasets/1", "datasets": [info.to_dict() for info in chosen]})
    elif name is None:
        _list(chosen)
    else:
        _describe(chosen[0])


def _write(info: DatasetInfo, out: Path, *, force: bool) -> None:
    from hiddencauses.data.writers import write_table
    from hiddencauses.datasets import load_dataset
    from hiddencauses.validation import check_output

    check_output(out, force=force)
    write_table(load_dataset(info.name), out, force=force)
    carried = f"; carried along: {', '.join(info.carried)}" if info.carried else ""
    message(f"wrote {out}: {info.rows} rows × {info.variables} variables{carried}")


def _list(infos: tuple[DatasetInfo, ...]) -> None:
    rows = [
        (
            info.name,
            f"{info.rows} × {info.variables}",
            f"{info.density:.1%}",
            info.title,
            info.source,
            info.licence,
        )
        for info in infos
    ]
    print_rows(("name", "shape", "density", "what", "source", "licence"), rows, right=(1, 2))


def _describe(info: DatasetInfo) -> None:
    print_line(f"{info.name}: {info.title}")
    facts = [
        ("shape", f"{info.rows} rows × {info.variables} variables"),
        (
            "density",
            f"{info.density:.1%} of the known cells are 1; {info.missing_share:.1%} of all are missing",
        ),
        ("source", info.source),
        ("licence", info.licence),
        ("note", info.note),
        ("carried along", ", ".join(info.carried) or "nothing"),
    ]
    for label, fact in facts:
        lines = textwrap.wrap(fact, 90)
        print_line(f"  {label.ljust(13)}  {lines[0]}")
        for line in lines[1:]:
            print_line(f"  {' ' * 13}  {line}")
    if info.meanings:
        print_heading("Variables")
        print_rows(("name", "meaning"), list(info.meanings.items()))
