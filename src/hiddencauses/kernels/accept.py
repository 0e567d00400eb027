"""The Metropolis-Hastings decision, written once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hiddencauses.compiled import compiled
from hiddencauses.kernels.streams import uniform

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["accept"]


@compiled
def accept(stream: NDArray[np.uint64], log_ratio: float) -> bool:
    """Accept with probability min(1, exp(log_ratio)); a ratio that is not a number is refused."""
    return math.log(uniform(stream)) < log_ratio
