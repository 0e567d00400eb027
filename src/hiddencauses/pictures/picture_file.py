"""Pictures written to files: whole or not at all, and the same bytes for the same picture."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddencauses.files import atomic_write
from hiddencauses.validation import check_ending, check_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_picture", "write_picture"]

#: What is said of the file's making, by ending: the moment of it is left out, so that files can be compared.
_METADATA: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".png": {"Software": "hiddencauses"}}
DOTS_PER_INCH = 150


def check_picture(path: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Refuse a place that a picture cannot be written to, before work is done for it."""
    place = Path(path)
    check_ending(place, tuple(_METADATA))
    return check_output(place, force=force)


def write_picture(figure: Figure, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a picture.

    Parameters
    ----------
    figure
        The picture.
    path
        Where: .svg or .png.
    force
        Whether a file that is there may be replaced.
    """
    from matplotlib import rc_context

    place = check_picture(path, force=force)
    ending = place.suffix.lower()
    # text stays text: small, found by searching, and in any script that the reader has letters for
    settings: dict[Any, Any] = {"svg.hashsalt": "hiddencauses", "svg.fonttype": "none"}
    with rc_context(settings), atomic_write(place, force=force) as stream:
        figure.savefig(stream, format=ending[1:], dpi=DOTS_PER_INCH, metadata=_METADATA[ending])
