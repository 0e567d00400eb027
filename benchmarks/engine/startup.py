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

__all__ = ["TITLE", "run", "table"]

TITLE = "Starting"
REPEATS = 3
SPECS = {"default": "DEFAULT_SPEC", "paper": "ModelSpec.paper()"}
SAMPLERS = ("auto", "gibbs")
PROGRAM = """
import json, sys, time
began = time.perf_counter()
from hiddencauses import DEFAULT_SPEC, ModelSpec, sample
imported = time.perf_counter()
spec, sampler = eval(sys.argv[1]), sys.argv[2]
times = [imported - began]
for _ in range(2):
    began = time.perf_counter()
    if sampler:
        sample([[0, 1], [1, 0]], spec, sampler=sampler, draws=1, warmup=1, chains=1, seed=0)
    times.append(time.perf_counter() - began)
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
                "import": float(warm[0]),
                "first, compiled": cold[1],
                "first, from cache": float(warm[1]),
                "second": float(warm[2]),
            }
        )
    return found


def _child(spec: str, sampler: str, folder: str) -> list[float]:
    """Return seconds of importing, of the first chain and of the second, in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, SPECS[spec], sampler],
        env=os.environ | {"NUMBA_CACHE_DIR": folder},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    times: list[float] = json.loads(done.stdout)
    return times


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return seconds as lines of Markdown."""
    columns = ("import", "first, compiled", "first, from cache", "second")
    lines = [
        "Seconds of importing the package and of a chain of two sweeps on a table of 2 × 2: with nothing",
        "compiled yet, with kernels from the cache on disk (median), and once more in the same process.",
        "",
        f"| spec | sampler | {' | '.join(columns)} |",
        "|---|---|" + "---|" * len(columns),
    ]
    for each in found:
        cells = " | ".join(f"{each[column]:.2f}" for column in columns)
        lines.append(f"| {each['spec']} | {each['sampler'] or '–'} | {cells} |")
    return lines
