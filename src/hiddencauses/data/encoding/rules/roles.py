"""What a column is when it makes no variables: carried along, the rows' name, their count, left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hiddencauses.data.encoding.checks import check_codes
from hiddencauses.data.encoding.rules.shared import freeze
from hiddencauses.validation import check_text

__all__ = ["Carry", "Count", "Drop", "Id", "Role", "Undecided"]


@dataclass(frozen=True, slots=True)
class Carry:
    """A column kept with the rows but not modelled, such as age or site."""

    kind: ClassVar[str] = "carry"

    name: str | None = None
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check and freeze the options."""
        if self.name is not None:
            check_text("name", self.name)
        freeze(self, missing=check_codes("missing", self.missing))


@dataclass(frozen=True, slots=True)
class Id:
    """The column that names the rows."""

    kind: ClassVar[str] = "id"


@dataclass(frozen=True, slots=True)
class Count:
    """The column that says how often a row is repeated."""

    kind: ClassVar[str] = "count"


@dataclass(frozen=True, slots=True)
class Drop:
    """A column that is left out."""

    kind: ClassVar[str] = "drop"


@dataclass(frozen=True, slots=True)
class Undecided:
    """A column whose meaning only the user knows; nothing is encoded until it is decided."""

    kind: ClassVar[str] = "undecided"


Role = Carry | Id | Count | Drop | Undecided
