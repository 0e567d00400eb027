"""The cells of a variable that are on, grouped by which causes are active in their rows.

Rows with the same active causes have the same probability, so a likelihood, however often it is needed, costs
as many logarithms as there are groups, of which there are few. Cells that are off need no groups: their log
probabilities add up, and are counted cause by cause.

Cells come as bits, causes with the logarithms of their failures, log(1 − λ). Groups go into a `Profile`, with
log P(off) as base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import ALL, ONE, count_both, lowest, popcount
from hiddencauses.kernels.failure_profile import Profile, add_on, with_room

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ALIKE", "UNLIKE", "add_groups", "count_active", "log_likelihood_off", "log_likelihood_on"]

#: Whether causes have the same strength. Not plain values, for each of which a function is compiled anew.
ALIKE, UNLIKE = np.bool_(True), np.bool_(False)
#: Words that are worked on at a time: what is remembered of them stays near.
CHUNK = 512
#: With so many causes or fewer all patterns are gone through; with more, all rows.
FEW_CAUSES = 5
#: Patterns of more causes than this have no room in a word.
MOST_CAUSES = 64


@compiled
def add_groups(
    profile: Profile,
    cells: NDArray[np.uint64],
    y: NDArray[np.uint64],
    causes: NDArray[np.int64],
    failures: NDArray[np.float64],
    alike: bool | np.bool_,
    start: float,
) -> Profile:
    """Add the cells of a variable that are on, given some causes; return a larger profile if need be.

    Parameters
    ----------
    profile
        Where the groups go.
    cells
        Bits of the cells.
    y
        Activity, places × words.
    causes, failures
        The causes by whose activity rows are grouped, and their log(1 − λ), which make up the base.
    alike
        Whether these are all the same: then the number of active causes makes the group.
    start
        What base begins with.
    """
    size = causes.size
    if size == 0:
        number = count_both(cells, cells)
        profile = with_room(profile, 1)
        if number > 0:
            add_on(profile, start, 1, number)
        return profile
    if alike:
        counts = np.zeros(size + 1, dtype=np.int64)
        count_active(cells, y, causes, counts)
        profile = with_room(profile, size + 1)
        for n in range(size + 1):
            if counts[n] > 0:
                add_on(profile, start + n * failures[0], 1, counts[n])
        return profile
    if size <= FEW_CAUSES:
        counts = np.zeros(1 << size, dtype=np.int64)
        _count_patterns(cells, y, causes, counts)
        profile = with_room(profile, counts.size)
        for pattern in range(counts.size):
            if counts[pattern] > 0:
                base = start
                for c in range(size):
                    if (pattern >> c) & 1:
                        base += failures[c]
                add_on(profile, base, 1, counts[pattern])
        return profile
    return _add_rows(profile, cells, y, causes, failures, start)


@compiled
def log_likelihood_on(profile: Profile, failure: float) -> float:
    """Return the log likelihood of the cells in a profile, P(off) multiplied by exp(failure) everywhere."""
    total = 0.0
    for g in range(profile.sizes[0]):
        total += profile.weight[g] * np.log(-np.expm1(profile.base[g] + failure))
    return total


@compiled
def log_likelihood_off(
    zeros: NDArray[np.uint64],
    y: NDArray[np.uint64],
    causes: NDArray[np.int64],
    failures: NDArray[np.float64],
    start: float,
) -> float:
    """Return the log likelihood of cells that are off, given causes and their log(1 − λ)."""
    total = count_both(zeros, zeros) * start
    for c in range(causes.size):
        total += count_both(zeros, y[causes[c]]) * failures[c]
    return total


@compiled
def count_active(
    cells: NDArray[np.uint64],
    y: NDArray[np.uint64],
    causes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Add cells to `counts` by the number of causes that are active in their rows.

    The numbers of all rows of a word are added up at once, in binary digits that lie in words of their own.
    """
    if causes.size == 1:
        active = count_both(cells, y[causes[0]])
        counts[1] += active
        counts[0] += count_both(cells, cells) - active
        return
    digits = 0
    while causes.size >> digits:
        digits += 1
    words = cells.size
    planes = np.empty((digits, min(words, CHUNK)), dtype=np.uint64)
    carry = np.empty(min(words, CHUNK), dtype=np.uint64)
    for first in range(0, words, CHUNK):
        n = min(CHUNK, words - first)
        planes[:] = 0
        for k in causes:
            for w in range(n):
                carry[w] = y[k, first + w]
            for d in range(digits):
                for w in range(n):
                    kept = planes[d, w]
                    planes[d, w] = kept ^ carry[w]
                    carry[w] &= kept
        for number in range(causes.size + 1):
            for w in range(n):
                carry[w] = cells[first + w]
            for d in range(digits):
                flip = np.uint64(0) if (number >> d) & 1 else ALL
                for w in range(n):
                    carry[w] &= planes[d, w] ^ flip
            found = 0
            for w in range(n):
                found += popcount(carry[w])
            counts[number] += found


@compiled
def _count_patterns(
    cells: NDArray[np.uint64],
    y: NDArray[np.uint64],
    causes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Add cells to `counts` by the pattern of active causes, the first of them the lowest digit.

    Patterns are gone through in counting order; there is a level of `rows` for each cause decided on, the
    highest digit first, so that mostly only the last must be worked out anew.
    """
    size = causes.size
    rows = np.empty((size + 1, min(cells.size, CHUNK)), dtype=np.uint64)
    for first in range(0, cells.size, CHUNK):
        n = min(CHUNK, cells.size - first)
        for w in range(n):
            rows[size, w] = cells[first + w]
        level = size - 1
        for pattern in range(counts.size):
            for digit in range(level, -1, -1):
                k = causes[digit]
                flip = np.uint64(0) if (pattern >> digit) & 1 else ALL
                for w in range(n):
                    rows[digit, w] = rows[digit + 1, w] & (y[k, first + w] ^ flip)
            found = 0
            for w in range(n):
                found += popcount(rows[0, w])
            counts[pattern] += found
            # the next pattern has the same digits but for the lowest
            level = 0
            while level < size - 1 and ((pattern + 1) >> level) & 1 == 0:
                level += 1


@compiled
def _add_rows(
    profile: Profile,
    cells: NDArray[np.uint64],
    y: NDArray[np.uint64],
    causes: NDArray[np.int64],
    failures: NDArray[np.float64],
    start: float,
) -> Profile:
    """Go through all rows; a table (open addressing) finds the group of a pattern met before."""
    size = causes.size
    number = count_both(cells, cells)
    if number == 0:
        return profile
    most = number if size > 20 else min(number, 1 << size)
    profile = with_room(profile, most)
    places = 4
    while places < 2 * most:
        places *= 2
    group = np.full(places if size <= MOST_CAUSES else 1, -1)
    patterns = np.empty(most if size <= MOST_CAUSES else 1, dtype=np.uint64)
    first = profile.sizes[0]
    active = np.empty(size, dtype=np.uint64)
    for w in range(cells.size):
        left = cells[w]
        if left == 0:
            continue
        for c in range(size):
            active[c] = y[causes[c], w]
        while left:
            row = np.uint64(lowest(left))
            left &= left - ONE
            at, pattern = np.int64(0), np.uint64(0)
            if size <= MOST_CAUSES:
                for c in range(size):
                    pattern |= ((active[c] >> row) & ONE) << np.uint64(c)
                at = np.int64((pattern * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & (places - 1)
                while group[at] >= 0 and patterns[group[at]] != pattern:
                    at = (at + 1) & (places - 1)
                if group[at] >= 0:
                    profile.weight[first + group[at]] += 1
                    continue
                group[at] = profile.sizes[0] - first
                patterns[group[at]] = pattern
            base = start
            for c in range(size):
                if (active[c] >> row) & ONE:
                    base += failures[c]
            add_on(profile, base, 1, 1)
    return profile
