"""Event lists: one line per (id, item), gathered to one row per id and one variable per item."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.assemble import ids_of
from hiddencauses.data.bits import WORD, n_words
from hiddencauses.data.carried import as_plain, typed_from_text
from hiddencauses.data.raw import RawSource
from hiddencauses.data.roles import EventRoles, assign_event_roles
from hiddencauses.data.table import Table
from hiddencauses.errors import InputError
from hiddencauses.validation import check_names, check_row_ids, check_shape, check_size

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["assemble_events"]

#: A pair of row and item is kept as one number, the item in its lower half.
_ITEM_BITS = 32


def assemble_events(
    raw: RawSource,
    *,
    id_column: str | None = None,
    item_column: str | None = None,
    carry: Iterable[str] = (),
) -> Table:
    """Read an event list: rows in order of first appearance, variables in order of their names.

    A line with an empty item gives its id a row with nothing on. Repeated lines change nothing.

    Parameters
    ----------
    raw
        The source; its batches are used up.
    id_column, item_column
        The columns of ids and of items; by default the first two.
    carry
        Columns to keep with the rows; each must say the same on every line of an id.
    """
    roles = assign_event_roles(raw, id_column=id_column, item_column=item_column, carry=tuple(carry))
    rows: dict[str, int] = {}
    items: dict[str, int] = {}
    pairs: list[NDArray[np.int64]] = []
    sayings: list[pa.Table] = []
    lines = 0
    for batch in raw.batches:
        row = _numbered(ids_of(batch.column(roles.id_column)), rows, raw.name, roles.id_column, lines)
        item = _numbered_items(ids_of(batch.column(roles.item_column)), items)
        # One number per pair: sorting numbers is far quicker than sorting pairs.
        pairs.append(np.unique(row[item >= 0] << _ITEM_BITS | item[item >= 0]))
        if roles.carried:
            sayings.append(_distinct(_saying(batch, row, roles)))
        lines += batch.num_rows
    check_shape(len(rows), len(items), raw.name)
    check_size(len(rows), len(items), raw.name)
    names = sorted(items)
    place = np.empty(len(items), dtype=np.int64)
    place[[items[name] for name in names]] = np.arange(len(names))
    return Table(
        ones=_bits(pairs, place, len(rows)),
        missing=None,
        n_rows=len(rows),
        columns=check_names(names, raw.name),
        row_ids=check_row_ids(list(rows), raw.name),
        carried=_carried(sayings, roles, raw, list(rows)),
        source=raw.name,
    )


def _numbered(
    names: list[str], known: dict[str, int], source: str, column: str, lines: int
) -> NDArray[np.int64]:
    """Number names in order of first appearance; none may be empty."""
    for i, name in enumerate(names):
        if not name.strip():
            raise InputError(
                "the id is missing",
                source=source,
                row=lines + i + 1,
                column=column,
                rule="every event belongs to an id",
                fix="fill it in, or take the line out",
            )
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)


def _numbered_items(names: list[str], known: dict[str, int]) -> NDArray[np.int64]:
    """Number items; −1 stands for none."""
    numbers = (known.setdefault(name, len(known)) if name.strip() else -1 for name in names)
    return np.fromiter(numbers, dtype=np.int64, count=len(names))


def _bits(pairs: list[NDArray[np.int64]], place: NDArray[np.int64], n_rows: int) -> NDArray[np.uint64]:
    ones = np.zeros((len(place), n_words(n_rows)), dtype=np.uint64)
    for numbers in pairs:
        row, item = numbers >> _ITEM_BITS, numbers & ((1 << _ITEM_BITS) - 1)
        bits = np.left_shift(np.uint64(1), (row % WORD).astype(np.uint64))
        np.bitwise_or.at(ones, (place[item], row // WORD), bits)
    return ones


def _saying(batch: pa.RecordBatch, row: NDArray[np.int64], roles: EventRoles) -> pa.Table:
    import pyarrow as pa

    arrays = [as_plain(batch.column(name)) for name in roles.carried]
    return pa.table([pa.array(row), *arrays], names=["", *roles.carried])


def _distinct(lines: pa.Table) -> pa.Table:
    return lines.group_by(lines.column_names, use_threads=False).aggregate([])


def _carried(sayings: list[pa.Table], roles: EventRoles, raw: RawSource, ids: list[str]) -> pa.Table | None:
    """Gather what every id says in the carried columns; refuse an id that says two things."""
    import pyarrow as pa

    if not roles.carried:
        return None
    lines = _distinct(pa.concat_tables(sayings, promote_options="permissive"))
    row = lines.column("").to_numpy()
    if len(row) > len(ids):
        order = np.argsort(row, kind="stable")
        first = int(row[order][:-1][np.diff(row[order]) == 0][0])
        one, other = lines.take(np.flatnonzero(row == first)[:2]).to_pylist()
        column = next(name for name in roles.carried if one[name] != other[name])
        raise InputError(
            f"the id {ids[first]!r} has both {one[column]!r} and {other[column]!r}",
            source=raw.name,
            column=column,
            rule="a carried column says the same on every line of an id",
            fix="correct it, or do not carry it",
        )
    lines = lines.sort_by("").drop_columns([""])
    if not raw.untyped:
        return lines
    return pa.table([typed_from_text(lines.column(n)) for n in roles.carried], names=list(roles.carried))
