"""Results of these benchmarks on disk: plain data as JSON, one finding a line, with what they depend on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.recovery.store import setting

__all__ = ["as_text", "keep", "kept"]


def as_text(found: Any) -> str:
    """Return plain data as JSON, one line for each of what it is made of."""
    if isinstance(found, list):
        lines = ",\n".join(f" {json.dumps(each)}" for each in found)
        return f"[\n{lines}\n]\n"
    lines = ",\n".join(f' "{key}": {json.dumps(each)}' for key, each in found.items())
    return f"{{\n{lines}\n}}\n"


def keep(folder: Path, part: str, found: Any, *, seed: int, quick: bool) -> None:
    """Write what a part found."""
    folder.mkdir(parents=True, exist_ok=True)
    held = {"setting": setting(seed=seed, quick=quick), "found": found}
    head = json.dumps(held["setting"])
    body = as_text(found).rstrip("\n")
    text = f'{{"setting": {head},\n"found": {body}}}\n'
    (folder / f"{part}.json").write_text(text, encoding="utf-8")


def kept(folder: Path, part: str) -> dict[str, Any] | None:
    """Return what a part wrote, None if it has not been run."""
    path = folder / f"{part}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
