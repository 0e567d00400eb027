"""What a check of the harness is, and what it gives back. Every suite exposes `cases() -> list[Case]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["LEVEL", "Case", "Outcome", "Settings"]

#: The chance that a suite fails though nothing is wrong. Suites of several cases share it out.
LEVEL = 1e-4


@dataclass(frozen=True, slots=True)
class Settings:
    """How a case is to be run.

    Attributes
    ----------
    fast
        Fewer draws, so that all cases of the fast tier together take about two minutes.
    seed
        Every random number of the case follows from it.
    out
        Folder for plots and the like; None when nothing is to be written.
    """

    fast: bool = False
    seed: int = 1
    out: Path | None = None

    def seed_of(self, number: int) -> int:
        """Return a seed of its own for one of the cases of a suite, so that their results are independent."""
        return self.seed * 1000 + number


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a case found.

    Attributes
    ----------
    passed
        Whether all is as it should be. A negative control passes when it has *rejected*.
    figures
        The numbers behind that, by name, few enough for one line of a table.
    detail
        What a reader needs when it failed, such as which statistic is off; may be empty.
    rows
        Finer results for the record, one mapping of plain values per line.
    """

    passed: bool
    figures: Mapping[str, float | str]
    detail: str = ""
    rows: tuple[Mapping[str, float | str], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Case:
    """One check.

    Attributes
    ----------
    name
        Suite and case, such as "geweke/gibbs".
    fast
        Whether it belongs to the fast tier (the full tier runs all cases).
    run
        Runs it.
    """

    name: str
    fast: bool
    run: Callable[[Settings], Outcome]
