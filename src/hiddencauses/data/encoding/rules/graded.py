"""The rule of a column of levels in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hiddencauses.data.encoding.checks import check_codes, check_disjoint
from hiddencauses.data.encoding.rules.shared import Cells, check_shared, freeze, knows, listing
from hiddencauses.data.encoding.words import code_key
from hiddencauses.errors import UserError, shorten
from hiddencauses.validation import check_flag

__all__ = ["Graded"]


@dataclass(frozen=True, slots=True)
class Graded:
    """A column with levels in order, the first of which means none.

    One variable that is 1 at any level above the first; or, with `thresholds`, one variable for each
    threshold level, 1 at that level and above (`true`: at every level but the first). `reverse` turns
    each of these round: 1 below the threshold.
    """

    kind: ClassVar[str] = "graded"

    levels: tuple[str, ...]
    thresholds: bool | tuple[str, ...] = False
    reverse: bool = False
    name: str | None = None
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check and freeze the options."""
        check_shared(self, self.name, self.missing)
        freeze(self, levels=check_codes("levels", self.levels, least=2))
        if "" in self.levels[1:]:
            raise UserError(
                "levels has the empty cell after the first level; it can only be the first, or missing"
            )
        freeze(self, reverse=check_flag("reverse", self.reverse))
        check_disjoint({"levels": self.levels, "missing": self.missing})
        if not isinstance(self.thresholds, bool):
            chosen = check_codes("thresholds", self.thresholds, least=1)
            for level in chosen:
                if not knows(self.levels[1:], level):
                    raise UserError(
                        f"thresholds has {shorten(level)}; a threshold is one of the levels after the first: "
                        f"{listing(self.levels[1:])}"
                    )
            freeze(self, thresholds=tuple(v for v in self.levels if knows(chosen, v)))

    def _thresholds(self) -> tuple[str, ...]:
        if isinstance(self.thresholds, bool):
            return self.levels[1:] if self.thresholds else self.levels[1:2]
        return self.thresholds

    def variables(self, column: str) -> tuple[str, ...]:
        """Name one variable for each threshold."""
        name = self.name or column
        if self.thresholds is False:
            return (self.name or (f"not_{column}" if self.reverse else column),)
        sign = "<" if self.reverse else ">="
        return tuple(f"{name}{sign}{level}" for level in self._thresholds())

    def cells(self, text: str) -> Cells | None:
        """Return 1 for each threshold that the level reaches."""
        key = code_key(text)
        place = {code_key(level): i for i, level in enumerate(self.levels)}
        if key not in place:
            return None
        return tuple(int((place[key] >= place[code_key(t)]) != self.reverse) for t in self._thresholds())

    def expected(self) -> str:
        """Say the levels."""
        return f"levels are {listing(self.levels)}"
