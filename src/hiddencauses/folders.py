"""Output folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hiddencauses.errors import OutputError
from hiddencauses.validation import check_output

__all__ = ["output_folder"]


@contextmanager
def output_folder(target: str | Path, *, force: bool, private: bool = False) -> Iterator[Path]:
    """Give a folder to write into, which becomes `target` when the block ends well.

    When the block fails nothing is left. With `force` an existing folder is kept and only the files of
    the same names in it are replaced: whatever else the user has there stays. A `private` folder can be
    read by its owner only.
    """
    target = check_output(target, force=force)
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target} is a file, and a folder is to be written there; choose another name")
    try:
        draft = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise OutputError(f"{target} cannot be written ({error.strerror}); choose another place") from error
    try:
        yield draft
        if target.exists():
            for written in draft.iterdir():
                written.replace(target / written.name)
        else:
            if not private:  # a temporary folder is its owner's alone
                draft.chmod(0o777 & ~_umask())
            draft.rename(target)
    except OSError as error:
        raise OutputError(
            f"{target} cannot be written ({error.strerror}); free some space or choose another place"
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
