"""Guess what a column of numbers is. A number that could be a code for missing is left to the user."""

from __future__ import annotations

from collections.abc import Mapping

from hiddencauses.data.encoding.drafting.guess import Guess, section, undecided
from hiddencauses.data.encoding.drafting.vocabulary import RANKS
from hiddencauses.data.encoding.words import number_text

__all__ = ["guess_numbers"]

#: Grades that are small whole numbers from 0 on.
MOST_GRADES = 7

_HIGH_CODES = frozenset((7, 8, 9, 77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9998, 9999, 99999))
_LOW_CODES = frozenset((-1, -2, -3, -4, -7, -8, -9, -77, -88, -98, -99, -777, -888, -998, -999, -9999))


def guess_numbers(counts: dict[str, int], numbers: dict[str, float], words: dict[str, int]) -> Guess | None:
    """Guess from the values that are numbers and the words among them."""
    suspects = _suspected_codes(tuple(numbers.values()))
    codes = [text for text, number in numbers.items() if number in suspects]
    rest = sorted({number for number in numbers.values() if number not in suspects})
    if words:
        if RANKS.keys() >= {text.casefold() for text in counts}:
            return None  # 0, 1+, 2+ are words for grades
        if len(words) > max(3, len(numbers) // 4):
            return None
        codes += list(words)
    if set(rest) <= {0, 1}:
        return _asked(codes, {"kind": "binary"}, "yes/no") if codes else None
    if rest == [0, 1, 2] or rest == [1, 2]:
        return _two_or_missing(rest, codes)
    if len(rest) < 2:
        return None
    if rest[0] == 0 and len(rest) <= MOST_GRADES and rest == list(range(len(rest))):
        levels = [number_text(number) for number in rest]
        if codes:
            return _asked(codes, {"kind": "graded", "levels": levels}, "a grade")
        return Guess(
            {"kind": "graded", "levels": levels},
            (
                "Whole numbers from 0: read as a grade, any but 0 means yes.",
                "Check that none is a code for missing.",
                "thresholds = true makes a variable of each grade.",
            ),
        )
    options = {"kind": "numeric", "thresholds": [_middle(counts, numbers, rest)]}
    if codes:
        return _asked(codes, options, "a number")
    return Guess(
        options,
        (
            f"Numbers from {number_text(rest[0])} to {number_text(rest[-1])}. "
            "CHANGE the threshold: it is only the median; use one that means something.",
        ),
    )


def _suspected_codes(values: tuple[float, ...]) -> set[float]:
    """Find numbers that stand apart from the others and look like 9, 99 or −1 for missing."""
    plain = [v for v in values if v not in _HIGH_CODES and v not in _LOW_CODES]
    if not plain:
        return set()
    top, low = max(plain), min(plain)
    suspects = {v for v in values if v in _HIGH_CODES and v > top + 1 and v > 1.5 * top}
    if low >= 0:
        suspects |= {v for v in values if v in _LOW_CODES}
    return suspects


def _asked(codes: list[str], options: Mapping[str, object], what: str) -> Guess:
    listed = ", ".join(codes[:6])
    one = len(codes) == 1
    return undecided(
        f"{listed} {'does' if one else 'do'} not look like {what}: "
        f"{'is it a code' if one else 'are they codes'} for missing?",
        [("missing", section(**options, missing=codes)), ("the column is of no use", section(kind="drop"))],
    )


def _two_or_missing(rest: list[float], codes: list[str]) -> Guess:
    extra = {"missing": codes} if codes else {}
    also = f" ({', '.join(codes)} look like codes for missing.)" if codes else ""
    if rest[0] == 1:
        return undecided(
            f"1 and 2 without 0: which one means yes?{also}",
            [
                ("1 yes, 2 no", section(kind="binary", yes=["1"], no=["2"], **extra)),
                ("2 yes, 1 no", section(kind="binary", yes=["2"], no=["1"], **extra)),
                ("1 yes, 2 not known", section(kind="binary", missing=["2", *codes])),
            ],
        )
    return undecided(
        f"0, 1 and 2: does 2 mean missing (as in many surveys), or more than 1?{also}",
        [
            ("2 is missing", section(kind="binary", missing=["2", *codes])),
            ("a grade, any but 0 means yes", section(kind="graded", levels=["0", "1", "2"], **extra)),
            ("three groups", section(kind="category", levels=["0", "1", "2"], **extra)),
        ],
    )


def _middle(counts: dict[str, int], numbers: dict[str, float], rest: list[float]) -> float:
    """Return the median over rows, or the next number if the median is the lowest."""
    in_order = sorted((number, counts[text]) for text, number in numbers.items() if number in set(rest))
    half, below = sum(n for _, n in in_order) / 2, 0
    for number, n in in_order:
        below += n
        if below >= half:
            middle = number
            break
    chosen = middle if middle > rest[0] else rest[1]
    return int(chosen) if chosen == int(chosen) and abs(chosen) < 1e15 else chosen
