"""Peak memory of whole runs, each in a process of its own: reading the table, warm-up, draws."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.engine.tables import Size
from benchmarks.engine.written_tables import written_table
from benchmarks.recovery.chains import compile_first
from tests.peak_memory import PEAK, peak_megabytes

__all__ = ["TITLE", "own_peak_megabytes", "run", "table"]

TITLE = "Peak memory"
SIZES = (Size(20_000, 200, 20, 0.08), Size(200_000, 200, 20, 0.08))
QUICK_SIZES = (Size(300, 10, 3, 0.4),)
SWEEPS = 5
#: What a child does: without a table it samples next to nothing, and so shows what all runs need.
PROGRAM = """
import sys
from hiddencauses import read_table, sample
path, sampler, sweeps = sys.argv[1], sys.argv[2], int(sys.argv[3])
table = read_table(path) if path else [[0, 1], [1, 0]]
sample(table, sampler=sampler, draws=sweeps, warmup=sweeps, chains=1, seed=1)
"""


def own_peak_megabytes() -> float:
    """Return the peak memory of this process so far."""
    names: dict[str, Any] = {}
    exec(PEAK, names)
    return float(names["peak"]())


def run(seed: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Return peak megabytes by size and sampler, and of a process that samples next to nothing."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for sampler in ("gibbs", "auto"):
            compile_first(
                sampler
            )  # compiling takes more memory than running, and is in the cache from then on
            nothing = peak_megabytes(PROGRAM, "", sampler, 1)
            for size in QUICK_SIZES if quick else SIZES:
                path, _ = written_table(size, seed, Path(folder))
                found.append(
                    {
                        "size": size.name,
                        "cells": size.rows * size.variables,
                        "sampler": sampler,
                        "megabytes": peak_megabytes(PROGRAM, path, sampler, SWEEPS),
                        "megabytes without": nothing,
                    }
                )
    return found


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return peaks as lines of Markdown."""
    lines = [
        "A whole run in a process of its own: the table read from disk (int8, mapped),",
        f"{SWEEPS} sweeps of warm-up and {SWEEPS} draws, one chain from empty, `DEFAULT_SPEC`; beside it the",
        "same with a table of 2 × 2, which is what Python, its libraries and the compiled kernels take.",
        "",
        "| rows × variables × causes | sampler | peak MB | of 2 × 2 | difference, bytes a cell |",
        "|---|---|---|---|---|",
    ]
    for each in found:
        own = (each["megabytes"] - each["megabytes without"]) * 2**20 / each["cells"]
        lines.append(
            f"| {each['size']} | {each['sampler']} | {each['megabytes']:.0f} "
            f"| {each['megabytes without']:.0f} | {own:.2f} |"
        )
    return lines
