"""Moves on groups of causes: this version beside the first one, same table, state and seeds, in turns.

Each version runs in a process of its own and makes one move at a time from the truth, the two taking turns.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine.first_version import FIRST, ROOT, NoHistoryError, extract_first_version
from benchmarks.engine.tables import SIZES, SPECS, Size, draw_problem, in_spec
from benchmarks.recovery.tables import Problem
from hiddencauses import ModelSpec
from hiddencauses.kernels.summed.effort import BIRTHS, BLIND, KINDS, REARRANGEMENTS, REDRAWS, SPLITS, SWAPS

__all__ = ["TITLE", "run", "table"]

TITLE = "Moves on groups of causes, beside their first version"
NAMES = {
    BIRTHS: "",
    SPLITS: "",
    REARRANGEMENTS: "",
    SWAPS: "",
    BLIND: "blind ",
    REDRAWS: "joint activity",
}
#: What all moves together are called.
ALL = "all"
#: Moves of each kind, at each size.
EACH = (60, 16)
QUICK_SIZES, QUICK_EACH = (Size(150, 10, 3, 0.4),), (3,)


class _Side:
    """A version of the package in a process of its own."""

    def __init__(self, path: Path, places: Sequence[Path], folder: Path) -> None:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, places)),
            "NUMBA_NUM_THREADS": "1",
        }
        # by a copy: the folder of a program comes first on its path, and ours holds this version
        program = folder / "moves_child.py"
        program.write_text((Path(__file__).parent / "moves_child.py").read_text(encoding="utf-8"), "utf-8")
        self._process = subprocess.Popen(
            [sys.executable, str(program), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
        )
        package = Path(self._answer())
        if not package.is_relative_to(places[0]):
            raise RuntimeError(f"{package} was run and not what is in {places[0]}")

    def move(self, kind: int, number: int) -> tuple[str, int, float]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([kind, number]) + "\n")
        self._process.stdin.flush()
        name, accepted, milliseconds = self._answer()
        return name, accepted, milliseconds

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a version of the package ended before its last move; see its error above")
        return json.loads(line)

    def end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def run(seed: int, *, quick: bool = False) -> dict[str, Any]:
    """Return milliseconds a move of both versions, by size and name of the move."""
    sizes, each = (QUICK_SIZES, QUICK_EACH) if quick else (SIZES[1:], EACH)
    spec = SPECS["per link"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            first = extract_first_version(folder / "first")
        except NoHistoryError as error:
            return {"first": FIRST, "missing": str(error), "moves": []}
        found = []
        for size, number in zip(sizes, each, strict=True):
            path = folder / "problem.npz"
            _write(path, draw_problem(size, seed), spec, seed)
            (folder / "now").mkdir(exist_ok=True)
            sides = {
                "first": _Side(path, first, folder / "first"),
                "now": _Side(path, [ROOT / "src", ROOT], folder / "now"),
            }
            try:
                found += _compare(sides, size, number)
            finally:
                for side in sides.values():
                    side.end()
    return {"first": FIRST, "moves": found}


def _write(path: Path, problem: Problem, spec: ModelSpec, seed: int) -> None:
    cells = problem.table.codes()
    given = in_spec(problem.truth, spec)
    at = given.parameters
    np.savez(
        path,
        cells=cells,
        links=given.links,
        activity=given.activity,
        strength=at.strength,
        leak=at.leak,
        prevalence=at.prevalence,
        concentration=at.concentration,
        spec=spec.to_json(),
        seed=seed,
    )


def _compare(sides: dict[str, _Side], size: Size, number: int) -> list[dict[str, Any]]:
    """Have both make the same moves; what a move is shows in what both count."""
    times: dict[str, dict[str, list[float]]] = {}
    alike: dict[str, list[bool]] = {}
    for kind, prefix in NAMES.items():
        for visit in range(number + 1):
            # blind moves are of the one sort or the other by the number of the move
            told = {version: side.move(kind, visit * KINDS + kind) for version, side in sides.items()}
            if not visit:
                continue  # compiling
            name = prefix + told["first"][0].replace("_", " ")
            if not told["first"][0] and kind != REDRAWS:
                continue  # nothing was proposed: too few causes
            for group in (name, ALL):
                alike.setdefault(group, []).append(told["first"][:2] == told["now"][:2])
            for version, (_, _, milliseconds) in told.items():
                times.setdefault(name, {v: [] for v in sides})[version].append(milliseconds)
    return [
        {
            "size": size.name,
            "move": name,
            "moves": len(each["now"]),
            "same decision": float(np.mean(alike[name])),
            "first": float(np.median(each["first"])),
            "now": float(np.median(each["now"])),
            "total ratio": float(np.sum(each["first"]) / np.sum(each["now"])),
        }
        for name, each in {**times, ALL: _all(times)}.items()
    ]


def _all(times: dict[str, dict[str, list[float]]]) -> dict[str, list[float]]:
    """Return the times of all moves."""
    return {version: [t for each in times.values() for t in each[version]] for version in ("first", "now")}


def table(found: dict[str, Any]) -> list[str]:
    """Return times and ratios as lines of Markdown."""
    if "missing" in found:
        return [f"Not measured: {found['missing']}."]
    lines = [
        "Milliseconds of one processor a move from the truth, strength per link; the first version is",
        f"commit {found['first']}. Same table, state and seeds, the two versions taking turns; medians, and",
        "the ratio of all their time. Same: how often both came to the same decision.",
        "",
        "| rows × variables × causes | move | moves | first | now | ratio of medians | of totals | same |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in found["moves"]:
        lines.append(
            f"| {each['size']} | {each['move']} | {each['moves']} | {each['first']:.3g} | {each['now']:.3g} "
            f"| {each['first'] / each['now']:.1f} | {each['total ratio']:.1f} | {each['same decision']:.0%} |"
        )
    return lines
