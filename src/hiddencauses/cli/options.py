"""Options that several commands share, each described once.

Commands are plain click commands. A command that reads a TABLE is decorated with `reads_table` and gets
a `TableReader` as its argument `table`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from hiddencauses.data.table import Table
    from hiddencauses.sampling.draws import Draws

__all__ = [
    "RunReader",
    "TableReader",
    "force_option",
    "json_option",
    "out_option",
    "reads_run",
    "reads_table",
    "running_options",
    "seed_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
force_option = click.option("--force", is_flag=True, help="Replace an output that exists.")
out_option = click.option(
    "--out", "-o", type=click.Path(path_type=Path), required=True, metavar="PATH", help="Where to write."
)
seed_option = click.option(
    "--seed",
    type=int,
    default=None,
    help="Whole number; the same seed gives the same result. [default: drawn]",
)
_RUNNING = (
    click.option(
        "--until",
        metavar="WHAT",
        help="Stop when this is reached, such as rhat=1.01,ess=400; --draws is then the most.",
    ),
    click.option(
        "--at-most-minutes", type=float, metavar="M", help="Stop after so long, whatever is reached."
    ),
    click.option("--workers", type=int, metavar="N", help="Chains to run at once.  [default: cores]"),
    click.option("--processes", is_flag=True, help="A process for each chain instead of a thread."),
    click.option("--quiet", is_flag=True, help="Say nothing on the way."),
)


def running_options(command: Command) -> Command:
    """Give a command the options of everything that runs chains."""
    decorated: Any = command
    for option in reversed(_RUNNING):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class RunReader:
    """The RUN argument of a command: a run's folder."""

    folder: Path

    def draws(self) -> Draws:
        """Read the draws."""
        from hiddencauses.runs.run import Run

        return Run.open(self.folder).draws()

    def table(self) -> Table:
        """Read the table that was fitted."""
        from hiddencauses.runs.run import Run

        return Run.open(self.folder).table()


def reads_run(command: Command) -> Command:
    """Give a command the RUN argument, as a `RunReader` named `run`."""

    @functools.wraps(command)
    def with_reader(*args: Any, folder: Path, **given: Any) -> Any:
        return command(*args, run=RunReader(folder), **given)

    decorated: Any = click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))(with_reader)
    return decorated  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class TableReader:
    """How to read the TABLE argument of a command, as its options say."""

    source: str
    id_column: str | None
    carry: tuple[str, ...]
    count_column: str | None
    events: bool
    item_column: str | None
    delimiter: str | None
    drop_constant: bool

    def read(self) -> Table:
        """Read the table."""
        from hiddencauses.data.readers import read_table
        from hiddencauses.datasets import resolve_source

        return read_table(
            resolve_source(self.source),
            id_column=self.id_column,
            carry=self.carry,
            count_column=self.count_column,
            item_column=self.item_column,
            layout="events" if self.events else "cells",
            delimiter=self.delimiter,
            drop_constant=self.drop_constant,
        )


_READING = (
    click.argument("source", metavar="TABLE"),
    click.option("--id", "id_column", metavar="COLUMN", help="Column that names the rows."),
    click.option(
        "--carry",
        metavar="COLUMN",
        multiple=True,
        help="Column to keep with the rows, not modelled; repeatable.",
    ),
    click.option(
        "--count", "count_column", metavar="COLUMN", help="Column that says how often a row is repeated."
    ),
    click.option("--events", is_flag=True, help="TABLE is a list of events: an id and an item a line."),
    click.option("--item", "item_column", metavar="COLUMN", help="With --events: the column of items."),
    click.option("--delimiter", metavar="CHAR", help="What separates cells; guessed when not given."),
    click.option("--drop-constant", is_flag=True, help="Leave out variables that never vary."),
)


def reads_table(command: Command) -> Command:
    """Give a command the TABLE argument and its options, as one `TableReader` named `table`."""

    @functools.wraps(command)
    def with_reader(*args: Any, **given: Any) -> Any:
        reader = TableReader(**{field.name: given.pop(field.name) for field in fields(TableReader)})
        return command(*args, table=reader, **given)

    decorated: Any = with_reader
    for option in reversed(_READING):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]
