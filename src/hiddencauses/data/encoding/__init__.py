"""Encoding: raw columns (grades, sides, categories, measurements) made into yes/no variables.

`draft_encoding` proposes, the user decides in a small TOML file, `apply_encoding` does it and remembers
it for new data.
"""

from __future__ import annotations

from hiddencauses.data.encoding.apply import Encoded, EncodingReport, apply_encoding
from hiddencauses.data.encoding.drafting import draft_encoding
from hiddencauses.data.encoding.encoding import Encoding
from hiddencauses.data.encoding.files import parse_encoding, read_encoding
from hiddencauses.data.encoding.fitted import FittedEncoding
from hiddencauses.data.encoding.rules import (
    Binary,
    Carry,
    Category,
    Count,
    Drop,
    Graded,
    Id,
    Numeric,
    Sided,
    Undecided,
)

__all__ = [
    "Binary",
    "Carry",
    "Category",
    "Count",
    "Drop",
    "Encoded",
    "Encoding",
    "EncodingReport",
    "FittedEncoding",
    "Graded",
    "Id",
    "Numeric",
    "Sided",
    "Undecided",
    "apply_encoding",
    "draft_encoding",
    "parse_encoding",
    "read_encoding",
]
