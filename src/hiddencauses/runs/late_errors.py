"""A file that tells of a failed write only at the end.

The HDF5 library does not survive a write that fails: on a full disk it may crash the process while it closes
the file. So it is given a file whose writes always succeed. What the disk refuses is kept in memory, where
the library can read it back, and the error is raised when the library is done. The writer asks `check`
between its own steps, so that there is little left to keep.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import BinaryIO

__all__ = ["LateErrors"]


class LateErrors(io.RawIOBase):
    """A stream around another one that holds errors of writing back.

    Parameters
    ----------
    stream
        The file; open for reading and writing.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._at, self._end = stream, 0, 0
        self._refused: list[tuple[int, bytes]] = []
        self._error: OSError | None = None

    def check(self) -> None:
        """Raise the first error of writing, if there was one."""
        if self._error is not None:
            raise self._error

    def readable(self) -> bool:
        """Say yes."""
        return True

    def writable(self) -> bool:
        """Say yes."""
        return True

    def seekable(self) -> bool:
        """Say yes."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._end}[whence]
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """Say where this is."""
        return self._at

    def truncate(self, size: int | None = None) -> int:
        """Set the length."""
        self._end = self._at if size is None else size
        self._try(lambda: self._stream.truncate(self._end))
        return self._end

    def flush(self) -> None:
        """Do nothing yet: who opened the stream brings it to the disk."""

    def write(self, data: object) -> int:
        """Write, or remember what should have been."""
        octets = bytes(data)  # type: ignore[call-overload]
        if self._error is None:
            self._try(lambda: self._write_through(octets))
        if self._error is not None:
            self._refused.append((self._at, octets))
        self._at += len(octets)
        self._end = max(self._end, self._at)
        return len(octets)

    def _write_through(self, octets: bytes) -> None:
        self._stream.seek(self._at)
        self._stream.write(octets)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            self._error = self._error or error

    def readinto(self, buffer: object) -> int:
        """Read what was written, also what the disk refused; zeros where nothing was."""
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        size = max(0, min(len(view), self._end - self._at))
        self._stream.seek(self._at)
        found = self._stream.read(size)
        view[:size] = found + bytes(size - len(found))
        for start, octets in self._refused:
            first, last = max(start, self._at), min(start + len(octets), self._at + size)
            if first < last:
                view[first - self._at : last - self._at] = octets[first - start : last - start]
        self._at += size
        return size
