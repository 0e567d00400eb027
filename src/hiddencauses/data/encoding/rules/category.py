"""The rule of a column of levels in no order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from hiddencauses.data.encoding.checks import check_codes, check_disjoint
from hiddencauses.data.encoding.rules.shared import Cells, check_shared, freeze, knows, listing
from hiddencauses.data.encoding.words import as_text, code_key
from hiddencauses.errors import UserError, shorten

__all__ = ["Category"]


@dataclass(frozen=True, slots=True)
class Category:
    """A column with levels in no order: the variable `COLUMN=LEVEL` for each level.

    A level named `reference` gets no variable: it is the one in which all others are 0. Codes under
    `none` mean that no level applies. With a `separator`, a cell may hold several levels.
    """

    kind: ClassVar[str] = "category"

    levels: tuple[str, ...]
    reference: str | None = None
    none: tuple[str, ...] = ()
    separator: str | None = None
    name: str | None = None
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check and freeze the options."""
        check_shared(self, self.name, self.missing)
        freeze(self, levels=check_codes("levels", self.levels, least=1), none=check_codes("none", self.none))
        if "" in self.levels:
            raise UserError('levels has the empty cell; list it as none = [""] or missing = [""] instead')
        check_disjoint({"levels": self.levels, "none": self.none, "missing": self.missing})
        if self.separator is not None:
            if not isinstance(self.separator, str) or not self.separator:
                raise UserError(f"separator is {shorten(self.separator)}; give a character, such as ';'")
            for level in self.levels:
                if self.separator in level:
                    raise UserError(f"levels has {shorten(level)}, which holds the separator; choose another")
        if self.reference is not None:
            freeze(self, reference=as_text(self.reference))
            if not knows(self.levels, self.reference):
                raise UserError(
                    f"reference is {shorten(self.reference)}; choose one of the levels {listing(self.levels)}"
                )
            if len(self.levels) < 2:
                raise UserError("reference is the only level, so no variable is left; add the other levels")

    def _variable_levels(self) -> tuple[str, ...]:
        if self.reference is None:
            return self.levels
        return tuple(level for level in self.levels if code_key(level) != code_key(self.reference))

    def variables(self, column: str) -> tuple[str, ...]:
        """Name one variable for each level but the reference."""
        return tuple(f"{self.name or column}={level}" for level in self._variable_levels())

    def cells(self, text: str) -> Cells | None:
        """Return 1 for each level that the cell holds."""
        if knows(self.levels, text):
            held = [text]
        elif knows(self.none, text):
            held = []
        elif self.separator is not None and text:
            held = list(self._split(text))
            if not held or not all(knows(self.levels, part) for part in held):
                return None
        else:
            return None
        return tuple(int(knows(held, level)) for level in self._variable_levels())

    def _split(self, text: str) -> Iterator[str]:
        assert self.separator is not None
        return (part.strip() for part in text.split(self.separator) if part.strip())

    def expected(self) -> str:
        """Say the levels."""
        several = "" if self.separator is None else f", several of them separated by {self.separator!r}"
        return f"levels are {listing(self.levels)}{several}"
