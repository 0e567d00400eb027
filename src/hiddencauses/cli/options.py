"""Options that several commands share, each described once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

if TYPE_CHECKING:
    from hiddencauses.data.table import Table

__all__ = ["ForceOption", "JsonOption", "OutOption", "SeedOption", "TableReader", "reads_table"]

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an output that exists.")]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="Where to write.", show_default=False)]
SeedOption = Annotated[
    Optional[int],  # noqa: UP045 - typer reads the annotation at run time
    typer.Option("--seed", help="Whole number; the same seed gives the same result.", show_default="drawn"),
]


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
        from hiddencauses.data.datasets import resolve_source
        from hiddencauses.data.readers import read_table

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


def _reading_parameters() -> list[inspect.Parameter]:
    """Return the command-line parameters behind a `TableReader`, in the order of its fields."""
    text = Optional[str]  # noqa: UP045 - typer reads the annotation at run time
    declared: list[tuple[str, Any, Any, Any]] = [
        (
            "source",
            str,
            typer.Argument(metavar="TABLE", help="A file, '-' for standard input, or dataset:NAME."),
            inspect.Parameter.empty,
        ),
        ("id_column", text, typer.Option("--id", metavar="COLUMN", help="Column that names the rows."), None),
        (
            "carry",
            list[str],
            typer.Option("--carry", metavar="COLUMN", help="Column to keep with the rows, not modelled; repeatable."),
            [],
        ),
        (
            "count_column",
            text,
            typer.Option("--count", metavar="COLUMN", help="Column that says how often a row is repeated."),
            None,
        ),
        ("events", bool, typer.Option("--events", help="The file is a list of (id, item) events."), False),
        ("item_column", text, typer.Option("--item", metavar="COLUMN", help="With --events: the item column."), None),
        ("delimiter", text, typer.Option("--delimiter", metavar="CHAR", help="Cell separator; guessed if not given."), None),
        ("drop_constant", bool, typer.Option("--drop-constant", help="Leave out variables that never vary."), False),
    ]
    return [
        inspect.Parameter(
            name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=Annotated[kind, option]
        )
        for name, kind, option, default in declared
    ]


def reads_table(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command whose first parameter is a `TableReader` the argument and options that make one."""
    reading = _reading_parameters()
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    every = [*reading[:1], *own, *reading[1:]]
    # A parameter without a default may not follow one with a default.
    ordered = sorted(every, key=lambda p: p.default is not inspect.Parameter.empty)

    @functools.wraps(command)
    def wrapper(**given: Any) -> None:
        asked = {p.name: given.pop(p.name) for p in reading}
        command(TableReader(**(asked | {"carry": tuple(asked["carry"])})), **given)

    # typer reads the signature, which `wraps` would send to the command itself
    del wrapper.__wrapped__
    wrapper.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in ordered}
    return wrapper
