"""A run's folder, made in one step."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hiddencauses.errors import OutputError
from hiddencauses.folders import output_folder
from hiddencauses.runs.checkpoint import Checkpoint, write_checkpoint
from hiddencauses.runs.layout import LOCK, OWN, chain_folder, checkpoint_file, lock_file, settings_file
from hiddencauses.runs.lock import FileLock
from hiddencauses.runs.log import write_log
from hiddencauses.runs.settings import write_settings
from hiddencauses.runs.table_copy import write_table_copy
from hiddencauses.validation import check_output

if TYPE_CHECKING:
    from hiddencauses.runs.settings import Settings
    from hiddencauses.sampling.plan import Plan

__all__ = ["make_run_folder"]


def make_run_folder(folder: Path, settings: Settings, plan: Plan, *, force: bool) -> None:
    """Make a folder that can be resumed from the moment it is there.

    With `force` a run that is there is removed first; files that are not a run's stay.
    """
    check_output(folder, force=force)
    if folder.is_dir():
        _remove_run(folder)
        folder.chmod(0o700)
    with output_folder(folder, force=force, private=True) as draft:
        write_table_copy(plan.table, draft, settings.run)
        for chain in range(settings.chains):
            chain_folder(draft, chain).mkdir(parents=True)
            start = Checkpoint(0, plan.start(chain))
            write_checkpoint(checkpoint_file(draft, chain), settings.run, chain, start)
        write_log(draft, f"made: {settings.chains} chains of {settings.warmup} + {settings.draws} sweeps")
        write_settings(settings, draft)


def _remove_run(folder: Path) -> None:
    """Take away the run that is there, unless a process works on it."""
    if not settings_file(folder).exists():
        return
    with FileLock(lock_file(folder), folder):
        try:
            rubbish = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            for name in OWN:  # the settings first: half a run is none
                if name != LOCK and (folder / name).exists():
                    (folder / name).rename(rubbish / name)
        except OSError as error:
            raise OutputError(
                f"{folder} cannot be replaced ({error.strerror}); choose another name"
            ) from None
        shutil.rmtree(rubbish, ignore_errors=True)
