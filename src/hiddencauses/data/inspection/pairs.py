"""The most associated pairs of variables, from counts of common bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hiddencauses.data.bits import and_popcounts, pack_rows, popcounts
from hiddencauses.data.table import Table

__all__ = ["Pair", "PairCounts", "associated_pairs", "count_pairs"]

#: More variables than this are not all paired: those that vary most are.
MOST_VARIABLES = 500
#: More word operations than this and only every so many words of rows are counted.
MOST_WORK = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Pair:
    """Two variables and how they go together.

    Attributes
    ----------
    first, second
        Their names.
    together
        Rows in which both are 1.
    expected
        Rows in which both would be 1 if they were independent.
    log_odds_ratio
        Above 0 when they occur together more often than by chance; half a row is added to each count.
    z
        The log odds ratio in units of its standard error.
    """

    first: str
    second: str
    together: int
    expected: float
    log_odds_ratio: float
    z: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "first": self.first,
            "second": self.second,
            "together": self.together,
            "expected": self.expected,
            "log_odds_ratio": self.log_odds_ratio,
            "z": self.z,
        }


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Counts over the rows in which both variables of a pair are known, variables × variables.

    Attributes
    ----------
    variables
        Which variables of the table were paired.
    rows_used
        How many rows were counted.
    known
        Rows in which both are known.
    first
        Rows in which the first (of the matrix line) is 1.
    both
        Rows in which both are 1.
    """

    variables: NDArray[np.int64]
    rows_used: int
    known: NDArray[np.int64]
    first: NDArray[np.int64]
    both: NDArray[np.int64]

    def expected(self) -> NDArray[np.float64]:
        """Return the rows in which both would be 1 if they were independent."""
        return self.first * self.first.T / np.maximum(self.known, 1)

    def z_scores(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return log odds ratios and their z-scores."""
        both, first, second = self.both, self.first, self.first.T
        cells = (both, first - both, second - both, self.known - first - second + both)
        a, b, c, d = (cell + 0.5 for cell in cells)
        log_odds = np.log(a * d / (b * c))
        return log_odds, log_odds / np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)


def count_pairs(table: Table) -> PairCounts:
    """Count how often each two variables are 1 together, within a bounded amount of work."""
    ones = table.ones_per_column()
    known_cells = table.n_rows - table.missing_per_column()
    varying = np.flatnonzero((ones > 0) & (ones < known_cells))
    if len(varying) > MOST_VARIABLES:
        rarer = np.minimum(ones, known_cells - ones)[varying]
        varying = np.sort(varying[np.argsort(-rarer, kind="stable")[:MOST_VARIABLES]])
    n, words = len(varying), table.ones.shape[1]
    matrices = 1 if table.missing is None else 3
    step = max(1, -(-n * n * words * matrices // MOST_WORK))
    bits = np.ascontiguousarray(table.ones[varying][:, ::step])
    valid = _valid_words(table.n_rows)[::step]
    rows = int(popcounts(valid))
    if table.missing is None:
        each = popcounts(bits)
        known = np.full((n, n), rows, dtype=np.int64)
        return PairCounts(
            varying, rows, known, np.repeat(each[:, None], n, axis=1), and_popcounts(bits, bits)
        )
    seen = ~table.missing[varying][:, ::step] & valid
    return PairCounts(
        varying, rows, and_popcounts(seen, seen), and_popcounts(bits, seen), and_popcounts(bits, bits)
    )


def associated_pairs(table: Table, counts: PairCounts, n: int) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the pairs most surely together, and those most surely apart, surest first."""
    if len(counts.variables) < 2:
        return (), ()
    log_odds, z = counts.z_scores()
    expected = counts.expected()
    rows, columns = np.triu_indices(len(counts.variables), 1)
    scores = z[rows, columns]
    names = [table.columns[i] for i in counts.variables]

    def pair(place: int) -> Pair:
        i, j = rows[place], columns[place]
        return Pair(
            names[i],
            names[j],
            int(counts.both[i, j]),
            float(expected[i, j]),
            float(log_odds[i, j]),
            float(z[i, j]),
        )

    order = np.argsort(-scores, kind="stable")
    together = tuple(pair(i) for i in order[:n] if scores[i] > 0)
    apart = tuple(pair(i) for i in order[::-1][:n] if scores[i] < 0)
    return together, apart


def _valid_words(n_rows: int) -> NDArray[np.uint64]:
    """Return words whose bits are on for every row there is."""
    words: NDArray[np.uint64] = pack_rows(np.ones((n_rows, 1), dtype=np.bool_))[0]
    return words
