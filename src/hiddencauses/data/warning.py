"""Warnings about a table that is legal but odd: constant columns, and nothing known of a row or column."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from hiddencauses.data.bits import popcounts, unpack_rows
from hiddencauses.data.table import Table
from hiddencauses.errors import AllMissingWarning, ConstantColumnWarning, InputError, shorten

__all__ = [
    "constant_columns",
    "user_stacklevel",
    "warn_about",
    "without_constant_columns",
    "without_oddities",
]

_PACKAGE = str(Path(__file__).parents[1])
_SHOWN = 5


def constant_columns(table: Table) -> tuple[str, ...]:
    """Name the variables whose known cells are all the same (and are known somewhere)."""
    ones, known = table.ones_per_column(), table.n_rows - table.missing_per_column()
    flat = ((ones == 0) | (ones == known)) & (known > 0)
    return tuple(name for name, is_flat in zip(table.columns, flat, strict=True) if is_flat)


def without_constant_columns(table: Table) -> Table:
    """Drop the variables that never vary, those with every cell missing among them.

    Parameters
    ----------
    table
        A table; at least one of its variables must vary.
    """
    drop = {*constant_columns(table), *_unknown_columns(table)}
    if len(drop) == table.n_variables:
        raise InputError(
            "every column is constant, so dropping constant columns leaves none",
            source=table.source,
            rule="a table needs at least one variable",
            fix="keep constant columns, or check the file",
        )
    return table.with_variables([name for name in table.columns if name not in drop]) if drop else table


def warn_about(table: Table) -> None:
    """Warn, at the caller's line outside this package, of what is legal but odd in a table.

    Parameters
    ----------
    table
        The table to look at.
    """
    level = user_stacklevel()
    flat = constant_columns(table)
    if flat:
        warnings.warn(
            f"{table.source}: {_listed('column', flat, table.n_variables)} constant; kept, because dropping "
            "a variable changes the posterior (drop_constant=True or --drop-constant drops them)",
            ConstantColumnWarning,
            stacklevel=level,
        )
    unknown = [
        _listed("column", columns, table.n_variables) for columns in [_unknown_columns(table)] if columns
    ]
    unknown += [_listed("row", rows, table.n_rows) for rows in [_unknown_rows(table)] if rows]
    if unknown:
        warnings.warn(
            f"{table.source}: {' and '.join(unknown)} missing in every cell; kept, but nothing can be "
            "learned there",
            AllMissingWarning,
            stacklevel=level,
        )


@contextmanager
def without_oddities() -> Iterator[None]:
    """Read a table without being told of constant columns and empty rows.

    They matter to a fit, and not to an answer: new rows may be few.
    """
    with warnings.catch_warnings():
        for kind in (ConstantColumnWarning, AllMissingWarning):
            warnings.simplefilter("ignore", kind)
        yield


def user_stacklevel() -> int:
    """Return the `stacklevel` at which the caller's caller warns about code outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level


def _unknown_columns(table: Table) -> tuple[str, ...]:
    unknown = table.missing_per_column() == table.n_rows
    return tuple(name for name, is_unknown in zip(table.columns, unknown, strict=True) if is_unknown)


def _unknown_rows(table: Table) -> tuple[str, ...]:
    if table.missing is None:
        return ()
    words = np.bitwise_and.reduce(table.missing, axis=0, keepdims=True)
    if not popcounts(words)[0]:
        return ()
    places = np.flatnonzero(unpack_rows(words, table.n_rows)[:, 0])
    return tuple(str(i + 1) if table.row_ids is None else table.row_ids[i] for i in places.tolist())


def _listed(what: str, names: Sequence[str], total: int) -> str:
    """Say `column 'a' is`, or `12 of 40 columns ('a', 'b', …) are`."""
    if len(names) == 1:
        return f"{what} {shorten(names[0])} is"
    shown = ", ".join(shorten(name) for name in names[:_SHOWN])
    return f"{len(names)} of {total} {what}s ({shown}{', …' if len(names) > _SHOWN else ''}) are"
