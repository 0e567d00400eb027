"""A guess at what a column is, with the reasons that the draft shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hiddencauses.data.encoding.toml_text import toml_lines

__all__ = ["Guess", "section", "undecided"]


@dataclass(frozen=True, slots=True)
class Guess:
    """What a column seems to be.

    Attributes
    ----------
    options
        Its section in the encoding: `kind` and the options that differ from their defaults.
    reasons
        Comment lines that say why, and what else it could be.
    """

    options: dict[str, Any]
    reasons: tuple[str, ...]

    @property
    def is_undecided(self) -> bool:
        """Whether only the user can know."""
        return bool(self.options["kind"] == "undecided")


def section(**options: Any) -> str:
    """Write options on one line, as a suggestion inside a comment."""
    return "  ".join(toml_lines(options))


def undecided(question: str, choices: Iterable[tuple[str, str]]) -> Guess:
    """Leave the column to the user: a question, and for each answer the lines to write."""
    lines = [f"DECIDE: {question}", "Replace the kind below by one of:"]
    lines += [f"  {answer}:  {options}" for answer, options in choices]
    return Guess({"kind": "undecided"}, tuple(lines))
