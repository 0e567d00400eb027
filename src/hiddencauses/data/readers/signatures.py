"""Files that say in their first bytes what they are: told apart before they are read as text."""

from __future__ import annotations

import codecs

from hiddencauses.errors import InputError

__all__ = ["refuse_other_kind"]

_TEXT_MAGIC = b"%%MatrixMarket matrix "
_MAGIC = (
    (b"PAR1", "a Parquet file", "give it the ending .parquet"),
    (b"ARROW1", "an Arrow (Feather) file", "give it the ending .feather"),
    (b"\x93NUMPY", "a NumPy array file", "give it the ending .npy"),
    (b"PK\x03\x04", "a zip, Excel or npz file", "give it the ending .xlsx or .npz, or unpack it first"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls)", "save it as .xlsx or as CSV"),
    (_TEXT_MAGIC, "a Matrix Market file", "give it the ending .mtx"),
    (b"$FL2", "an SPSS file", "give it the ending .sav"),
    (b"\x1f\x8b", "compressed twice with gzip", "decompress it once"),
    (b"BZh", "compressed with bzip2", "decompress it first (bunzip2)"),
    (b"\xfd7zXZ\0", "compressed with xz", "decompress it first (unxz)"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "decompress it first (unzstd)"),
    (b"SQLite format 3\0", "an SQLite database", "export the table as CSV"),
)


def refuse_other_kind(head: bytes, name: str) -> None:
    """Refuse bytes that open like UTF-16 or UTF-32 text or like a known kind of file."""
    encoding = _wide_encoding(head)
    if encoding is not None:
        raise InputError(
            f"is {encoding} text",
            source=name,
            rule="text tables are UTF-8",
            fix=f"save it as UTF-8 (in Excel: 'CSV UTF-8'), or run `iconv -f {encoding} -t UTF-8 OLD > NEW`",
        )
    binary = not _is_plain(head)  # a column may well be called PAR1
    for magic, kind, fix in _MAGIC:
        if head.startswith(magic) and (binary or magic == _TEXT_MAGIC):
            raise InputError(f"looks like {kind}", source=name, rule="it is read as a text table", fix=fix)


def _is_plain(head: bytes) -> bool:
    if b"\0" in head:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _wide_encoding(head: bytes) -> str | None:
    """Name UTF-16 and UTF-32, with a byte-order mark or by the zero bytes between plain letters."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    sample = head[:64]
    if len(sample) >= 4 and b"\0" in sample:
        even, odd = sample[0::2], sample[1::2]
        if not any(odd) and all(even):
            return "UTF-16LE"
        if not any(even) and all(odd):
            return "UTF-16BE"
    return None
