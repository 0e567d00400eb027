"""Assembling: a stream of raw batches becomes a table of bits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.carried import CarriedColumns, as_plain
from hiddencauses.data.cells import NOT_A_CELL, cell_codes
from hiddencauses.data.counts import Counter, repeated_ids, slices_of_repeats
from hiddencauses.data.packing import Packer
from hiddencauses.data.raw import RawSource
from hiddencauses.data.roles import assign_roles
from hiddencauses.data.table import Table
from hiddencauses.validation import check_row_ids, check_shape, refuse_cell

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["assemble", "ids_of"]


def assemble(
    raw: RawSource,
    *,
    id_column: str | None = None,
    carry: Iterable[str] = (),
    count_column: str | None = None,
) -> Table:
    """Read a raw source as yes/no cells and pack them.

    Parameters
    ----------
    raw
        The source; its batches are used up.
    id_column
        The column of row names.
    carry
        Columns to keep with the rows without modelling them.
    count_column
        The column that says how often a row occurred.
    """
    roles = assign_roles(raw, id_column=id_column, carry=tuple(carry), count_column=count_column)
    packer = Packer(len(roles.variables), raw.name)
    carried = CarriedColumns(roles.carried, untyped=raw.untyped)
    counter = None
    if roles.count_column is not None:
        named = roles.id_column is not None or bool(roles.carried)
        counter = Counter(roles.count_column, raw.name, named=named)
    ids: list[str] | None = None if roles.id_column is None else []
    rows_read = 0
    for batch in raw.batches:
        codes = _codes(batch, roles.variables, raw, rows_read)
        names = None if roles.id_column is None else ids_of(batch.column(roles.id_column))
        rows_read += batch.num_rows
        repeats = None
        if counter is None or roles.count_column is None:
            packer.add(codes)
        else:
            repeats = counter.read(batch.column(roles.count_column))
            for block in slices_of_repeats(codes, repeats):
                packer.add(block)
            names = None if names is None else repeated_ids(names, repeats)
        carried.add(batch, repeats)
        if ids is not None and names is not None:
            ids.extend(names)
    check_shape(packer.n_rows, len(roles.variables), raw.name)
    ones, missing = packer.finish()
    return Table(
        ones=ones,
        missing=missing,
        n_rows=packer.n_rows,
        columns=roles.variables,
        row_ids=None if ids is None else check_row_ids(ids, raw.name),
        carried=carried.finish(),
        source=raw.name,
    )


def ids_of(column: pa.Array) -> list[str]:
    """Return row names as text; a missing one is empty, which the check of row ids refuses."""
    import pyarrow as pa

    plain = as_plain(column)
    if not pa.types.is_string(plain.type):
        return ["" if value is None else str(value) for value in plain.to_pylist()]
    return [value or "" for value in plain.to_pylist()]


def _codes(
    batch: pa.RecordBatch, variables: tuple[str, ...], raw: RawSource, rows_read: int
) -> NDArray[np.int8]:
    """Return the cells of a batch, variables × rows; refuse the first that is none, in row order."""
    codes = np.empty((len(variables), batch.num_rows), dtype=np.int8)
    for line, name in zip(codes, variables, strict=True):
        line[:] = cell_codes(batch.column(name))
    if codes.size and codes.min() == NOT_A_CELL:
        row, place = (int(i) for i in np.argwhere((codes == NOT_A_CELL).T)[0])
        column = as_plain(batch.column(variables[place]))
        refuse_cell(
            column[row].as_py(),
            source=raw.name,
            row=rows_read + row + 1,
            column=variables[place],
            first_column=variables[place] == raw.columns[0],
            others=column[:1000].to_pylist(),
        )
    return codes
