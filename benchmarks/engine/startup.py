"""What starting costs: importing, and the first chain with kernels compiled afresh and taken from the cache.

Each in a process of its own, with a folder of its own for compiled kernels.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["TITLE", "run", "table"]

TITLE = "Starting"
REPEATS = 3
SPECS = {"default": "DEFAULT_SPEC", "paper": "ModelSpec.paper()"}
SAMPLERS = ("auto", "gibbs")
PROGRAM = """
import json, sys, time
clocks = (time.perf_counter, time.process_time)
times = [[clock() for clock in clocks]]
from hiddencauses import DEFAULT_SPEC, ModelSpec, sample
times.append([clock() for clock in clocks])
for _ in range(2):
    if sys.argv[2]:
        spec = eval(sys.argv[1])
        sample([[0, 1], [1, 0]], spec, sampler=sys.argv[2], draws=1, warmup=1, chains=1, seed=0)
    times.append([clock() for clock in clocks])
print(json.dumps(times))
"""


def run(_: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Return seconds of importing and of the first chain, by spec and sampler."""
    found = []
    pairs = [(spec, sampler) for spec in SPECS for sampler in SAMPLERS]
    for spec, sampler in [("default", "")] if quick else pairs:
        with tempfile.TemporaryDirectory() as folder:
            cold = _child(spec, sampler, folder)
            warm = np.median([_child(spec, sampler, folder) for _ in range(1 if quick else REPEATS)], axis=0)
        found.append(
            {
                "spec": spec,
                "sampler": sampler,
                "import": warm[0].tolist(),
                "first, compiled": cold[1].tolist(),
                "first, from cache": warm[1].tolist(),
                "second": warm[2].tolist(),
            }
        )
    return found


def _child(spec: str, sampler: str, folder: str) -> NDArray[np.float64]:
    """Return seconds, by the clock and of processors, of importing and of two chains in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, SPECS[spec], sampler],
        env=os.environ | {"NUMBA_CACHE_DIR": folder},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return np.diff(np.array(json.loads(done.stdout)), axis=0)


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return seconds as lines of Markdown."""
    columns = ("import", "first, compiled", "first, from cache", "second")
    lines = [
        "Seconds by the clock (in brackets: of processors) of importing the package and of a chain of two",
        "sweeps on a table of 2 × 2: with nothing compiled yet, with kernels from the cache on disk",
        "(median), and once more in the same process.",
        "",
        f"| spec | sampler | {' | '.join(columns)} |",
        "|---|---|" + "---|" * len(columns),
    ]
    for each in found:
        cells = " | ".join("{:.2f} ({:.2f})".format(*each[column]) for column in columns)
        lines.append(f"| {each['spec']} | {each['sampler'] or '–'} | {cells} |")
    return lines
