"""Where the command line prints: data on stdout, messages on stderr.

Colour and styles appear on a terminal only; piped output is plain and as wide as it needs to be.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["data_console", "message", "print_json"]

#: Piped text is not wrapped, so that a program can read a line as a line.
PIPED_WIDTH = 10_000


def data_console() -> Console:
    """Return a console on stdout: styled on a terminal, plain and unwrapped when piped."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, no_color=True, width=PIPED_WIDTH, legacy_windows=False)


def message(text: str) -> None:
    """Print one line of progress or comment on stderr."""
    sys.stderr.write(text + "\n")


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
