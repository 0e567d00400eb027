"""What all pictures share: colours, sizes, names as they are written."""

from __future__ import annotations

__all__ = ["AS_EXPECTED", "EXPECTED", "NOT_AS_EXPECTED", "PAGE_WIDTH", "SMALL", "plain"]

#: Okabe and Ito's blue and vermilion, told apart by colour-blind people too; shapes differ as well.
AS_EXPECTED, NOT_AS_EXPECTED = "#0072B2", "#D55E00"
#: Grey of what is expected.
EXPECTED = "0.75"
#: Inches, and points.
PAGE_WIDTH, SMALL = 7.5, 7
#: Letters of a name that are shown.
LONGEST_NAME = 28


def plain(name: str) -> str:
    """Return a name short enough for an axis, and such that no sign in it is taken for a formula."""
    shown = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return " ".join(shown.split()).replace("$", r"\$")
