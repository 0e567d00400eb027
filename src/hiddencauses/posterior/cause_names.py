"""Names for causes, from the variables that they drive most strongly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["name_causes"]

#: A name holds so many variables at most, each at least this share as strong as the strongest.
MOST, SHARE = 3, 0.4


def name_causes(columns: Sequence[str], weight: NDArray[np.float64]) -> tuple[str, ...]:
    """Name causes by their strongest variables, strongest first; no name is given twice.

    Parameters
    ----------
    columns
        Names of the variables.
    weight
        How strongly each cause drives each variable, variables × causes.

    Examples
    --------
    >>> name_causes(["fever", "cough", "rash"], np.array([[0.9, 0.9], [0.8, 0.0], [0.1, 0.1]]))
    ('fever + cough', 'fever')
    """
    names: list[str] = []
    for k in range(weight.shape[1]):
        strongest = np.argsort(-weight[:, k], kind="stable")[:MOST]
        enough = strongest[weight[strongest, k] >= SHARE * weight[strongest[0], k]]
        name = " + ".join(columns[i] for i in enough)
        again = 2
        while name in names:
            name = name if again == 2 else name.rsplit(" (", 1)[0]
            name, again = f"{name} ({again})", again + 1
        names.append(name)
    return tuple(names)
