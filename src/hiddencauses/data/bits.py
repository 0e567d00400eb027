"""Bits: 64 rows a word, one run of words per variable.

Row `r` of a variable is bit `r % 64` of word `r // 64`. Bits past the last row are zero.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WORD", "and_popcounts", "n_words", "pack_rows", "popcounts", "unpack_rows"]

WORD = 64


def n_words(n_rows: int) -> int:
    """Return how many words hold `n_rows` bits."""
    return -(-n_rows // WORD)


def pack_rows(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack rows × variables flags into variables × words."""
    n_rows, n_variables = flags.shape
    octets = np.packbits(flags, axis=0, bitorder="little")
    words = np.zeros((n_variables, n_words(n_rows) * 8), dtype=np.uint8)
    words[:, : octets.shape[0]] = octets.T
    packed = words.view("<u8").astype(np.uint64, copy=False)
    return np.ascontiguousarray(packed)


def unpack_rows(words: NDArray[np.uint64], n_rows: int) -> NDArray[np.bool_]:
    """Undo `pack_rows`: variables × words back to rows × variables flags."""
    if sys.byteorder == "big":  # pragma: no cover - no such machine in CI
        words = words.astype("<u8")
    octets = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n_rows, bitorder="little").astype(np.bool_).T


def popcounts(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count the bits that are on along the last axis."""
    return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))


def and_popcounts(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count common bits of every run of `left` with every run of `right` (variables × variables)."""
    counts = np.empty((left.shape[0], right.shape[0]), dtype=np.int64)
    for i, words in enumerate(left):
        counts[i] = popcounts(words & right)
    return counts
