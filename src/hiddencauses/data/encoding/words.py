"""How a raw value is read: as text, as a number, as a date, as free text.

Blanks around a value and its case never matter, and a whole number written with a decimal point is that
whole number, so that `1`, `1.0` and a float column give the same code.
"""

from __future__ import annotations

import datetime
import math
import re

__all__ = [
    "LONG_TEXT",
    "as_text",
    "code_key",
    "looks_like_date",
    "looks_like_prose",
    "number_text",
    "read_number",
]

#: A code or a level is a word or a few; anything longer is prose.
LONG_TEXT = 60
MANY_WORDS = 8

_WHOLE = re.compile(r"([+-]?\d+)\.0*")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
# Not times without seconds: 1:40 may be a titre.
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?",
        r"\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})( .*)?",
        r"(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])",
        rf"\d{{1,2}}[- ./]?{_MONTH}[- ./,]*\d{{2,4}}",
        rf"{_MONTH}[- .]+\d{{1,2}},? \d{{2,4}}",
        r"\d{1,2}:\d{2}:\d{2}(\.\d+)?",
    )
)


def as_text(value: object) -> str:
    """Return a raw value as text; nothing and NaN are the empty text."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    text = str(value).strip()
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def code_key(text: str) -> str:
    """Return what two spellings of one code have in common."""
    return as_text(text).casefold()


def read_number(text: str) -> float | None:
    """Return the number that the text is, or None; infinity, NaN and numbers without measure are none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if -1e300 < number < 1e300 and "_" not in text else None


def number_text(number: float) -> str:
    """Return a number as a user would write it: without a decimal point when it is whole."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))


def looks_like_date(value: object) -> bool:
    """Tell whether a value is a date or a time of day."""
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return True
    return isinstance(value, str) and any(pattern.fullmatch(value.strip()) for pattern in _DATES)


def looks_like_prose(text: str) -> bool:
    """Tell whether a text is too long to be a code."""
    return len(text) > LONG_TEXT or text.count(" ") >= MANY_WORDS or "\n" in text
