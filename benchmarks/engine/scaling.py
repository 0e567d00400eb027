"""How the time of a sweep grows with rows and with links: exponents by least squares, and a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine.contestants import engine_sweeps
from benchmarks.engine.figures import figure
from benchmarks.engine.tables import SPECS, Size, draw_problem, in_spec
from benchmarks.engine.timing import milliseconds_a_sweep
from hiddencauses.kernels.schedule import AUTO_INFINITE, GIBBS

__all__ = ["TITLE", "draw", "exponent", "run", "table"]

TITLE = "How time grows"
#: What grows, and the tables it grows over.
SERIES = {
    "rows": [Size(rows, 64, 8, 0.15) for rows in (1000, 4000, 16_000, 64_000, 256_000)],
    "links, by variables": [Size(8000, variables, 8, 0.15) for variables in (16, 32, 64, 128, 256)],
    "links, by causes": [Size(8000, 128, causes, 0.15) for causes in (4, 8, 16, 32)],
}
QUICK_SERIES = {"rows": [Size(rows, 8, 2, 0.4) for rows in (50, 100, 200)]}
SCHEDULES = {"gibbs": GIBBS, "auto": AUTO_INFINITE}
#: Cells visited in one timing, about; how often, and sweeps beforehand.
CELLS, REPEATS, BEFORE = 4_000_000, 3, 2


def run(seed: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Return milliseconds a sweep by what grows, spec and sampler."""
    found = []
    for name, sizes in (QUICK_SERIES if quick else SERIES).items():
        for spec_name, sampler in (("shared", "gibbs"), ("per link", "gibbs"), ("per link", "auto")):
            if quick and sampler == "auto":
                continue
            for size in sizes:
                problem = draw_problem(size, seed)
                spec = SPECS[spec_name]
                sweeps = engine_sweeps(
                    problem.table,
                    in_spec(problem.truth, spec),
                    spec,
                    seed=seed,
                    schedule=SCHEDULES[sampler],
                )
                sweeps(BEFORE)
                number = 1 if quick else max(1, CELLS // (size.rows * size.variables))
                told = milliseconds_a_sweep(
                    {sampler: lambda sweeps=sweeps: sweeps}, {sampler: number}, REPEATS
                )
                found.append(
                    {
                        "series": name,
                        "spec": spec_name,
                        "sampler": sampler,
                        "size": size.name,
                        "rows": size.rows,
                        "links": int(problem.links.sum()),
                        "milliseconds": told[sampler],
                    }
                )
    return found


def exponent(found: list[dict[str, Any]]) -> tuple[str, float, float]:
    """Return over what a series grows, and the exponents of all of it and of its upper half."""
    over = "rows" if found[0]["series"] == "rows" else "links"
    x, y = (np.log([each[key] for each in found]) for key in (over, "milliseconds"))
    upper = len(x) // 2
    return over, float(np.polyfit(x, y, 1)[0]), float(np.polyfit(x[upper:], y[upper:], 1)[0])


def _groups(found: list[dict[str, Any]]) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for each in found:
        groups.setdefault((each["series"], each["spec"], each["sampler"]), []).append(each)
    return groups


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return exponents as lines of Markdown."""
    lines = [
        "Exponents of the time of a sweep, fitted on logarithms, of all sizes and of the upper half of them,",
        "where what a sweep costs whatever its size matters less; 1 is linear.",
        "",
        "| grows | from | to | spec | sampler | milliseconds | exponent | of the upper half |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (series, spec, sampler), each in _groups(found).items():
        over, whole, upper = exponent(each)
        times = f"{each[0]['milliseconds']:.3g} … {each[-1]['milliseconds']:.3g}"
        lines.append(
            f"| {series} | {each[0][over]:,} | {each[-1][over]:,} | {spec} | {sampler} | {times} "
            f"| {whole:.2f} | {upper:.2f} |"
        )
    return [*lines, "", "![Time of a sweep against rows and links](engine/scaling.svg)"]


def draw(found: list[dict[str, Any]], folder: Path) -> None:
    """Draw time against what grows, with a straight line of slope 1 to compare."""
    series = list(dict.fromkeys(each["series"] for each in found))
    with figure(folder / "scaling.svg", len(series)) as axes:
        for place, name in zip(axes, series, strict=True):
            lowest = None
            for (group, spec, sampler), each in _groups(found).items():
                if group != name:
                    continue
                over, whole, _ = exponent(each)
                x, y = ([one[key] for one in each] for key in (over, "milliseconds"))
                place.loglog(x, y, "o-", markersize=3, label=f"{sampler}, {spec}: {whole:.2f}")
                lowest = min(lowest or y[0], y[0])
            ends = np.array([x[0], x[-1]])
            place.loglog(ends, 0.5 * lowest * ends / ends[0], "--", color="grey", label="linear")
            place.set_xticks(x, [f"{each:,}" for each in x], fontsize=6)
            place.set_xlabel(name)
            place.set_ylabel("milliseconds a sweep")
            place.legend(frameon=False, title="exponents")
