"""Which file of a run's folder is called what."""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "OWN",
    "chain_folder",
    "checkpoint_file",
    "lock_file",
    "log_file",
    "posterior_file",
    "rows_file",
    "settings_file",
    "table_file",
]

SETTINGS, POSTERIOR, TABLE, ROWS = "settings.json", "posterior.nc", "table.bits", "rows.arrow"
CHAINS, LOCK, LOG = "chains", "lock", "run.log"

#: Everything that belongs to a run; the settings first, because without them a folder is no run.
OWN = (SETTINGS, POSTERIOR, TABLE, ROWS, CHAINS, LOG, LOCK)


def settings_file(folder: Path) -> Path:
    """Return where the settings are."""
    return folder / SETTINGS


def posterior_file(folder: Path) -> Path:
    """Return where the posterior is."""
    return folder / POSTERIOR


def table_file(folder: Path) -> Path:
    """Return where the cells of the table are."""
    return folder / TABLE


def rows_file(folder: Path) -> Path:
    """Return where the names of rows and what is carried with them are."""
    return folder / ROWS


def lock_file(folder: Path) -> Path:
    """Return the file whose lock says that the run is being worked on."""
    return folder / LOCK


def log_file(folder: Path) -> Path:
    """Return where the log is."""
    return folder / LOG


def chain_folder(folder: Path, chain: int) -> Path:
    """Return where the checkpoint and the unfinished draws of a chain are."""
    return folder / CHAINS / f"chain-{chain}"


def checkpoint_file(folder: Path, chain: int) -> Path:
    """Return where a chain's checkpoint is."""
    return chain_folder(folder, chain) / "checkpoint"
