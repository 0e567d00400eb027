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
    name = name if name.isprintable() else repr(name)  # from here on it is for messages only
    try:
        return _open_stream(stream, name, wanted, delimiter)
    except BaseException:
        stream.close()
        raise


def _open_stream(stream: BinaryIO, name: str, wanted: str | None, delimiter: str | None) -> RawSource:
    kind, gzipped = format_of(name, wanted)
    if kind == "text":
        return open_text(stream, name, delimiter=delimiter, gzipped=gzipped)
    if delimiter is not None:
        raise InputError(
            "a delimiter was given", source=name, rule="only text tables have one", fix="leave it out"
        )
    return _open_binary(stream, name, kind, gzipped=gzipped)


def _open_binary(stream: BinaryIO, name: str, kind: str, *, gzipped: bool) -> RawSource:
    """Hand a file to the reader of its format; readers are imported when they are needed."""
    if kind in ("parquet", "arrow"):
        from hiddencauses.data.readers.columnar import open_arrow, open_parquet

        return (open_parquet if kind == "parquet" else open_arrow)(stream, name)
    if kind in ("npy", "npz"):
        from hiddencauses.data.readers.numpy_files import open_npy, open_npz

        return (open_npy if kind == "npy" else open_npz)(stream, name)
    if kind == "mtx":
        from hiddencauses.data.readers.matrix_market import open_mtx

        return open_mtx(stream, name, gzipped=gzipped)
    if kind == "xlsx":
        from hiddencauses.data.readers.spreadsheet import open_xlsx

        return open_xlsx(stream, name)
    from hiddencauses.data.readers.statistics_files import open_statistics_file

    return open_statistics_file(stream, name, kind)


def open_bytes(name: str) -> BinaryIO:
    """Open a file for reading, or say in one line why that cannot be done."""
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 - the reader closes it
        if stat.S_ISDIR(os.fstat(stream.fileno()).st_mode):
            raise IsADirectoryError
    except FileNotFoundError:
        is_web = name.lower().startswith(("http://", "https://", "ftp://", "s3://"))
        fix = "download it first: only files on this machine are read" if is_web else "check the path"
        raise InputError("no such file", source=name, fix=fix) from None
    except IsADirectoryError:
        raise InputError("is a folder, not a file", source=name, fix="give the file in it") from None
    except PermissionError:
        raise InputError("may not be read by you", source=name, fix="check its permissions") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be opened ({error})", source=name, fix="check the path") from None
    return stream


def _standard_input() -> BinaryIO:
    return sys.stdin.buffer
