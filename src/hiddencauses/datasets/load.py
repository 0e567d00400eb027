"""Load built-in tables by name."""

from __future__ import annotations

import dataclasses
import difflib
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from hiddencauses.data.table import Table
from hiddencauses.datasets.registry import DATASETS, DatasetInfo
from hiddencauses.datasets.simulated import SIMULATED, draw
from hiddencauses.errors import UserError, shorten

if TYPE_CHECKING:
    from hiddencauses.model.simulate import Simulation

__all__ = ["dataset_info", "list_datasets", "load_dataset", "load_simulation", "resolve_source"]

#: How a built-in table is named where a file could stand.
PREFIX = "dataset:"


class _Roles(TypedDict):
    id_column: str
    carry: tuple[str, ...]


def list_datasets() -> tuple[DatasetInfo, ...]:
    """Return what is known of every built-in table, without loading any."""
    return DATASETS


def dataset_info(name: str) -> DatasetInfo:
    """Return what is known of one built-in table."""
    for info in DATASETS:
        if info.name == name:
            return info
    names = [info.name for info in DATASETS]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
    raise UserError(f"{shorten(name)} is not a built-in table; {hint}")


def load_dataset(name: str) -> Table:
    """Load a built-in table.

    Parameters
    ----------
    name
        One of the names that `list_datasets` gives.

    Examples
    --------
    >>> load_dataset("davis").shape
    (18, 14)
    """
    info = dataset_info(name)
    if info.name in SIMULATED:
        table = draw(info.name).table
    elif info.name == "nhefs":
        table = _read_bundled("nhefs.csv.gz", {"id_column": "seqn", "carry": info.carried})
    else:
        table = _read_bundled("davis.csv", {"id_column": "woman", "carry": ()})
    return dataclasses.replace(table, source=PREFIX + info.name)


def load_simulation(name: str) -> Simulation:
    """Load a simulated built-in table with the truth behind it."""
    info = dataset_info(name)
    if info.name not in SIMULATED:
        raise UserError(
            f"{info.name!r} is not simulated, so its truth is not known; try {', '.join(SIMULATED)}"
        )
    return draw(info.name)


def resolve_source(text: str) -> Table | Path:
    """Return the built-in table that `dataset:NAME` stands for, or the path that any other text is."""
    if text.startswith(PREFIX):
        return load_dataset(text.removeprefix(PREFIX))
    return Path(text)


def _read_bundled(file: str, roles: _Roles) -> Table:
    from hiddencauses.data.readers import read_table

    folder = resources.files("hiddencauses.datasets") / "files"
    with resources.as_file(folder / file) as path:
        return read_table(path, **roles)
