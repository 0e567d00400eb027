"""The header of a text table: where it ends, what separates its cells, and their names."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from hiddencauses.errors import InputError

if TYPE_CHECKING:
    from hiddencauses.data.readers.textbytes import TextBytes

__all__ = ["DELIMITERS", "read_header"]

#: Tried in this order when the delimiter is not given.
DELIMITERS = (",", "\t", ";", "|")
#: A first line longer than this is not a header.
HEADER_LIMIT = 64 << 20
_SAMPLE_BYTES = 1 << 16
_SAMPLE_RECORDS = 20
_STOP = re.compile(rb'["\r\n]')


def read_header(text: TextBytes, name: str, delimiter: str | None) -> tuple[list[str], str]:
    """Take the header off the front of a text table; return its cells and the delimiter."""
    marks = delimiter.encode() if delimiter else "".join(DELIMITERS).encode()
    header, rest = _first_record(text, name, marks)
    if delimiter is None:
        delimiter = _guess_delimiter(header, rest[:_SAMPLE_BYTES], marks)
    text.unread(rest)
    return _cells(header, delimiter, name), delimiter


def _first_record(text: TextBytes, name: str, marks: bytes) -> tuple[bytes, bytes]:
    """Read on until the first line that is not blank is complete; return it and what was read beyond."""
    data, wanted = b"", _SAMPLE_BYTES
    while True:
        more = text.read(wanted)
        data = (data + more).lstrip(b"\r\n")
        ended = len(more) < wanted
        end = _record_end(data, marks)
        if end is not None and (end + 1 < len(data) or ended):
            following = end + (2 if data[end : end + 2] == b"\r\n" else 1)
            return data[:end], data[following:]
        if ended:
            break
        if len(data) > HEADER_LIMIT:
            raise InputError(
                f"the first line is longer than {HEADER_LIMIT >> 20} MB",
                source=name,
                rule="the first line holds the columns' names",
                fix="check that this is a text table",
            )
        wanted = len(data) or _SAMPLE_BYTES  # double, so that a long header is not scanned over and over
    if not data.strip():
        raise InputError(
            "is empty",
            source=name,
            rule="a table has a header and at least one row",
            fix="check that this is the right file and that it is complete",
        )
    return data, b""


def _record_end(data: bytes, marks: bytes) -> int | None:
    """Find the first line end that is not inside quotes."""
    position = 0
    while (found := _STOP.search(data, position)) is not None:
        at = found.start()
        if data[at : at + 1] != b'"':
            return at
        position = at + 1
        if at == 0 or data[at - 1] in marks:  # a quote elsewhere is a character like any other
            position = _after_quotes(data, at + 1)
            if position < 0:
                return None
    return None


def _after_quotes(data: bytes, position: int) -> int:
    """Return the place behind the closing quote, or −1; a doubled quote stands for one."""
    while True:
        at = data.find(b'"', position)
        if at < 0:
            return -1
        if data[at + 1 : at + 2] != b'"':
            return at + 1
        position = at + 2


def _guess_delimiter(header: bytes, sample: bytes, marks: bytes) -> str:
    """Choose the delimiter under which most of the first rows are as long as the header, then the longest."""
    records: list[bytes] = []
    while len(records) < _SAMPLE_RECORDS and (end := _record_end(sample, marks)) is not None:
        if end:
            records.append(sample[:end])
        sample = sample[end + 1 :]
    best, best_score = DELIMITERS[0], (0, 0)
    for delimiter in DELIMITERS:
        width = _width(header, delimiter)
        widths = [_width(record, delimiter) for record in records]
        if width < 2 or (records and max(widths) < 2):  # a name may hold a mark that separates nothing
            continue
        score = (1 + widths.count(width), width)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _width(record: bytes, delimiter: str) -> int:
    try:
        return len(_split(record, delimiter))
    except csv.Error:
        return 0


def _cells(header: bytes, delimiter: str, name: str) -> list[str]:
    try:
        return _split(header, delimiter)
    except csv.Error as error:
        raise InputError(
            f"the header cannot be split into names ({error})",
            source=name,
            rule="the first line holds the columns' names",
            fix="check its quotes",
        ) from None


def _split(record: bytes, delimiter: str) -> list[str]:
    text = record.decode("utf-8", errors="replace")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    return [cell for row in rows for cell in row] or [""]
