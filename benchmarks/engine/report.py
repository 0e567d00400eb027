"""The page of these benchmarks, made from what is on disk."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.engine import (
    effective,
    limits,
    memory,
    millions,
    moves,
    scaling,
    startup,
    sweep_time,
    sweeps,
    truth,
)
from benchmarks.engine.side_by_side import draw as draw_side_by_side
from benchmarks.engine.store import keep, kept

__all__ = ["PARTS", "SHOWN", "page", "run_parts"]

#: What `python -m benchmarks` runs.
SHOWN: Mapping[str, ModuleType] = {"sweep_time": sweep_time, "truth": truth, "effective": effective}
#: What `python -m benchmarks.engine` runs.
PARTS: Mapping[str, ModuleType] = {
    "sweeps": sweeps,
    "moves": moves,
    "scaling": scaling,
    "limits": limits,
    "memory": memory,
    "startup": startup,
}

#: What the page says of a part that has not been run.
NOTHING = ("Not run yet.",)


def run_parts(parts: Iterable[str], seed: int, folder: Path, *, quick: bool) -> None:
    """Run parts one after the other; results, figures and the page are written after each.

    The page is written beside the folder, under its name.
    """
    for name in parts:
        part = {**SHOWN, **PARTS}[name]
        sys.stderr.write(f"{part.TITLE} …\n")
        found = part.run(seed, quick=quick)
        keep(folder, name, found, seed=seed, quick=quick)
        if hasattr(part, "draw"):
            part.draw(found, folder)
        if all((folder / f"{each}.json").exists() for each in SHOWN):
            draw_side_by_side(*(_found(folder, each) for each in SHOWN), folder)
        folder.with_suffix(".md").write_text(page(folder), encoding="utf-8")


def _found(folder: Path, part: str) -> Any:
    held = kept(folder, part)
    assert held is not None
    return held["found"]


def page(folder: Path) -> str:
    """Return the page as Markdown."""
    lines = [
        "# The engine: how fast, how large",
        "",
        "`python -m benchmarks`, `python -m benchmarks.engine` and `python -m benchmarks.engine.millions`",
        "write this page; [performance.md](../../docs/performance.md) says how things are measured.",
    ]
    for name, part in {**SHOWN, **PARTS}.items():
        held = kept(folder, name)
        lines += ["", f"## {part.TITLE}", ""]
        lines += NOTHING if held is None else [*_setting(held["setting"]), *part.table(held["found"])]
        if name == "effective" and (folder / "side_by_side.svg").exists():
            lines += ["", f"![The three side by side]({folder.name}/side_by_side.svg)"]
    large = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("millions-*.json"))]
    lines += ["", f"## {millions.TITLE}", "", *(millions.table(large) if large else NOTHING)]
    return "\n".join(lines) + "\n"


def _setting(setting: Mapping[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {version}" for name, version in setting["versions"].items())
    machine = setting["machine"]
    quick = " **A quick run, to see that it works: the figures mean nothing.**" if setting["quick"] else ""
    return [
        f"*Seed {setting['seed']}; {versions}; {machine['processor']}, {machine['cores']} cores.*{quick}",
        "",
    ]
