"""Where a chain is, on disk: its whole state, and how many sweeps are behind it.

Random streams need not be kept. Each is named by seed, chain, purpose, block and visit, so that the number of
the next sweep says where all of them are.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from hiddencauses.errors import DamagedRunError, FormatVersionError
from hiddencauses.kernels.state import State
from hiddencauses.runs.container import read_container, write_container

__all__ = ["Checkpoint", "read_checkpoint", "write_checkpoint"]

_KIND = "checkpoint"


class Checkpoint(NamedTuple):
    """Where a chain is."""

    sweep: int
    state: State


def write_checkpoint(path: Path, run: str, chain: int, checkpoint: Checkpoint) -> None:
    """Put a checkpoint in the place of the last one, in one step."""
    write_container(path, _KIND, run, {"chain": chain, "sweep": checkpoint.sweep}, checkpoint.state._asdict())


def read_checkpoint(path: Path, run: str, chain: int, *, like: State) -> Checkpoint:
    """Read a checkpoint of this run and chain.

    Parameters
    ----------
    path
        The file.
    run, chain
        What it must belong to.
    like
        Any state of the same model: a checkpoint whose arrays are of other types was written by another
        version, and compiled code would not notice.
    """
    contents = read_container(path, _KIND, run)
    if contents.values.get("chain") != chain:
        raise DamagedRunError(f"{path} is the checkpoint of another chain; put each back in its place")
    kinds = {name: (array.dtype, array.ndim) for name, array in contents.arrays.items()}
    if kinds != {name: (array.dtype, array.ndim) for name, array in like._asdict().items()}:
        raise FormatVersionError(
            f"{path} holds a chain as another version of hiddencauses keeps it; go on with the version in "
            "settings.json, or fit again"
        )
    return Checkpoint(int(contents.values["sweep"]), State(**contents.arrays))
