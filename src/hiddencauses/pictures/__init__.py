"""Pictures of answers, as figures of matplotlib, which is imported when the first one is drawn."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiddencauses.pictures.picture_file import check_picture, write_picture
    from hiddencauses.pictures.table_check import draw_check

_HOMES = {
    "check_picture": "picture_file",
    "draw_check": "table_check",
    "write_picture": "picture_file",
}

__all__ = ["check_picture", "draw_check", "write_picture"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"hiddencauses.pictures.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
