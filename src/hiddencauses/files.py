"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from hiddencauses.errors import OutputError
from hiddencauses.validation import check_output

__all__ = ["atomic_path", "atomic_write", "cannot_write", "drop_leftovers"]


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name only when the block ends well.

    The bytes go to a temporary file in the same folder, reach the disk, and then take the name in one
    step. If the block raises, nothing is left behind and what was there stays. A trouble of the operating
    system (full disk, no permission) becomes an `OutputError`.

    Parameters
    ----------
    path
        Where to write.
    force
        Whether a file that is there may be replaced.
    """
    shown = Path(path)
    try:
        check_output(shown, force=force)
        target = Path(os.path.realpath(shown))  # a link keeps pointing where it did
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise IsADirectoryError(f"{shown} is a folder")
            with target.open("wb") as stream:  # a pipe or a device cannot be replaced
                yield stream
            return
        temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
        try:
            with temporary.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        _settle_folder(target.parent)
    except OSError as error:
        raise cannot_write(shown, error) from None


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a path to write to by whatever means, which becomes `path` when the block ends well.

    As `atomic_write`, for libraries that want a name and not a stream.
    """
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        yield temporary
        with temporary.open("rb+") as stream:
            os.fsync(stream.fileno())
        temporary.replace(path)
        _settle_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def drop_leftovers(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder."""
    for path in folder.glob(".*.part"):
        path.unlink(missing_ok=True)


def cannot_write(path: str | os.PathLike[str], error: OSError) -> OutputError:
    """Say in one line why a file cannot be written."""
    why = error.strerror or str(error)
    return OutputError(
        f"{os.fspath(path)} cannot be written: {why[:1].lower()}{why[1:]}; nothing was left behind; "
        "choose another place or make room"
    )


def _settle_folder(folder: Path) -> None:
    """Make the new name itself reach the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
