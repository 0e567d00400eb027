"""The prior of links in the finite model (Eq. 5), as birth and death need it."""

from __future__ import annotations

import math

from hiddencauses.compiled import compiled
from hiddencauses.kernels.state import KernelSpec, State

__all__ = ["log_column_mass", "log_count_mass", "log_links_prior"]


@compiled
def log_column_mass(n_variables: int, links: int, share: float) -> float:
    """Log mass of one given column with so many links; share = α/K."""
    return (
        math.log(share)
        + math.lgamma(links + share)
        + math.lgamma(n_variables - links + 1.0)
        - math.lgamma(n_variables + 1.0 + share)
    )


@compiled
def log_links_prior(state: State, count: int, without: int, extra: int, concentration: float) -> float:
    """Return log P(Z | K = count) of the columns in use, one of them left out, one added.

    Parameters
    ----------
    state
        The chain's state.
    count
        K, which sets every column's share α/K.
    without
        A cause to leave out, or −1.
    extra
        Links of a column to add, or −1 for none.
    concentration
        α.
    """
    n_variables = state.z.shape[0]
    share = concentration / count
    total = 0.0
    for k in range(state.count[0]):
        if k != without:
            total += log_column_mass(n_variables, state.degree[k], share)
    if extra >= 0:
        total += log_column_mass(n_variables, extra, share)
    return total


@compiled
def log_count_mass(spec: KernelSpec, count: int) -> float:
    """Return log P(K = count)."""
    return spec.log_count_mass[count] if 0 <= count < spec.log_count_mass.size else -math.inf
