"""gzip for whole files that are not text tables."""

from __future__ import annotations

import gzip
from typing import BinaryIO

from hiddencauses.data.readers.guard import reading

__all__ = ["unzipped"]


def unzipped(stream: BinaryIO, name: str) -> bytes:
    """Return the decompressed contents of a gzip file."""
    with reading(name, "a gzip file"), gzip.GzipFile(fileobj=stream) as compressed:
        return compressed.read()
