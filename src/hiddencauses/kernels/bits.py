"""Rows as bits: 64 to a word, the lowest bit first.

Bits behind the last row are 0 in everything that is kept, so that counts need no care at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from hiddencauses.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ALL", "ONE", "WORD", "bit", "count_both", "lowest", "popcount", "set_bit", "words_for"]

#: Rows in a word.
WORD = 64
ONE, ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def popcount(word: np.uint64) -> int:
        """Count the bits that are set."""
        return int(word).bit_count()

    def lowest(word: np.uint64) -> int:
        """Return the place of the lowest bit that is set; there must be one."""
        return (int(word) & -int(word)).bit_length() - 1

else:
    # numba knows neither instruction; loops over these are turned into vector code

    @intrinsic
    def popcount(typing_context: Any, word: Any) -> Any:
        """Count the bits that are set."""
        return types.int64(types.uint64), lambda _context, builder, _signature, given: builder.ctpop(given[0])

    @intrinsic
    def lowest(typing_context: Any, word: Any) -> Any:
        """Return the place of the lowest bit that is set; there must be one."""

        def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            return builder.cttz(given[0], numba.core.cgutils.true_bit)

        return types.int64(types.uint64), generate


@compiled
def words_for(n_rows: int) -> int:
    """Return how many words so many rows take."""
    return (n_rows + 63) >> 6


@compiled
def bit(words: NDArray[np.uint64], r: int) -> bool:
    """Tell whether the bit of a row is set."""
    return ((words[r >> 6] >> np.uint64(r & 63)) & ONE) != 0


@compiled
def set_bit(words: NDArray[np.uint64], r: int, value: bool) -> None:
    """Set or clear the bit of a row."""
    mask = ONE << np.uint64(r & 63)
    if value:
        words[r >> 6] |= mask
    else:
        words[r >> 6] &= ~mask


@compiled
def count_both(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> int:
    """Count the rows whose bits are set in both."""
    total = 0
    for w in range(one.size):
        total += popcount(one[w] & other[w])
    return total
