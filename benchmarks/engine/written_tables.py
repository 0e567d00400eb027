"""Large tables on disk, simulated once, in a process of their own: making them costs a run nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.first_version import ROOT
from benchmarks.engine.tables import Size, draw_problem

__all__ = ["FOLDER", "written_table"]

#: Where they are kept.
FOLDER = Path(tempfile.gettempdir()) / "hiddencauses-benchmark-tables"


def written_table(size: Size, seed: int, folder: Path = FOLDER) -> tuple[Path, NDArray[np.int8]]:
    """Return where the table of a size and seed lies, and its true links."""
    stem = f"{size.rows}x{size.variables}x{size.causes}-{size.link_probability}-{seed}"
    cells, links = folder / f"{stem}.npy", folder / f"{stem}-links.npy"
    if not (cells.exists() and links.exists()):
        folder.mkdir(parents=True, exist_ok=True)
        given = [size.rows, size.variables, size.causes, size.link_probability, seed, cells, links]
        subprocess.run(
            [sys.executable, "-m", "benchmarks.engine.written_tables", *map(str, given)],
            check=True,
            cwd=ROOT,
        )
    return cells, np.load(links)


def _write(given: list[str]) -> None:
    size = Size(int(given[0]), int(given[1]), int(given[2]), float(given[3]))
    problem = draw_problem(size, int(given[4]))
    for path, array in ((Path(given[5]), problem.table.codes()), (Path(given[6]), problem.links)):
        unfinished = path.with_suffix(f".{os.getpid()}.npy")
        np.save(unfinished, array)
        unfinished.replace(path)


if __name__ == "__main__":
    _write(sys.argv[1:])
