"""Tables of text on stdout: styled on a terminal, plain and aligned when piped."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hiddencauses.cli.output import data_console

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["print_frame", "print_heading", "print_line", "print_rows"]


def print_line(text: str = "") -> None:
    """Print one line of data as it is."""
    sys.stdout.write(text + "\n")


def print_heading(text: str) -> None:
    """Print a heading after a blank line."""
    if not sys.stdout.isatty():
        print_line(f"\n{text}")
        return
    from rich.text import Text

    data_console().print(Text(f"\n{text}", style="bold"))


def print_rows(header: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[int] = ()) -> None:
    """Print rows under a header.

    Parameters
    ----------
    header
        Names of the columns.
    rows
        Their cells.
    right
        Places of the columns that are aligned to the right, as numbers are.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_styled(header, cells, right)
        return
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    for row in [list(header), *cells]:
        padded = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print_line("  ".join(padded).rstrip())


def print_frame(frame: pa.Table) -> None:
    """Print a frame: numbers to three digits, nothing where there is none."""

    def shown(value: object) -> str:
        if value is None:
            return ""
        return f"{value:.3g}" if isinstance(value, float) else str(value)

    rows = [[shown(value) for value in line.values()] for line in frame.to_pylist()]
    numeric = [place for place, field in enumerate(frame.schema) if str(field.type) != "string"]
    print_rows(frame.column_names, rows, right=numeric)


def _print_styled(header: Sequence[str], cells: list[list[str]], right: Sequence[int]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(header):
        table.add_column(name, justify="right" if place in right else "left")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))  # Text: a name may look like markup
    data_console().print(table)
