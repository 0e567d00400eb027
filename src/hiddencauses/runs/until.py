"""When a run that is to go on until it is good enough looks at itself, and whether it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hiddencauses.runs.convergence import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["FIRST_LOOK", "is_reached", "looks"]

#: The first look is after so many draws of each chain, and others are at multiples of `STEP`, each about a
#: fifth later than the last: dense enough not to draw much in vain, and rare enough to cost little.
FIRST_LOOK, STEP, GROWTH = 100, 50, 1.2


def looks(ceiling: int) -> Iterator[int]:
    """Go through the numbers of draws at which to look, whatever the clock says; the last is the ceiling."""
    draws = FIRST_LOOK
    while draws < ceiling:
        yield draws
        draws = STEP * math.ceil(draws * GROWTH / STEP)
    yield ceiling


def is_reached(until: dict[str, float], quantities: Sequence[Quantity]) -> bool:
    """Tell whether every quantity has the R-hat and the effective draws that are asked for.

    An R-hat that is not known (NaN) is never low enough, where one is asked for.
    """
    return all(
        ("rhat" not in until or quantity.rhat <= until["rhat"])
        and min(quantity.ess_bulk, quantity.ess_tail) >= until.get("ess", 0.0)
        for quantity in quantities
    )
