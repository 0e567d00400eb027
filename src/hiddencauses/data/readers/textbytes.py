"""The bytes of a text file as they stream past: decompressed, and checked to be UTF-8 text."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from functools import partial
from typing import BinaryIO, Protocol, cast

from hiddencauses.data.readers.signatures import refuse_other_kind
from hiddencauses.errors import InputError

__all__ = ["TextBytes", "gzip_contents"]

UTF8_MARK = codecs.BOM_UTF8
GZIP_MAGIC = b"\x1f\x8b"
CHUNK = 1 << 18
_LINE_END = re.compile(rb"\r\n|\n|\r")
#: Enough bytes to hold the last two line ends of a file.
_TAIL = 4


class TextBytes:
    """A readable file object for `pyarrow.PythonFile`; what is wrong with the bytes is kept in `failure`.

    Parameters
    ----------
    raw
        The bytes as stored, plain or compressed with gzip, at their beginning.
    name
        What to call the source in messages.
    must_be_gzip
        Whether the name says that the bytes are compressed.
    any_text
        Whether the text may be of another kind than a table of cells.
    """

    closed = False

    def __init__(
        self, raw: BinaryIO, name: str, *, must_be_gzip: bool = False, any_text: bool = False
    ) -> None:
        self._name = name
        self._raw = raw
        self._returned = b""
        self._lines = 0
        self._decode = codecs.getincrementaldecoder("utf-8")()
        self._held: bytes | None = None
        self.failure: InputError | None = None
        head = self._guarded(raw, 2)
        compressed = head == GZIP_MAGIC
        if must_be_gzip and not compressed:
            self._fail(
                "is not gzip-compressed although its name ends in .gz",
                rule="a .gz file holds gzip data",
                fix="decompress it again from its origin, or take .gz off the name",
            )
        rejoined = _Rejoined(head, raw)
        self._stream: _Readable = (
            gzip.GzipFile(fileobj=cast("BinaryIO", rejoined)) if compressed else rejoined
        )
        first = self._guarded(self._stream, CHUNK)
        if not any_text:
            refuse_other_kind(first, name)
        self._returned = self._checked(first.removeprefix(UTF8_MARK))

    # -- what pyarrow calls ------------------------------------------------------------------------

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes; fewer only at the end."""
        if self._held is None:
            return self._fill(size)
        chunk = self._held + self._fill(size)
        if len(chunk) == len(self._held):  # the end
            self._held = b""
            return _without_final_blank_line(chunk)
        self._held = chunk[-_TAIL:]
        return chunk[:-_TAIL] or self.read(size)

    def readable(self) -> bool:
        """Say that this can be read from."""
        return True

    def close(self) -> None:
        """Close the file beneath."""
        self.closed = True
        self._raw.close()

    # -- what the header reader calls --------------------------------------------------------------

    def unread(self, data: bytes) -> None:
        """Put bytes back in front."""
        self._returned = data + self._returned

    def ignore_final_blank_line(self) -> None:
        """Leave out one blank line at the very end (to a one-column table a blank line is a missing cell)."""
        self._held = b""

    # -- reading and checking ----------------------------------------------------------------------

    def _fill(self, size: int) -> bytes:
        parts, missing = [], size if size >= 0 else CHUNK
        while missing > 0:
            if self._returned:
                part, self._returned = self._returned[:missing], self._returned[missing:]
            else:
                part = self._checked(self._guarded(self._stream, missing))
                if not part:
                    break
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _guarded(self, stream: _Readable, size: int) -> bytes:
        try:
            return stream.read(size)
        except EOFError:
            self._fail(
                "the compressed data end early",
                rule="a .gz file must be complete",
                fix="copy or download the file again",
            )
        except (gzip.BadGzipFile, zlib.error) as error:
            self._fail(
                f"the compressed data are damaged ({error})",
                rule="a .gz file must be whole",
                fix="copy or download the file again",
            )
        except OSError as error:
            self._fail(f"cannot be read ({error.strerror or error})", fix="check the file and its disk")
        raise AssertionError("unreachable")

    def _checked(self, chunk: bytes) -> bytes:
        """Pass text through; refuse zero bytes and anything that is not UTF-8."""
        if b"\0" in chunk:
            line = self._lines + chunk[: chunk.index(b"\0")].count(b"\n") + 1
            self._fail(
                f"line {line} holds a zero byte, so this is not plain text",
                rule="text tables are UTF-8",
                fix="check that this is the right file, or save it again as CSV in UTF-8",
            )
        try:
            self._decode.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            line = self._lines + error.object[: error.start].count(b"\n") + 1
            self._fail(
                f"line {line} holds the byte 0x{error.object[error.start]:02X}, which is not UTF-8 "
                "(the file is probably Latin-1 or Windows-1252)",
                rule="text tables are UTF-8",
                fix="save it as UTF-8, or run `iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW`",
            )
        self._lines += chunk.count(b"\n")
        return chunk

    def _fail(self, what: str, *, rule: str | None = None, fix: str | None = None) -> None:
        self.failure = InputError(what, source=self._name, rule=rule, fix=fix)
        raise self.failure from None


def gzip_contents(raw: BinaryIO, name: str) -> bytes:
    """Return all that a gzip-compressed text holds."""
    return b"".join(iter(partial(TextBytes(raw, name, must_be_gzip=True, any_text=True).read, CHUNK), b""))


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Rejoined:
    """A stream with its first bytes put back, for `gzip` and for sources that cannot seek."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes."""
        part, self._head = self._head[:size], self._head[size:]
        return part + self._rest.read(size - len(part)) if len(part) < size else part


def _without_final_blank_line(tail: bytes) -> bytes:
    """Drop the last line end if nothing but another line end, or nothing at all, comes before it."""
    text = tail.rstrip(b"\r\n")
    ends = _LINE_END.findall(tail[len(text) :])
    if len(ends) >= 2 or (ends and not text and len(tail) < _TAIL):
        return tail[: -len(ends[-1])]
    return tail
