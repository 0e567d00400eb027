"""`posterior.nc` read back, some draws at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.errors import DamagedRunError, FormatVersionError
from hiddencauses.kernels.recording import SCALARS
from hiddencauses.runs.blocks import Block
from hiddencauses.runs.posterior_write import SCHEMA, attributes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.runs.settings import Settings

__all__ = ["count_draws", "read_blocks", "read_counters"]

#: Draws are read back so many octets of activity, and so many draws, at a time.
READ_OCTETS, READ_DRAWS = 1 << 26, 4096


def count_draws(path: Path, settings: Settings) -> int:
    """Return how many draws of each chain the file holds; 0 if there is none."""
    if not path.exists():
        return 0
    with _opened(path) as file:
        found = {name: file.attrs.get(name) for name in attributes(settings)}
    _check_same(path, found, attributes(settings))
    with _opened(path) as file:
        return int(file["posterior"].dimensions["draw"].size)


def read_counters(path: Path) -> NDArray[np.int64]:
    """Return what was counted, chains × counters."""
    with _opened(path) as file:
        return np.asarray(file["counters"]["counted"][...], dtype=np.int64)


def read_blocks(
    path: Path, settings: Settings, chain: int, *, light: bool, end: int | None = None
) -> Iterator[Block]:
    """Read the draws of a chain back, some at a time, until the draw `end`."""
    shape = settings.shape
    with _opened(path) as file:
        causes = file["causes"]
        draws = int(file["posterior"].dimensions["draw"].size)
        end = draws if end is None else min(end, draws)
        starts, ends = causes["cause_start"][chain, :], causes["cause_end"][chain, :]
        step = READ_DRAWS
        if draws and not light:
            largest = max(int((ends - starts).max()), 1) * shape.row_octets
            step = min(step, max(1, READ_OCTETS // largest) * shape.every)
        for first in range(0, end, step):
            last = min(first + step, end)
            yield _read_block(file, settings, chain, first, last, light)


def _read_block(file: Any, settings: Settings, chain: int, first: int, last: int, light: bool) -> Block:
    shape, group, causes = settings.shape, file["posterior"], file["causes"]
    draws = slice(first, last)

    def ragged(name: str, edges: str, place: slice, empty: NDArray[Any]) -> NDArray[Any]:
        starts, ends = causes[f"{edges}_start"][chain, place], causes[f"{edges}_end"][chain, place]
        if light or not len(starts) or starts[0] == ends[-1]:
            return empty
        return np.asarray(causes[name][int(starts[0]) : int(ends[-1])])

    none = shape.empty(first)
    scalars = np.empty((last - first, len(SCALARS)))
    for column, name in enumerate(SCALARS):
        stored = "n_causes" if name == "n_total" and name not in group.variables else name
        scalars[:, column] = (
            group[stored][chain, draws] if stored in group.variables else _fixed(settings, name)
        )
    leak = np.empty((last - first, shape.leaks))
    if "leak" in group.variables:
        leak[:] = np.asarray(group["leak"][chain, draws]).reshape(leak.shape)
    else:
        leak[:] = _fixed(settings, "leak")
    start, end = int(causes["cause_start"][chain, first]), int(causes["cause_end"][chain, last - 1])
    kept = slice(-(-first // shape.every), -(-last // shape.every))
    along = "strength" if shape.strengths == "per_link" else "cause"
    return Block(
        first=first,
        scalars=scalars,
        leak=leak,
        links=np.asarray(causes["links"][start:end]) if end > start else none.links,
        strength=ragged("strength", along, draws, none.strength)
        if shape.strengths != "none"
        else none.strength,
        prevalence=ragged("prevalence", "cause", draws, none.prevalence)
        if shape.prevalences
        else none.prevalence,
        activity=ragged("activity", "activity", kept, none.activity),
    )


def _fixed(settings: Settings, name: str) -> float:
    """Return what a scalar that is not stored is fixed at; one that belongs to causes is never looked at."""
    value = getattr(settings.spec, name)
    return float(value) if isinstance(value, (int, float)) else 0.5


def _check_same(path: Path, found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Refuse a file whose draws follow from something else."""
    if found["schema"] != SCHEMA:
        raise FormatVersionError(
            f"{path} has the format {found['schema']} and this version of hiddencauses reads "
            f"{SCHEMA}; use the version that wrote it"
        )
    other = [name for name, value in expected.items() if str(found[name]) != str(value)]
    if other:
        raise DamagedRunError(
            f"{path} belongs to another run (its {' and '.join(other)} differ); put back the one of this run"
        )


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open the file for reading; one that cannot be understood is damaged."""
    import h5netcdf

    try:
        with h5netcdf.File(path, "r") as file:
            yield file
    except (OSError, KeyError, RuntimeError, ValueError) as error:
        raise DamagedRunError(
            f"{path} is damaged or not the posterior of this run ({type(error).__name__}); restore it from a "
            "copy, or fit again"
        ) from error
