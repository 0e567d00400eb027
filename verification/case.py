"""What a verification case is: a name, the tier it belongs to, and a run with a verdict and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """How cases are run.

    Attributes
    ----------
    fast
        Whether this is the fast tier: cases that come in two sizes take the small one.
    seed
        Seed of everything that is drawn.
    out
        Folder for pictures, or None when none are wanted.
    """

    fast: bool = False
    seed: int = 2006
    out: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What a case found.

    Attributes
    ----------
    passed
        The verdict.
    figures
        Numbers and words for the table, by name.
    detail
        One line that says more, for people.
    """

    passed: bool
    figures: dict[str, float | int | str] = field(default_factory=dict)
    detail: str = ""


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes
    ----------
    name
        What it is called in the table; `--only` picks by a part of it.
    fast
        Whether the fast tier has it too.
    run
        Runs it.
    """

    name: str
    fast: bool
    run: Callable[[Settings], Outcome]
