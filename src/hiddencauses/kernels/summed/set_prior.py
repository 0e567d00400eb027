"""The prior of a set of causes by the sizes of their link sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hiddencauses.compiled import compiled
from hiddencauses.kernels.finite_prior import log_column_mass, log_count_mass
from hiddencauses.kernels.state import KernelSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["log_set_prior"]


@compiled
def log_set_prior(
    spec: KernelSpec, n_variables: int, concentration: float, degrees: NDArray[np.int64]
) -> float:
    """Return log (K! · P(Z over labelled columns)), up to what does not change with the causes.

    The places that new causes take among the others, at random, cancel against K!.
    """
    count = degrees.size
    total = 0.0
    if spec.finite:
        total += log_count_mass(spec, count) + math.lgamma(count + 1.0)
        for degree in degrees:
            total += log_column_mass(n_variables, degree, concentration / count)
        return total
    for degree in degrees:
        if degree == 0:
            return -math.inf
        total += (
            math.log(concentration)
            + math.lgamma(n_variables - degree + 1.0)
            + math.lgamma(float(degree))
            - math.lgamma(n_variables + 1.0)
        )
    return total
