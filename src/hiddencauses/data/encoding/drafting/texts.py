"""Guess what a column of words is."""

from __future__ import annotations

from hiddencauses.data.encoding.drafting.guess import Guess, section, undecided
from hiddencauses.data.encoding.drafting.vocabulary import NO, RANKS, SIDES, TICKS, YES, YES_NO_PAIRS
from hiddencauses.data.encoding.words import as_text, code_key, looks_like_date, read_number

__all__ = ["guess_texts"]

#: Levels that a drafted category may have.
MOST_CATEGORIES = 12
MOST_CHOICES = 30


def guess_texts(counts: dict[str, int], empty: int, missing: dict[str, list[str]]) -> Guess | None:
    """Guess from words that are neither dates nor prose.

    Parameters
    ----------
    counts
        Rows with each value, codes for missing taken out.
    empty
        Rows with an empty cell.
    missing
        The option that lists those codes, or nothing.
    """
    words = {text.casefold(): text for text in counts}
    if len(words) == 1 and empty and RANKS.get(next(iter(words))) != 0 and not words.keys() & NO:
        return _lone_word(next(iter(counts)), missing)
    if len(words) == 1 and RANKS.get(next(iter(words))) == 0 and not words.keys() & NO:
        reason = "Expressed by no row. If new rows may hold more, say so with another kind or under yes."
        return Guess({"kind": "binary", "no": list(counts), **missing}, (reason,))
    if words.keys() <= YES | NO:
        return Guess({"kind": "binary", **missing}, ("Yes/no words.",))
    for no, yes in YES_NO_PAIRS:
        if words.keys() == {no, yes}:
            options = {"kind": "binary", "yes": [words[yes]], "no": [words[no]], **missing}
            return Guess(options, (f"{words[yes]!r} is read as yes, {words[no]!r} as no.",))
    sides = {word: side for side, known in SIDES.items() for word in known}
    if words.keys() <= sides.keys() and any(sides[word] in ("left", "right") for word in words):
        return Guess(
            {"kind": "sided", **missing}, ("Words for sides: one variable for the left, one for the right.",)
        )
    if len(words) >= 2 and words.keys() <= RANKS.keys():
        return _grades(words, missing)
    return _choices(counts, missing) or _categories(counts, missing)


def _lone_word(word: str, missing: dict[str, list[str]]) -> Guess:
    said = "a ticked box" if word.casefold() in TICKS | YES else "the only value"
    return undecided(
        f"{word!r} is {said} and all other cells are empty: does an empty cell mean no, or not known?",
        [
            ("empty means no", section(kind="binary", yes=[word], no=[""], **missing)),
            ("empty is missing, so all known cells are yes", section(kind="binary", yes=[word], **missing)),
            ("the column is of no use", section(kind="drop")),
        ],
    )


def _grades(words: dict[str, str], missing: dict[str, list[str]]) -> Guess:
    levels = [words[word] for word in sorted(words, key=lambda word: (RANKS[word], word))]
    reasons = ["Words for grades: any but the first means yes. Check their order."]
    if min(RANKS[word] for word in words) > 0:
        levels = ["none", *levels]
        reasons.append(
            "No word for 'none' was seen: it was put first. If an empty cell means none, write \"\" instead."
        )
    reasons.append("thresholds = true makes a variable of each grade.")
    return Guess({"kind": "graded", "levels": levels, **missing}, tuple(reasons))


def _choices(counts: dict[str, int], missing: dict[str, list[str]]) -> Guess | None:
    for separator in (";", "|", ","):
        several = sum(separator in text for text in counts)
        parts = {code_key(part): as_text(part) for text in counts for part in text.split(separator)}
        parts.pop("", None)
        if any(map(looks_like_date, parts.values())):
            continue
        if separator == "," and all(read_number(part) is not None for part in parts.values()):
            continue  # decimal commas
        if several >= 2 and 2 <= len(parts) <= MOST_CHOICES and several * 4 >= len(counts):
            options = {"kind": "category", "levels": list(parts.values()), "separator": separator, **missing}
            return Guess(
                options,
                (
                    f"Cells hold several choices separated by {separator!r}: one variable for each.",
                    'If an empty cell means that none applies, add: none = [""]',
                ),
            )
    return None


def _categories(counts: dict[str, int], missing: dict[str, list[str]]) -> Guess | None:
    if not 2 <= len(counts) <= MOST_CATEGORIES or sum(counts.values()) < 2 * len(counts):
        return None
    levels = list(counts)
    commonest = max(levels, key=lambda level: counts[level])
    if len(levels) == 2:
        return Guess(
            {"kind": "category", "levels": levels, "reference": commonest, **missing},
            (f"Two groups: one variable, against {commonest!r}, the commoner one.",),
        )
    return Guess(
        {"kind": "category", "levels": levels, **missing},
        (
            f"{len(levels)} groups: one variable for each. They exclude one another, which the model cannot",
            f"express: better carry the column along, or leave one out with: reference = {commonest!r}",
        ),
    )
