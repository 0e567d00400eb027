"""Packing: cells that arrive block by block, gathered as bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.bits import WORD, pack_rows
from hiddencauses.data.table import MISSING
from hiddencauses.validation import check_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Packer"]


class Packer:
    """Collects blocks of cells, variables × rows, and packs them as soon as 64 rows are together.

    Parameters
    ----------
    n_variables
        How many variables every block has.
    source
        What to call the table in messages.
    """

    def __init__(self, n_variables: int, source: str) -> None:
        self._rest = np.empty((n_variables, 0), dtype=np.int8)
        self._ones: list[NDArray[np.uint64]] = []
        self._missing: list[NDArray[np.uint64]] = []
        self._any_missing = False
        self._source = source
        self.n_rows = 0

    def add(self, codes: NDArray[np.int8]) -> None:
        """Take the next rows: 0, 1 and `MISSING`, variables × rows."""
        self.n_rows += codes.shape[1]
        check_size(self.n_rows, codes.shape[0], self._source)
        if self._rest.shape[1]:
            codes = np.concatenate([self._rest, codes], axis=1)
        whole = codes.shape[1] // WORD * WORD
        self._pack(codes[:, :whole])
        self._rest = codes[:, whole:].copy()

    def finish(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64] | None]:
        """Return the bits of the ones and of the missing cells (None when none is missing)."""
        self._pack(self._rest)
        if not self._ones:
            return np.empty((self._rest.shape[0], 0), dtype=np.uint64), None
        ones = np.concatenate(self._ones, axis=1)
        self._ones = []
        return ones, np.concatenate(self._missing, axis=1) if self._any_missing else None

    def _pack(self, codes: NDArray[np.int8]) -> None:
        if codes.shape[1] == 0:
            return
        missing = codes == MISSING
        self._any_missing |= bool(missing.any())
        self._ones.append(pack_rows((codes == 1).T))
        self._missing.append(pack_rows(missing.T))
