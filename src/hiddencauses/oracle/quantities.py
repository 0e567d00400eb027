"""The quantities of a world that do not depend on how its causes are labelled.

They have the names of `ExactPosterior`, so that an average over worlds can be compared with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.model.noisy_or import strength_per_link

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.model.spec import ModelSpec
    from hiddencauses.model.world import World

__all__ = ["label_free_quantities"]


def label_free_quantities(world: World, spec: ModelSpec) -> dict[str, NDArray[np.float64]]:
    """Return a world's label-free quantities; only causes with a link enter."""
    linked = world.links.any(axis=0)
    links = world.links[:, linked].astype(np.float64)
    activity = world.activity[:, linked].astype(np.float64)
    par = world.parameters
    strength, prevalence = par.strength, par.prevalence
    if spec.strength_scope == "per_cause":
        strength = par.strength[linked].sum()
    elif spec.strength_scope == "per_link":
        strength = strength_per_link(world).sum(axis=1)
    if spec.prevalence_scope == "per_cause":
        prevalence = par.prevalence[linked].sum()
    return {
        "n_causes": np.asarray(float(linked.sum())),
        "co_linkage": links @ links.T,
        "co_activity": activity @ activity.T,
        "active_links": activity @ links.T,
        "strength": np.asarray(strength, dtype=np.float64),
        "leak": np.asarray(par.leak, dtype=np.float64),
        "prevalence": np.asarray(prevalence, dtype=np.float64),
        "concentration": np.asarray(par.concentration, dtype=np.float64),
    }
