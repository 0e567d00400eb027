"""The target of the moves on groups: how much more probable one group is than another in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddencauses.compiled import compiled
from hiddencauses.kernels.names import SUMMED_NEW, SUMMED_OLD, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State
from hiddencauses.kernels.summed.exchange import log_leak_ratio
from hiddencauses.kernels.summed.group import Group, degrees_with, log_own_density
from hiddencauses.kernels.summed.marginal import log_marginal
from hiddencauses.kernels.summed.set_prior import log_set_prior

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["log_target_ratio"]


@compiled
def log_target_ratio(
    rng: Rng,
    move: int,
    state: State,
    data: Data,
    spec: KernelSpec,
    kept: NDArray[np.bool_],
    old: Group,
    new: Group,
    leak: NDArray[np.float64],
    activity: NDArray[np.uint64],
) -> float:
    """Return log P(new group) − log P(old group), the activity of both summed out.

    `leak` are the leaks that come with the new group: those of the state, or others exchanged with it, whose
    Jacobian is then counted too. `activity` (causes of the new group × words) is filled with a draw from its
    joint conditional.
    """
    n_variables, concentration = state.z.shape[0], state.concentration[0]
    return (
        log_marginal(rng, SUMMED_NEW, move, state, data, spec, kept, new, leak, activity)
        - log_marginal(rng, SUMMED_OLD, move, state, data, spec, kept, old, state.leak, activity[:0])
        + log_set_prior(spec, n_variables, concentration, degrees_with(state, kept, new))
        - log_set_prior(spec, n_variables, concentration, degrees_with(state, kept, old))
        + log_own_density(spec, new)
        - log_own_density(spec, old)
        + log_leak_ratio(state, data, spec, kept, leak)
    )
