"""Ways to damage a file."""

from __future__ import annotations

import gzip
import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from random import Random

__all__ = ["damaged"]

_NUMBERS = (0, 1, 2, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1)
_SCRAPS = (
    b",", b'"', b'""', b"\n", b"\r", b"\r\n", b"\n\n", b";", b"\t", b"\0", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\xe9", b"NA", b"nan", b"-1", b"1e309", b"99999999999999999999", b"0", b"1", b" ", b"=1+1",
    b"\xf0\x9f\x98\x80",
)  # fmt: skip


def damaged(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Damage a file; a compressed one sometimes inside, so that the damage gets past its checksum."""
    if data[:2] == b"\x1f\x8b" and random.random() < 0.5:
        return _inside_gzip(data, random, others)
    if data[:2] == b"PK" and random.random() < 0.6:
        return _inside_zip(data, random, others)
    if random.random() < 0.02:
        return gzip.compress(data, mtime=0)
    for _ in range(random.choice((1, 1, 1, 2, 3, 5, 8))):
        data = _once(data, random, others)
    return data


def _once(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    way = random.randrange(10)
    if way == 0:  # cut short
        return data[:at]
    if way == 1:  # take a piece out
        return data[:at] + data[at + _length(random) :]
    if way == 2:  # repeat a piece
        return data[:at] + data[at : at + _length(random)] * random.choice((2, 3, 50)) + data[at:]
    if way == 3:  # put random bytes in
        return data[:at] + random.randbytes(_length(random)) + data[at:]
    if way == 4:  # put a telling scrap in
        return data[:at] + random.choice(_SCRAPS) + data[at:]
    if way == 5:  # go on as another file
        other = random.choice(others)
        return data[:at] + other[random.randrange(len(other)) :]
    if way == 6:  # a number at its limits
        size, code = random.choice(((1, "B"), (2, "<H"), (4, "<I"), (8, "<Q"), (4, ">I"), (8, ">Q")))
        number = struct.pack(code, random.choice(_NUMBERS) % 2 ** (8 * size))
        return data[:at] + number + data[at + size :]
    if way == 7:  # overwrite with a scrap
        scrap = random.choice(_SCRAPS)
        return data[:at] + scrap + data[at + len(scrap) :]
    changed = bytearray(data)  # flip bits
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _length(random: Random) -> int:
    return random.choice((1, 1, 2, 4, 7, 16, 64, 300))


def _inside_gzip(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    try:
        inner = gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return data
    return gzip.compress(_once(inner, random, others), mtime=0)


def _inside_zip(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    hit = random.randrange(len(members))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, (name, content) in enumerate(members):
            if i == hit:
                for _ in range(random.choice((1, 1, 2, 3))):
                    content = _once(content, random, others)
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            archive.writestr(info, content, compress_type=zipfile.ZIP_DEFLATED)
    return made.getvalue()
