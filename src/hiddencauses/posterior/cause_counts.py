"""How many causes there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.validation import check_probability

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hiddencauses.sampling.draws import Draws

__all__ = ["CauseCounts", "count_causes"]


@dataclass(frozen=True, eq=False, slots=True)
class CauseCounts:
    """The posterior of the number of causes with a link.

    Attributes
    ----------
    probability
        Of 0, 1, 2, … causes.
    mode
        The likeliest number; of several the least.
    mean
        The mean number.
    low, high
        The shortest run of numbers that holds at least `level`.
    level
        What the interval was asked to hold.
    """

    probability: NDArray[np.float64]
    mode: int
    mean: float
    low: int
    high: int
    level: float

    def to_frame(self) -> pa.Table:
        """Return a row for each number of causes."""
        import pyarrow as pa

        return pa.table({"n_causes": np.arange(len(self.probability)), "probability": self.probability})


def count_causes(draws: Draws, *, level: float = 0.95) -> CauseCounts:
    """Return the posterior of the number of causes.

    Examples
    --------
    >>> from hiddencauses import ModelSpec, sample
    >>> spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.3)
    >>> cells = [[1, 1, 1, 0]] * 5 + [[0, 0, 0, 0]] * 9 + [[0, 0, 0, 1]]
    >>> count_causes(sample(cells, spec, draws=100, warmup=100, chains=2, seed=1)).mode
    1
    """
    level = check_probability("level", level)
    probability = draws.n_causes_distribution()
    before = np.concatenate([[0.0], np.cumsum(probability)])
    # all runs from low to high; the shortest that holds enough, of those the one that holds most
    enough = [
        (high - low, before[low] - before[high + 1], low, high)
        for low in range(len(probability))
        for high in range(low, len(probability))
        if before[high + 1] - before[low] >= level - 1e-12
    ]
    _, _, low, high = min(enough)
    return CauseCounts(
        probability=probability,
        mode=int(np.argmax(probability)),
        mean=float(probability @ np.arange(len(probability))),
        low=low,
        high=high,
        level=level,
    )
