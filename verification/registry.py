"""All cases, suite after suite."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from verification.case import Case

__all__ = ["all_cases", "chosen_cases"]

#: Modules that have `cases()`, in the order in which they run.
SUITES = (
    "exact",
    "transition",
    "summed_balance",
    "summed_paths",
    "twin.agreement",
    "geweke",
    "single_kernels",
    "sbc",
    "negative_controls",
)


def all_cases() -> list[Case]:
    """Return the cases of all suites."""
    found: list[Case] = []
    for suite in SUITES:
        name = f"verification.{suite}"
        if find_spec(name) is not None:
            found.extend(getattr(import_module(name), "cases", list)())
    return found


def chosen_cases(*, fast: bool, only: str | None) -> list[Case]:
    """Return the cases of a tier whose names contain a text."""
    return [case for case in all_cases() if (case.fast or not fast) and (only is None or only in case.name)]
