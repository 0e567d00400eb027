"""The rule of a column of numbers cut at thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hiddencauses.data.encoding.rules.shared import Cells, check_shared, freeze
from hiddencauses.data.encoding.words import number_text, read_number
from hiddencauses.validation import check_flag, check_rising_numbers

__all__ = ["Numeric"]


@dataclass(frozen=True, slots=True)
class Numeric:
    """A column of numbers: the variable `COLUMN>=T` for each threshold T.

    `reverse` turns them round: `COLUMN<T`.
    """

    kind: ClassVar[str] = "numeric"

    thresholds: tuple[float, ...]
    reverse: bool = False
    name: str | None = None
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check and freeze the options."""
        check_shared(self, self.name, self.missing)
        freeze(self, thresholds=check_rising_numbers("thresholds", self.thresholds))
        freeze(self, reverse=check_flag("reverse", self.reverse))

    def variables(self, column: str) -> tuple[str, ...]:
        """Name one variable for each threshold."""
        sign = "<" if self.reverse else ">="
        return tuple(f"{self.name or column}{sign}{number_text(t)}" for t in self.thresholds)

    def cells(self, text: str) -> Cells | None:
        """Return 1 for each threshold that the number reaches."""
        number = read_number(text)
        if number is None:
            return None
        return tuple(int((number >= t) != self.reverse) for t in self.thresholds)

    def expected(self) -> str:
        """Say that numbers are wanted."""
        return "a numeric column holds numbers with a decimal point, such as 140 or 5.2"
