"""Draft an encoding: a TOML text whose comments say what was seen and why each kind was guessed.

Two promises. A draft never decides what a code means when only the user can know (2 for missing, 1/2
for yes and no, a lone tick): such a column is `undecided`, and nothing is encoded until it is decided.
And a draft with nothing undecided can be applied to the table it was drafted from.
"""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

from hiddencauses.data.encoding.drafting.guess import Guess, section, undecided
from hiddencauses.data.encoding.drafting.numbers import guess_numbers
from hiddencauses.data.encoding.drafting.profile import MOST_VALUES, ColumnProfile, profile_columns
from hiddencauses.data.encoding.drafting.texts import guess_texts
from hiddencauses.data.encoding.drafting.vocabulary import CARRIED_NAMES, COUNT_NAMES, ID_NAMES, UNKNOWN
from hiddencauses.data.encoding.encoding import MISSING_CODES, SCHEMA, Encoding
from hiddencauses.data.encoding.rules import KINDS
from hiddencauses.data.encoding.toml_text import toml_key, toml_lines
from hiddencauses.data.raw import RawSource
from hiddencauses.errors import shorten
from hiddencauses.validation import check_shape

__all__ = ["draft_encoding", "guess_column"]

_SHOWN = 8

_PREAMBLE = """\
# How to make yes/no columns of {source} ({rows} rows, {columns} columns).
#
# Check every section, then run:  hiddencauses encode {source} --encoding THIS_FILE --out TABLE.csv
#
# kind = "binary"    yes = [...]  no = [...]  reverse = true           one variable, 1 for yes
#        "graded"    levels = [none first, then in order]              one variable, 1 for any but the first;
#                    thresholds = true or [...]                        or one for each threshold
#        "sided"     left, right, both, none = [...]                   variables NAME_left and NAME_right
#        "category"  levels = [...]  reference = ...  separator = ...  one variable for each level
#        "numeric"   thresholds = [...]                                one variable for each, NAME>=threshold
#        "carry"     kept with the rows but not modelled
#        "id", "count"                                                 names the rows, repeats the rows
#        "drop"      left out
# Every kind takes missing = [...] for its own codes, and name = "..." for a better name.
# Case and blanks around a value do not matter. Dates and free text cannot be encoded.
"""


def draft_encoding(raw: RawSource) -> str:
    """Draft an encoding of a raw table.

    Parameters
    ----------
    raw
        The raw table, from `open_raw`; it is gone through once.

    Returns
    -------
    str
        TOML with comments, to be checked by whoever knows the data.
    """
    with closing(raw):
        profiles = profile_columns(raw)
    rows = profiles[0].n_rows if profiles else 0
    check_shape(rows, len(profiles), raw.name)
    lines = [_PREAMBLE.format(source=_one_line(raw.name), rows=rows, columns=len(profiles))]
    lines += toml_lines({"schema": SCHEMA})
    lines += ["", "# Codes that mean missing in every column.", *toml_lines({"missing": list(MISSING_CODES)})]
    has_id, taken = False, set[str]()
    for profile in profiles:
        if profile.name == raw.id_column and not has_id:
            guess = Guess({"kind": "id"}, ("The table's own row names.",))
        else:
            guess = guess_column(profile, may_be_id=not has_id)
        guess = _with_free_names(profile.name, guess, taken)
        has_id = has_id or guess.options["kind"] == "id"
        lines += ["", f"# {_seen(profile)}", *(f"# {_one_line(reason)}" for reason in guess.reasons)]
        lines += [f"[columns.{toml_key(profile.name)}]", *toml_lines(guess.options)]
    return "\n".join(lines) + "\n"


def _with_free_names(column: str, guess: Guess, taken: set[str]) -> Guess:
    """Rename what a column makes if an earlier one makes that already; note the names as taken."""
    options, n = guess.options, 1
    while (made := _outputs(column, options)) & taken:
        n += 1
        options = {**({"kind": "carry"} if options["kind"] == "id" else options), "name": f"{column}_{n}"}
    taken |= made
    renamed = ("Renamed: another column makes that name.",) if n > 1 else ()
    return Guess(options, (*guess.reasons, *renamed))


def _outputs(column: str, options: dict[str, Any]) -> set[str]:
    rule = KINDS[options["kind"]](**{key: value for key, value in options.items() if key != "kind"})
    return set(Encoding({column: rule}).output_columns())


def guess_column(profile: ColumnProfile, *, may_be_id: bool = True) -> Guess:
    """Guess what a column is from what was seen in it."""
    if profile.nested:
        return _drop("Cells hold lists or records: split the column first.")
    if not profile.counts:
        return _drop("No row has a value.")
    if profile.dates and profile.dates >= 0.5 * len(profile.counts):
        return _drop("Dates cannot be encoded as yes/no; compute a number (such as days since) first.")
    by_name = _guess_by_name(profile, may_be_id)
    if by_name is not None:
        return by_name
    if profile.prose or profile.dates:
        return _drop("Free text cannot be encoded as yes/no; code it by hand first.")
    unknown = {text: n for text, n in profile.counts.items() if text.casefold() in UNKNOWN}
    counts = {text: n for text, n in profile.counts.items() if text not in unknown}
    missing = {"missing": list(unknown)} if unknown else {}
    if not counts:
        return _drop("No row has a value that is known.")
    guess = (
        None
        if profile.overflow and len(profile.numbers) < len(counts)
        else _guess_values(profile, counts, missing)
    )
    if guess is None:
        return _drop(_why_nothing_fits(profile, counts))
    if unknown and not guess.is_undecided:
        listed = ", ".join(map(shorten, unknown))
        return Guess(guess.options, (*guess.reasons, f"Read as missing: {listed}."))
    return guess


def _guess_values(
    profile: ColumnProfile, counts: dict[str, int], missing: dict[str, list[str]]
) -> Guess | None:
    numbers = {text: number for text, number in profile.numbers.items() if text in counts}
    if len(numbers) == len(counts) or len(numbers) >= 2:
        words = {text: n for text, n in counts.items() if text not in numbers}
        guess = guess_numbers(counts, numbers, words)
        if guess is not None:
            if missing and not guess.is_undecided:
                return Guess({**guess.options, **missing}, guess.reasons)
            return guess
    return None if profile.overflow else guess_texts(counts, profile.empty, missing)


def _guess_by_name(profile: ColumnProfile, may_be_id: bool) -> Guess | None:
    tokens = re.split(r"[\W_]+", profile.name.casefold().strip("_"))
    all_differ = profile.overflow or len(profile.counts) == profile.n_rows > 1
    if all_differ and not profile.empty and (tokens[-1] in ID_NAMES or tokens[0] in ID_NAMES):
        if may_be_id:
            return Guess(
                {"kind": "id"}, ("Named like an identifier, and no two rows agree: it names the rows.",)
            )
        return _drop("Another identifier; the rows are named already.")
    if tokens[-1] in ("id", "identifier") or profile.name.casefold() in ("patient", "subject", "mrn"):
        return Guess({"kind": "carry"}, ("Named like an identifier, but rows share a value: carried along.",))
    if profile.name.casefold() in CARRIED_NAMES:
        return Guess(
            {"kind": "carry"},
            (
                "Describes the row rather than being a sign: kept with the rows, not modelled.",
                "Change the kind if it is to be modelled.",
            ),
        )
    whole = all(number >= 0 and number == int(number) for number in profile.numbers.values())
    if profile.name.casefold() in COUNT_NAMES and len(profile.numbers) == len(profile.counts) and whole:
        return undecided(
            "does this say how often each row is repeated, or is it a measurement?",
            [
                ("rows are repeated", section(kind="count")),
                ("a measurement", section(kind="numeric", thresholds=[1])),
                ("neither", section(kind="drop")),
            ],
        )
    return None


def _drop(reason: str) -> Guess:
    return Guess({"kind": "drop"}, (f"Left out. {reason}",))


def _why_nothing_fits(profile: ColumnProfile, counts: dict[str, int]) -> str:
    if all(re.fullmatch(r"-?\d+,\d+|-?\d+", text) for text in counts) and any("," in text for text in counts):
        return "Numbers with a decimal comma; write them with a point first."
    if len(counts) == 1:
        return "The same in every row."
    many = f"more than {MOST_VALUES}" if profile.overflow else str(len(counts))
    return f'{many} different texts: free text, or a code list to be grouped first (then kind = "category").'


def _seen(profile: ColumnProfile) -> str:
    empty = f"; {profile.empty} empty" if profile.empty else ""
    if profile.overflow:
        return f"{profile.n_rows} rows{empty}; more than {MOST_VALUES} different values"
    common = sorted(profile.counts.items(), key=lambda pair: -pair[1])
    shown = ", ".join(f"{shorten(text)} ({n})" for text, n in common[:_SHOWN])
    more = f", and {len(common) - _SHOWN} more" if len(common) > _SHOWN else ""
    return f"{profile.n_rows} rows{empty}; " + (f"values {shown}{more}" if common else "no values")


def _one_line(text: str) -> str:
    """Keep a comment a comment: no line break and no control character."""
    return "".join(char if char.isprintable() else " " for char in text)
