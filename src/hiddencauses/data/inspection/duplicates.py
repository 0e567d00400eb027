"""Rows and columns that occur more than once."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from hiddencauses.data.table import Table

__all__ = ["duplicate_columns", "row_digests"]

#: Cells looked at together when rows are digested.
_BLOCK_CELLS = 1 << 21


def duplicate_columns(table: Table) -> tuple[tuple[str, ...], ...]:
    """Group the variables whose cells, missing ones included, are the same in every row."""
    groups: dict[bytes, list[str]] = {}
    for i, name in enumerate(table.columns):
        digest = hashlib.sha256(table.ones[i].tobytes())
        if table.missing is not None:
            digest.update(table.missing[i].tobytes())
        groups.setdefault(digest.digest(), []).append(name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def row_digests(table: Table) -> NDArray[np.uint64]:
    """Return a 64-bit digest of each row's cells: 8 bytes a row, however many variables there are.

    A random linear function modulo 2**64: two different rows share a digest with probability 2**-63 at
    most, so among a million rows the chance that any two do is below one in ten million.
    """
    weights = np.random.Generator(np.random.Philox(0x5EED)).integers(
        0, 2**64, size=table.n_variables, dtype=np.uint64
    )
    digests = np.empty(table.n_rows, dtype=np.uint64)
    step, start = max(64, _BLOCK_CELLS // table.n_variables), 0
    for block in table.blocks(step):
        # Codes −1, 0, 1 become 2**64 − 1, 0, 1: products wrap around, as they should.
        digests[start : start + len(block)] = block.astype(np.int64).view(np.uint64) @ weights
        start += len(block)
    return digests
