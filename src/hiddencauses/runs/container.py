"""Named arrays in one file that is whole, ours and of a known version, or is refused.

The file: a magic word, the version of the format, the length of a header and the header (JSON: what kind of
file, to which run it belongs, a few plain values, and name, type and shape of every array), the arrays one
after the other, and a SHA-256 of all that. Nothing in it can be executed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hiddencauses.errors import DamagedRunError, FormatVersionError
from hiddencauses.files import atomic_write

__all__ = ["FORMAT", "Contents", "read_container", "write_container"]

MAGIC, FORMAT = b"HCARRAYS", 1
#: Magic word, version, length of the header.
PREFIX = len(MAGIC) + 4 + 8
DIGEST = hashlib.sha256().digest_size
#: No header of ours is longer; a damaged length must not be believed.
LONGEST_HEADER = 1 << 26
#: Integers and floating-point numbers: anything else would not be numbers.
KINDS = "iuf"


class Contents(NamedTuple):
    """What a file holds: plain values and arrays."""

    values: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def write_container(
    path: Path, kind: str, run: str, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a file that appears whole or not at all, and is on the disk when this returns.

    Parameters
    ----------
    path
        Where to; what is there is replaced.
    kind
        What it is, for who reads it.
    run
        Name of the run it belongs to.
    values, arrays
        What it holds.
    """
    plain = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    described = [[name, array.dtype.str, list(array.shape)] for name, array in plain.items()]
    header = json.dumps({"kind": kind, "run": run, "values": dict(values), "arrays": described}).encode()
    digest = hashlib.sha256()
    with atomic_write(path, force=True) as stream:
        start = MAGIC + FORMAT.to_bytes(4, "little") + len(header).to_bytes(8, "little") + header
        for piece in (memoryview(start), *(_octets(array) for array in plain.values())):
            digest.update(piece)
            stream.write(piece)
        stream.write(digest.digest())


def read_container(path: Path, kind: str, run: str, *, only: Iterable[str] | None = None) -> Contents:
    """Read a file, refusing what is not whole, not of this kind, or not of this run.

    Parameters
    ----------
    path
        The file.
    kind, run
        What it must be and belong to.
    only
        Names of the arrays to read; the rest is skipped, and so is the check of the digest.
    """
    try:
        with path.open("rb") as stream:
            return _read(stream, path, kind, run, None if only is None else set(only))
    except FileNotFoundError:
        raise DamagedRunError(f"{path} is missing; {_REMEDY}") from None
    except OSError as error:
        raise DamagedRunError(f"{path} cannot be read ({error.strerror}); {_REMEDY}") from None


_REMEDY = "restore it from a copy, or fit again"


def _read(stream: BinaryIO, path: Path, kind: str, run: str, only: set[str] | None) -> Contents:
    prefix = stream.read(PREFIX)
    if not prefix.startswith(MAGIC):
        raise DamagedRunError(f"{path} was not written by hiddencauses, or is damaged; {_REMEDY}")
    version = int.from_bytes(prefix[len(MAGIC) : len(MAGIC) + 4], "little")
    if version != FORMAT:
        raise FormatVersionError(
            f"{path} has version {version} of the format and this version of hiddencauses reads {FORMAT}; "
            "use the version that wrote it"
        )
    length = int.from_bytes(prefix[len(MAGIC) + 4 :], "little")
    raw = stream.read(length) if length <= LONGEST_HEADER else b""
    try:
        header = json.loads(raw)
        described = [(str(name), np.dtype(kind), tuple(shape)) for name, kind, shape in header["arrays"]]
        found = (header["kind"], header["run"])
        values = dict(header["values"])
    except (ValueError, KeyError, TypeError):
        raise _damaged(path) from None
    digest = hashlib.sha256(prefix + raw)
    arrays = {}
    for name, dtype, shape in described:
        size = math.prod(shape) * dtype.itemsize
        if dtype.kind not in KINDS or size < 0:
            raise _damaged(path)
        if only is not None and name not in only:
            stream.seek(size, 1)
            continue
        array = np.empty(shape, dtype=dtype) if size <= _rest(stream) else None
        if array is None or stream.readinto(_octets(array)) != size:  # type: ignore[attr-defined]
            raise _damaged(path)
        if only is None:
            digest.update(_octets(array))
        arrays[name] = array
    if only is None and (stream.read(DIGEST) != digest.digest() or stream.read(1)):
        raise _damaged(path)
    if found != (kind, run):
        what = f"a {found[0]}, not a {kind}" if found[0] != kind else f"a {kind} of another run"
        raise DamagedRunError(f"{path} is {what}; {_REMEDY}")
    return Contents(values, arrays)


def _octets(array: NDArray[Any]) -> memoryview:
    """Return the memory of an array."""
    return array.reshape(-1).view(np.uint8).data


def _rest(stream: BinaryIO) -> int:
    """Return how many bytes are left: a damaged shape must not make us ask for all memory."""
    here = stream.tell()
    end = stream.seek(0, 2)
    stream.seek(here)
    return end - here


def _damaged(path: Path) -> DamagedRunError:
    return DamagedRunError(f"{path} is damaged (its checksum does not fit); {_REMEDY}")
