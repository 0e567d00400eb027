"""Roles: which column names the rows, which are carried, which counts, which are variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hiddencauses.data.raw import RawSource
from hiddencauses.errors import InputError
from hiddencauses.validation import check_column, check_shape

__all__ = ["EventRoles", "Roles", "assign_event_roles", "assign_roles"]


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns of a table of cells: `variables` are those that nothing else claims."""

    variables: tuple[str, ...]
    id_column: str | None
    carried: tuple[str, ...]
    count_column: str | None


@dataclass(frozen=True, slots=True)
class EventRoles:
    """The columns of an event list; columns without a role are left out."""

    id_column: str
    item_column: str
    carried: tuple[str, ...]


def assign_roles(
    raw: RawSource, *, id_column: str | None, carry: Iterable[str], count_column: str | None
) -> Roles:
    """Give every column of a table of cells its role.

    What the source says of itself (an index, a column it marks as carried) holds unless the caller names
    another id column: then the index is left out.
    """
    asked = _asked(raw, {"the id column": id_column, "the count column": count_column}, carry)
    names_rows = id_column or (None if raw.id_column in asked else raw.id_column)
    carried = (*raw.carried, *(name for name in carry if name not in raw.carried))
    carried = tuple(name for name in carried if name not in (names_rows, count_column))
    taken = {names_rows, raw.id_column, count_column, *carried}
    variables = tuple(name for name in raw.columns if name not in taken)
    check_shape(1, len(variables), raw.name)
    return Roles(variables, names_rows, carried, count_column)


def assign_event_roles(
    raw: RawSource, *, id_column: str | None, item_column: str | None, carry: Iterable[str]
) -> EventRoles:
    """Give the columns of an event list their roles: by default the first is the id, the next the item.

    An index (an unnamed first column) is passed over when two other columns are there.
    """
    asked = _asked(raw, {"the id column": id_column, "the item column": item_column}, carry)
    free = [name for name in raw.columns if name not in asked]
    if len(raw.columns) > 2:
        free = [name for name in free if name != raw.id_column]
    missing = (id_column is None) + (item_column is None)
    if len(free) < missing:
        raise InputError(
            f"has {len(raw.columns)} column{'s' * (len(raw.columns) != 1)}",
            source=raw.name,
            rule="an event list has a column of ids and a column of items",
            fix="check the delimiter, or read it as a table of cells",
        )
    id_column = free.pop(0) if id_column is None else id_column
    item_column = free.pop(0) if item_column is None else item_column
    return EventRoles(id_column, item_column, tuple(carry))


def _asked(raw: RawSource, single: dict[str, str | None], carry: Iterable[str]) -> set[str]:
    """Collect the columns the caller named: all there, none in two roles."""
    asked: dict[str, str] = {}
    named = [(role, name) for role, name in single.items() if name is not None]
    for role, name in [*named, *(("a carried column", name) for name in carry)]:
        check_column(name, raw.columns, raw.name)
        if name in asked:
            raise InputError(
                f"is asked for as {asked[name]} and as {role}",
                source=raw.name,
                value=name,
                rule="a column has one role",
                fix="name it once",
            )
        asked[name] = role
    return set(asked)
