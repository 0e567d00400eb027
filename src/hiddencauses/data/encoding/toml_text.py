"""Write the little TOML that an encoding needs; reading is the standard library's."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

__all__ = ["toml_key", "toml_lines", "toml_value"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: object) -> str:
    """Write a text, number, flag or list of them."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A JSON string is a TOML string, but for the one control character that JSON leaves alone.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Sequence):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    raise TypeError(f"no TOML for {type(value).__name__}")


def toml_key(name: str) -> str:
    """Write a key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else toml_value(name)


def toml_lines(pairs: Mapping[str, object]) -> list[str]:
    """Write `key = value` lines."""
    return [f"{toml_key(key)} = {toml_value(value)}" for key, value in pairs.items()]
