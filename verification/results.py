"""Results on paper: one JSON file per case, and a table of all of them."""

from __future__ import annotations

import json
import math
import platform
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from verification.case import Case, Outcome, Settings

__all__ = ["as_text", "file_name", "rewrite_table", "write_outcome"]

TABLE = "RESULTS.md"


def as_text(value: float | str) -> str:
    """Return a figure in few characters."""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def figures_text(figures: Mapping[str, float | str]) -> str:
    """Return figures on one line."""
    return ", ".join(f"{name} {as_text(value)}" for name, value in figures.items())


def write_outcome(folder: Path, case: Case, settings: Settings, outcome: Outcome, seconds: float) -> None:
    """Write what a case found into a file of its own, so that cases can be run one at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = {
        "name": case.name,
        "passed": outcome.passed,
        "figures": dict(outcome.figures),
        "detail": outcome.detail,
        "tier": "fast" if settings.fast else "full",
        "seed": settings.seed,
        "seconds": round(seconds),
        "versions": {"python": platform.python_version()}
        | {name: version(name) for name in ("hiddencauses", "numpy", "numba", "scipy")},
        "rows": [dict(row) for row in outcome.rows],
    }
    text = json.dumps(_plain(plain), indent=1, ensure_ascii=False)
    (folder / f"{file_name(case.name)}.json").write_text(text + "\n", encoding="utf-8")


def file_name(case_name: str) -> str:
    """Return a name of plain letters for the files of a case, legal on every platform."""
    plain = case_name.lower().replace("×", "x").replace("≤", "up to ")
    return "_".join(re.findall(r"[a-z0-9]+", plain))


def rewrite_table(folder: Path) -> None:
    """Make the table anew from the files of all cases."""
    lines = [
        "# Last full run of the proof harness",
        "",
        "`python -m verification` writes this page and the files beside it.",
        "",
        "| case | | figures | seed | seconds |",
        "|---|---|---|---|---|",
    ]
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        verdict = "pass" if found["passed"] else "**FAIL**"
        tier = "" if found["tier"] == "full" else " (fast tier)"
        figures = figures_text(found["figures"]).replace("|", "\\|")
        lines.append(
            f"| {found['name']}{tier} | {verdict} | {figures} | {found['seed']} | {found['seconds']} |"
        )
    (folder / TABLE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _plain(value: Any) -> Any:
    """Turn numpy's numbers into plain ones, cut to what is worth keeping."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else str(value)
    return value
