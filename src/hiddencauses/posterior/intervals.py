"""Mean and interval of a number over the draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Estimate", "estimate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean, and the interval that leaves out the same share of draws at either end."""

    mean: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float]:
        """Return it as plain data."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


def estimate(values: ArrayLike, level: float) -> Estimate:
    """Return mean and interval of one number per draw.

    Examples
    --------
    >>> estimate([0.0, 1.0, 2.0, 3.0, 4.0], level=0.5)
    Estimate(mean=2.0, low=1.0, high=3.0)
    """
    plain = np.asarray(values, dtype=np.float64).ravel()
    low, high = np.quantile(plain, ((1 - level) / 2, (1 + level) / 2))
    return Estimate(float(plain.mean()), float(low), float(high))
