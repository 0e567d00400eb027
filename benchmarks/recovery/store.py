"""Results of the suite on disk: one JSON file for each line and method, seed by seed.

Each seed is written as soon as it is done, so that a run that was cut off goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["Results", "setting"]


def setting(**chosen: Any) -> dict[str, Any]:
    """Return what results depend on: what was chosen, versions and machine."""
    return {
        **chosen,
        "versions": {"python": platform.python_version()}
        | {name: version(name) for name in ("hiddencauses", "numpy", "numba")},
        "machine": {"processor": platform.machine(), "cores": os.cpu_count()},
    }


class Results:
    """The results of one method on one line."""

    def __init__(self, folder: Path, line: str, method: str) -> None:
        self.path = folder / f"{line}.{method}.json"
        self.held: dict[str, Any] = {"line": line, "method": method, "setting": {}, "seeds": {}}
        if self.path.exists():
            self.held = json.loads(self.path.read_text(encoding="utf-8"))

    def __contains__(self, seed: int) -> bool:
        return str(seed) in self.held["seeds"]

    @property
    def seeds(self) -> Mapping[str, dict[str, Any]]:
        """What was found, by seed."""
        return dict(self.held["seeds"])

    def keep(self, seed: int, found: Mapping[str, Any], chosen: Mapping[str, Any]) -> None:
        """Write what was found with a seed; what was found with other settings is not the same run."""
        if self.held["setting"] != dict(chosen):
            self.held["setting"], self.held["seeds"] = dict(chosen), {}
        self.held["seeds"][str(seed)] = dict(found)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = ",\n".join(
            f'  "{at}": {json.dumps(found)}'
            for at, found in sorted(self.held["seeds"].items(), key=lambda item: int(item[0]))
        )
        head = json.dumps({key: self.held[key] for key in ("line", "method", "setting")})
        self.path.write_text(f'{head[:-1]}, "seeds": {{\n{lines}\n}}}}\n', encoding="utf-8")
