"""The rule of a column of left, right, both or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hiddencauses.data.encoding.checks import check_codes, check_disjoint
from hiddencauses.data.encoding.rules.shared import Cells, check_shared, freeze, knows, listing

__all__ = ["Sided"]


@dataclass(frozen=True, slots=True)
class Sided:
    """A column that says on which side a sign is: the variables `COLUMN_left` and `COLUMN_right`."""

    kind: ClassVar[str] = "sided"

    left: tuple[str, ...] = ("left", "l", "lt")
    right: tuple[str, ...] = ("right", "r", "rt")
    both: tuple[str, ...] = ("both", "b", "bilateral", "bilat", "l+r", "r+l")
    none: tuple[str, ...] = ("none", "no", "n", "neither", "absent", "0")
    name: str | None = None
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check and freeze the options."""
        check_shared(self, self.name, self.missing)
        for side in ("left", "right", "both", "none"):
            freeze(self, **{side: check_codes(side, getattr(self, side))})
        check_disjoint({s: getattr(self, s) for s in ("left", "right", "both", "none", "missing")})

    def variables(self, column: str) -> tuple[str, ...]:
        """Name the left and the right variable."""
        name = self.name or column
        return f"{name}_left", f"{name}_right"

    def cells(self, text: str) -> Cells | None:
        """Return the left and the right cell."""
        for codes, cells in (
            (self.left, (1, 0)),
            (self.right, (0, 1)),
            (self.both, (1, 1)),
            (self.none, (0, 0)),
        ):
            if knows(codes, text):
                return cells
        return None

    def expected(self) -> str:
        """Say the codes of each side."""
        sides = (("left", self.left), ("right", self.right), ("both", self.both), ("none", self.none))
        return "; ".join(f"{side} is {listing(codes)}" for side, codes in sides)
