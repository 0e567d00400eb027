"""Small runs that the tests share, and how two of them are compared."""

import h5netcdf
import numpy as np

from hiddencauses import ModelSpec, fit
from hiddencauses.runs import worker
from hiddencauses.sampling import chain as chain_module
from tests.sampling.settings import small_table

OPTIONS = {"warmup": 20, "draws": 30, "chains": 2, "seed": 3, "init": "random:2"}
#: Nothing but leaks: no chain ever has a cause.
NO_CAUSES = ModelSpec(strength=0.9, leak=0.4, prevalence=0.5, concentration=1e-9)


def small_run(folder, table=None, **changed):
    """Start a run on the small table."""
    return fit(small_table() if table is None else table, out=folder, **OPTIONS | changed)


def save_always(monkeypatch):
    """Every sweep is a piece, every piece a turn, and every turn is saved."""
    monkeypatch.setattr(chain_module, "PIECE_CELLS", 1)
    monkeypatch.setattr(worker, "SLICE_SECONDS", 0.01)
    monkeypatch.setattr(worker, "SAVE_SECONDS", 0.0)


def contents(folder):
    """Everything in posterior.nc: attributes and variables of all groups, as bytes."""
    found = {}
    with h5netcdf.File(folder / "posterior.nc", "r") as file:
        for name, group in [("", file), *file.groups.items()]:
            for key, value in group.attrs.items():
                found[f"{name}@{key}"] = str(value)
            for key, variable in group.variables.items():
                values = np.asarray(variable[...])
                kept = values.tolist() if values.dtype == object else values.tobytes()
                found[f"{name}/{key}"] = (variable.dimensions, values.dtype.str, values.shape, kept)
    return found
