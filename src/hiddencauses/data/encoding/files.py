"""Read an encoding from a file: the TOML that a user writes, or the JSON that an encoded table leaves."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hiddencauses.data.encoding.encoding import Encoding
from hiddencauses.data.encoding.fitted import FittedEncoding
from hiddencauses.errors import UserError

__all__ = ["parse_encoding", "read_encoding"]


def read_encoding(path: str | Path) -> Encoding | FittedEncoding:
    """Read an encoding file.

    Parameters
    ----------
    path
        A TOML file, as `draft_encoding` writes one, or the `.encoding.json` beside an encoded table,
        which holds the columns that were kept as well.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise UserError(
            f"{path}: there is no such file; draft one with: hiddencauses inspect RAW --draft {path.name}"
        ) from None
    except IsADirectoryError:
        raise UserError(f"{path}: is a folder; name the encoding file itself") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text; save the encoding file as UTF-8") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}; check its permissions") from None
    if path.suffix == ".json":
        return FittedEncoding.from_json(text, path.name)
    return parse_encoding(text, path.name)


def parse_encoding(text: str, source: str = "encoding") -> Encoding:
    """Read the text of an encoding file (TOML)."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        if "twice" in said or "overwrite" in said.lower():
            raise UserError(
                f"{source}: a section or key stands there twice: {said}; keep one of them"
            ) from None
        raise UserError(f"{source}: is not TOML: {said}; correct that line") from None
    return Encoding.from_dict(data, source)
