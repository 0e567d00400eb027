"""Checks of the lists of codes in an encoding, each written once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hiddencauses.data.encoding.words import as_text, code_key, looks_like_date, looks_like_prose
from hiddencauses.errors import UserError, shorten

__all__ = ["MOST_LEVELS", "check_codes", "check_disjoint"]

#: More levels than this are a code list or free text, not a sign's levels.
MOST_LEVELS = 100


def check_codes(name: str, value: object, *, least: int = 0) -> tuple[str, ...]:
    """Check a list of codes: text, numbers or true/false, none of them twice, no dates, no prose."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise UserError(f'{name} is {shorten(value)}; it must be a list, for example ["none", "mild"]')
    codes: list[str] = []
    for code in value:
        if looks_like_date(code):
            raise UserError(
                f"{name} has the date {shorten(str(code))}; dates cannot be encoded: "
                'use kind = "drop" or "carry", or compute a number (such as days since) first'
            )
        if not isinstance(code, (str, int, float)):
            raise UserError(f"{name} has {shorten(code)}; a code is a text or a number")
        if isinstance(code, str) and looks_like_prose(code):
            raise UserError(
                f"{name} has {shorten(code)}; free text cannot be encoded: "
                'use kind = "drop" or "carry", or code the text by hand first'
            )
        codes.append(as_text(code))
    _refuse_repeated(name, codes)
    if len(codes) < least:
        raise UserError(f"{name} has {len(codes)} of at least {least} codes; list every code that means it")
    if len(codes) > MOST_LEVELS:
        raise UserError(
            f"{name} has {len(codes)} codes; more than {MOST_LEVELS} is free text or a code list: "
            'use kind = "drop" or "carry", or group them first'
        )
    return tuple(codes)


def check_disjoint(lists: Mapping[str, Sequence[str]]) -> None:
    """Check that no code stands in two lists."""
    home: dict[str, str] = {}
    for name, codes in lists.items():
        for code in codes:
            key = code_key(code)
            if home.setdefault(key, name) != name:
                raise UserError(
                    f"{shorten(code)} is listed under {home[key]} and under {name}; keep it in one of them"
                )


def _refuse_repeated(name: str, codes: Sequence[str]) -> None:
    seen: set[str] = set()
    for code in codes:
        if code_key(code) in seen:
            raise UserError(
                f"{name} has {shorten(code)} twice (case and blanks around it do not matter); list it once"
            )
        seen.add(code_key(code))
