"""The rule of a column of yes or no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hiddencauses.data.encoding.checks import check_codes, check_disjoint
from hiddencauses.data.encoding.rules.shared import Cells, check_shared, freeze, knows, listing
from hiddencauses.validation import check_flag

__all__ = ["Binary"]


@dataclass(frozen=True, slots=True)
class Binary:
    """A column that says yes or no: one variable, 1 for yes.

    `reverse` makes 1 of no; the variable is then named `not_COLUMN` unless `name` says otherwise.
    """

    kind: ClassVar[str] = "binary"

    yes: tuple[str, ...] = ("1", "true", "t", "yes", "y", "present")
    no: tuple[str, ...] = ("0", "false", "f", "no", "n", "absent")
    reverse: bool = False
    name: str | None = None
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check and freeze the options."""
        check_shared(self, self.name, self.missing)
        freeze(self, yes=check_codes("yes", self.yes, least=1), no=check_codes("no", self.no))
        freeze(self, reverse=check_flag("reverse", self.reverse))
        check_disjoint({"yes": self.yes, "no": self.no, "missing": self.missing})

    def variables(self, column: str) -> tuple[str, ...]:
        """Name the one variable."""
        return (self.name or (f"not_{column}" if self.reverse else column),)

    def cells(self, text: str) -> Cells | None:
        """Return 1 for yes and 0 for no, or the reverse."""
        if knows(self.yes, text):
            return (int(not self.reverse),)
        return (int(self.reverse),) if knows(self.no, text) else None

    def expected(self) -> str:
        """Say the codes for yes and no."""
        return f"yes is {listing(self.yes)} and no is {listing(self.no)}"
