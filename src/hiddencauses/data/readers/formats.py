"""The formats that can be read, and how a file's name tells its format."""

from __future__ import annotations

from pathlib import PurePath

from hiddencauses.errors import InputError
from hiddencauses.validation import check_choice

__all__ = ["ENDINGS", "FORMATS", "format_of"]

#: File ending → format. Text formats may be followed by `.gz`.
ENDINGS = {
    ".csv": "text",
    ".tsv": "text",
    ".txt": "text",
    ".tab": "text",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "arrow",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".npy": "npy",
    ".npz": "npz",
    ".mtx": "mtx",
    ".xlsx": "xlsx",
    ".dta": "stata",
    ".sav": "spss",
}
FORMATS = tuple(dict.fromkeys(ENDINGS.values()))
_CAN_BE_GZIPPED = ("text", "mtx")


def format_of(path: str, wanted: str | None) -> tuple[str, bool]:
    """Return a file's format, and whether its name says that it is gzip-compressed."""
    endings = [ending.lower() for ending in PurePath(path).suffixes]
    gzipped = bool(endings) and endings[-1] == ".gz"
    if wanted is not None:
        return check_choice("format", wanted, FORMATS), gzipped
    ending = "".join(endings[-2:-1] if gzipped else endings[-1:])
    kind = ENDINGS.get(ending)
    if kind is None or (gzipped and kind not in _CAN_BE_GZIPPED):
        known = ", ".join(ENDINGS)
        shown = ending + ".gz" if gzipped else ending
        raise InputError(
            f"has the unknown ending {shown!r}" if shown else "has no ending that tells its format",
            source=path,
            rule=f"known endings are {known}, and .csv.gz, .tsv.gz, .txt.gz, .mtx.gz",
            fix="rename the file, or say its format",
        )
    return kind, gzipped
