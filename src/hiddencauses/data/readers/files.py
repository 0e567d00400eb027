"""Files: found, checked to be readable, and handed to the reader of their format."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from hiddencauses.data.raw import RawSource
from hiddencauses.data.readers.formats import format_of
from hiddencauses.data.readers.text import open_text
from hiddencauses.errors import InputError

__all__ = ["open_file"]

#: The path that stands for standard input.
STANDARD_INPUT = "-"


def open_file(
    path: str | os.PathLike[str], *, wanted: str | None = None, delimiter: str | None = None
) -> RawSource:
    """Open a file (or `-`, standard input, which is read as text) as a raw source."""
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return open_text(_standard_input(), "standard input", delimiter=delimiter)
    stream = open_bytes(name)
    kind, gzipped = format_of(name, wanted)
    if kind == "text":
        return open_text(stream, name, delimiter=delimiter, gzipped=gzipped)
    raise NotImplementedError(kind)


def open_bytes(name: str) -> BinaryIO:
    """Open a file for reading, or say in one line why that cannot be done."""
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 - the reader closes it
        if stat.S_ISDIR(os.fstat(stream.fileno()).st_mode):
            raise IsADirectoryError
    except FileNotFoundError:
        raise InputError("no such file", source=name, fix="check the path") from None
    except IsADirectoryError:
        raise InputError("is a folder, not a file", source=name, fix="give the file in it") from None
    except PermissionError:
        raise InputError("may not be read by you", source=name, fix="check its permissions") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be opened ({error})", source=name, fix="check the path") from None
    return stream


def _standard_input() -> BinaryIO:
    return sys.stdin.buffer
