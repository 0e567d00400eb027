"""How much room a run will need on the disk, roughly."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from hiddencauses.errors import DiskSpaceWarning
from hiddencauses.kernels.recording import SCALARS

if TYPE_CHECKING:
    from hiddencauses.runs.settings import Settings

__all__ = ["estimated_octets", "warn_if_short"]

#: Nobody knows the number of causes beforehand.
CAUSES = 10
#: Parts and `posterior.nc` are both there while the one becomes the other.
COPIES = 2
#: A state has room for about this many times the causes it holds.
SPARE_ROOM = 2


def estimated_octets(settings: Settings) -> int:
    """Return how many octets a run may need, if it finds ten causes in each draw."""
    shape = settings.shape
    reals = {"none": 0, "per_cause": 1, "per_link": min(shape.n_variables, 10)}[shape.strengths]
    per_cause = shape.link_octets + shape.row_octets / shape.every + 8 * (reals + shape.prevalences)
    per_draw = 8 * (len(SCALARS) + 5 + shape.leaks) + CAUSES * per_cause
    state = SPARE_ROOM * CAUSES * shape.row_octets
    table = 2 * shape.n_variables * shape.row_octets
    return int(settings.chains * (COPIES * settings.draws * per_draw + state) + table)


def warn_if_short(settings: Settings, folder: Path) -> None:
    """Warn when the disk is likely to be too small."""
    free = shutil.disk_usage(folder).free
    needed = estimated_octets(settings)
    if needed > free:
        warnings.warn(
            f"{settings.chains} chains of {settings.draws:,} draws may need about {_shown(needed)} "
            f"and {folder.resolve()} has {_shown(free)} free; ask for fewer draws or choose another disk",
            DiskSpaceWarning,
            stacklevel=3,
        )


def _shown(octets: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if octets < 1000:
            return f"{octets:.3g} {unit}"
        octets /= 1000
    return f"{octets:.3g} TB"
