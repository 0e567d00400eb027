"""What the rules share: their interface, and how codes are compared and shown.

A rule is a frozen value. Lists of codes are compared without regard to case and to blanks around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from hiddencauses.data.encoding.checks import check_codes
from hiddencauses.data.encoding.words import code_key
from hiddencauses.validation import check_text

__all__ = ["Cells", "VariableRule", "check_shared", "freeze", "knows", "listing"]

#: Cells of one raw value: one 0 or 1 for each variable that the rule makes.
Cells = tuple[int, ...]


class VariableRule(Protocol):
    """What every rule that makes variables can do."""

    kind: ClassVar[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """Codes that mean missing in this column, beside those for all columns."""
        ...

    def variables(self, column: str) -> tuple[str, ...]:
        """Name the variables that this column gives."""
        ...

    def cells(self, text: str) -> Cells | None:
        """Return the cells of one value, or None for a value that the rule does not know."""
        ...

    def expected(self) -> str:
        """Say which values the rule knows, for a message."""
        ...


def freeze(rule: object, **values: object) -> None:
    """Set checked values on a frozen dataclass while it is being made."""
    for name, value in values.items():
        object.__setattr__(rule, name, value)


def check_shared(rule: object, name: str | None, missing: Sequence[str]) -> None:
    """Check and set the two options that every rule has."""
    freeze(
        rule, name=None if name is None else check_text("name", name), missing=check_codes("missing", missing)
    )


def knows(codes: Sequence[str], text: str) -> bool:
    """Tell whether the text is one of the codes."""
    key = code_key(text)
    return any(code_key(code) == key for code in codes)


def listing(codes: Sequence[str], limit: int = 8) -> str:
    """Show codes in quotes, the first few of many."""
    shown = [repr(code) for code in codes[:limit]]
    return ", ".join([*shown, "…"] if len(codes) > limit else shown)
