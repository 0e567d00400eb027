"""Results on disk: a JSON file for each table, split and method, so that a run can go on where it ended."""

from __future__ import annotations

import json
import platform
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["read_all", "read_result", "result_path", "settings_of", "write_result"]

#: Packages whose versions are kept with a result, where they are installed.
PACKAGES = ("hiddencauses", "numpy", "numba", "scipy")


def result_path(folder: Path, table: str, split: int, method: str) -> Path:
    """Return where a result is kept."""
    return folder / table / f"{'_'.join(re.findall(r'[a-z0-9.]+', method.lower()))}-{split}.json"


def write_result(path: Path, result: dict[str, Any]) -> None:
    """Write a result with the versions that made it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    versions = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
    text = json.dumps(result | {"versions": versions}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def read_result(path: Path) -> dict[str, Any]:
    """Read a result."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def settings_of(result: dict[str, Any]) -> dict[str, Any]:
    """Return the settings a result was made with."""
    return {name: result.get(name) for name in ("seed", "masks", "effort", "spec")}


def read_all(folder: Path) -> list[dict[str, Any]]:
    """Read every result of a folder."""
    return [read_result(path) for path in sorted(folder.glob("*/*.json"))]
