"""Finished draws of a chain that is still running: one file for some in a row."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from hiddencauses.errors import DamagedRunError
from hiddencauses.runs.blocks import ARRAYS, Block, Shape
from hiddencauses.runs.container import read_container, write_container

__all__ = ["drop_parts", "find_parts", "read_part", "write_part"]

_NAME = re.compile(r"draws-(\d+)-(\d+)")
_KIND = "part of the draws"


def write_part(folder: Path, run: str, block: Block) -> None:
    """Write draws into a file named by the first of them and the one behind the last."""
    arrays = {name: getattr(block, name) for name in ARRAYS}
    path = folder / f"draws-{block.first:08d}-{block.end:08d}"
    write_container(path, _KIND, run, {"first": block.first}, arrays)


def find_parts(folder: Path) -> list[tuple[int, int, Path]]:
    """Return first draw, end and file of all there are, in order."""
    found = [
        (int(match[1]), int(match[2]), path)
        for path in folder.iterdir()
        if (match := _NAME.fullmatch(path.name))
    ]
    return sorted(found)


def drop_parts(folder: Path, *, before: int | None = None, beyond: int | None = None) -> None:
    """Remove what lies before a draw (it is elsewhere) or beyond one (it will be drawn again)."""
    for _, end, path in find_parts(folder):
        if (before is not None and end <= before) or (beyond is not None and end > beyond):
            path.unlink()


def read_part(path: Path, run: str, shape: Shape, *, light: bool = False) -> Block:
    """Read draws back; if light, without strengths, prevalences and activity."""
    contents = read_container(path, _KIND, run, only=("scalars", "leak", "links") if light else None)
    try:
        empty = shape.empty(int(contents.values["first"]))
        return replace(empty, **contents.arrays)  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError):
        raise DamagedRunError(f"{path} does not hold draws of this run; restore it or fit again") from None
