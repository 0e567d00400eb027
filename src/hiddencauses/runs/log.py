"""The log of a run: what happened when, a line each."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from hiddencauses.runs.layout import log_file

__all__ = ["write_log"]


def write_log(folder: Path, text: str) -> None:
    """Add a line; that it cannot be written is no reason to lose a run."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with suppress(OSError), log_file(folder).open("a", encoding="utf-8") as stream:
        stream.write(f"{now} {' '.join(text.split())}\n")
