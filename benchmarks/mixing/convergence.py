"""R-hat and effective draws, by the field's own library."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["effective_draws", "r_hat"]


def effective_draws(values: ArrayLike) -> float:
    """Return the bulk effective number of draws of values, chains × draws."""
    from arviz_stats.base import array_stats

    plain = np.asarray(values, dtype=np.float64)
    return float(array_stats.ess(plain, chain_axis=0, draw_axis=1))


def r_hat(values: ArrayLike) -> float:
    """Return the rank-normalised R-hat of values, chains × draws; 1 where nothing varies."""
    from arviz_stats.base import array_stats

    plain = np.asarray(values, dtype=np.float64)
    return 1.0 if np.ptp(plain) == 0 else float(array_stats.rhat(plain, chain_axis=0, draw_axis=1))
