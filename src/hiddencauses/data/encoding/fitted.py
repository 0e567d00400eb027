"""An encoding that has met its data: with the variables that were kept and those that were not.

It is saved beside the encoded table and gives new data the same variables in the same order.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hiddencauses.data.encoding.encoding import Encoding
from hiddencauses.errors import UserError, shorten
from hiddencauses.validation import check_at_least, check_known_keys

__all__ = ["FITTED_SCHEMA", "FittedEncoding"]

FITTED_SCHEMA = "hiddencauses/fitted-encoding/1"
_KEYS = ("schema", "made_from", "rows", "kept", "dropped", "encoding")


@dataclass(frozen=True, slots=True)
class FittedEncoding:
    """An encoding with the variables that were kept when it was first applied.

    Attributes
    ----------
    encoding
        The encoding, with a rule for every raw column that was there.
    kept
        The variables of the encoded table, in order.
    dropped
        The variables that no row expressed.
    made_from
        The raw table's name.
    rows
        How many rows the raw table had.
    """

    encoding: Encoding
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    made_from: str
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "schema": FITTED_SCHEMA,
            "made_from": self.made_from,
            "rows": self.rows,
            "kept": list(self.kept),
            "dropped": list(self.dropped),
            "encoding": self.encoding.to_dict(in_full=True),
        }

    def to_json(self) -> str:
        """Write JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, source: str = "encoding") -> FittedEncoding:
        """Read what `to_json` wrote."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise UserError(
                f"{source}: is not JSON: {error}; use the .encoding.json file as it was saved"
            ) from None
        if not isinstance(data, dict) or data.get("schema") != FITTED_SCHEMA:
            raise UserError(
                f"{source}: is not a saved encoding (schema '{FITTED_SCHEMA}'); "
                "use the .encoding.json file beside an encoded table, or a TOML encoding"
            )
        check_known_keys(source, data, _KEYS)
        for key in _KEYS:
            if key not in data:
                raise UserError(f"{source}: {key} is missing; use the .encoding.json file as it was saved")
        encoding = Encoding.from_dict(data["encoding"] if isinstance(data["encoding"], dict) else {}, source)
        kept, dropped = (_names(data[key], key, source) for key in ("kept", "dropped"))
        if not kept or sorted([*kept, *dropped]) != sorted(encoding.variables()):
            raise UserError(
                f"{source}: kept and dropped are not the variables of its encoding; "
                "use the file as it was saved, or encode again from the TOML"
            )
        return cls(encoding, kept, dropped, str(data["made_from"]), check_at_least("rows", data["rows"], 1))


def _names(value: object, key: str, source: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise UserError(f"{source}: {key} is {shorten(value)}; it must be a list of names")
    return tuple(value)
