"""How far a sweep is from what this machine could do, with a roofline figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine.contestants import engine_sweeps
from benchmarks.engine.figures import figure
from benchmarks.engine.least_work import OPERATIONS, least_seconds, least_work
from benchmarks.engine.machine import measure_machine
from benchmarks.engine.sweeps import NUMBERS, QUICK_NUMBERS, QUICK_SIZES
from benchmarks.engine.tables import SIZES, SPECS, Size, draw_problem, in_spec
from benchmarks.engine.timing import milliseconds_a_sweep

__all__ = ["TITLE", "draw", "run", "table"]

TITLE = "How far from the machine's limit"
#: Beyond what fits into a cache.
LARGE = Size(200_000, 200, 20, 0.08)
REPEATS = 3


def run(seed: int, *, quick: bool = False) -> dict[str, Any]:
    """Return what the machine can do, and for each size and spec what is needed and what is taken."""
    machine = measure_machine(quick=quick)
    sizes, numbers = (QUICK_SIZES, QUICK_NUMBERS) if quick else ((*SIZES, LARGE), (*NUMBERS, 1))
    found = []
    for size, number in zip(sizes, numbers, strict=True):
        problem = draw_problem(size, seed)
        for name, spec in SPECS.items():
            sweeps = engine_sweeps(problem.table, in_spec(problem.truth, spec), spec, seed=seed)
            told = milliseconds_a_sweep({"": lambda sweeps=sweeps: sweeps}, {"": number}, REPEATS)
            work = least_work(problem, name)
            least = {f"least, {key}": 1000 * value for key, value in least_seconds(work, machine).items()}
            found.append({"size": size.name, "spec": name, "milliseconds": told[""]} | least | work)
    return {"machine": machine, "sweeps": found}


def operations(each: dict[str, Any]) -> float:
    """Return all operations of a sweep, as they are counted in the figure."""
    return float(sum(each[name] * times for name, times in OPERATIONS.items()))


def table(found: dict[str, Any]) -> list[str]:
    """Return the machine's rates and the distance to them as lines of Markdown."""
    rates = ", ".join(f"{name} {rate / 1e9:.3g} G/s" for name, rate in found["machine"].items())
    lines = [
        f"This machine, one core, measured in the same run: {rates}.",
        "",
        "Milliseconds of a sweep, and the least that moving its bytes and making its operations would take",
        "at these rates (`benchmarks/engine/least_work.py` says what is counted); the share is the larger of",
        "the two over the time taken.",
        "",
        "| rows × variables × causes | spec | MB | M operations | least for bytes | least for operations "
        "| taken | share |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in found["sweeps"]:
        limit = max(each["least, bytes"], each["least, operations"])
        lines.append(
            f"| {each['size']} | {each['spec']} | {each['bytes'] / 1e6:.3g} | {operations(each) / 1e6:.3g} "
            f"| {each['least, bytes']:.3g} | {each['least, operations']:.3g} | {each['milliseconds']:.3g} "
            f"| {100 * limit / each['milliseconds']:.2g} % |"
        )
    return [*lines, "", "![Roofline: operations a second against operations a byte](engine/roofline.svg)"]


def draw(found: dict[str, Any], folder: Path) -> None:
    """Draw operations a second against operations a byte: what the machine allows, and where sweeps are."""
    machine = found["machine"]
    points = [(operations(each) / each["bytes"], each) for each in found["sweeps"]]
    with figure(folder / "roofline.svg", width=6.4, height=3.8) as (axes,):
        low, high = 0.05, 4.0 * max(at for at, _ in points)
        at = np.geomspace(low, high, 200)
        top = OPERATIONS["words"] * machine["words and counted"]
        for name, style in (("cache", "-"), ("second cache", "--"), ("memory", ":")):
            roof = np.minimum(at * machine[f"bytes from {name}"], top)
            axes.loglog(at, roof, style, color="black", linewidth=1, label=f"bytes from {name}")
        for name, kind in (("multiply-adds", "multiply-adds"), ("random numbers", "random numbers")):
            rate = OPERATIONS[kind] * machine[name]
            axes.axhline(rate, color="grey", linewidth=0.7)
            axes.text(low, rate, f" {name}", va="bottom", color="grey")
        axes.text(low, top, " words and-ed and counted", va="bottom", color="grey")
        marks = dict(zip(SPECS, ("o", "s"), strict=True))
        sizes = list(dict.fromkeys(each["size"] for _, each in points))
        for x, each in points:
            axes.loglog(
                x,
                1000 * operations(each) / each["milliseconds"],
                marks[each["spec"]],
                color=f"C{sizes.index(each['size'])}",
                label=f"{each['size']}, {each['spec']}",
            )
        axes.set_xlabel("least operations a byte that must come from memory")
        axes.set_ylabel("operations a second, of the least there are")
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7)
