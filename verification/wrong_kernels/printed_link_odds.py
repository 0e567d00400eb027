"""Links of the finite model with the denominator printed in Eq. 10: N instead of N + α/K."""

from __future__ import annotations

import math

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.links import gain_of_link
from hiddencauses.kernels.names import LINKS, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State, set_link, strengths_at
from hiddencauses.kernels.streams import bernoulli, open_stream, permutation

__all__ = ["gain_alone", "update_links_as_printed"]


@compiled
def update_links_as_printed(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> None:
    """Do as `update_links`, but with odds (m + a) / (N − m − a), a = α/K, which must be below 1."""
    stream = open_stream(rng.seed, rng.chain, LINKS, i, rng.visit)
    share = state.concentration[0] / state.count[0]
    for k in permutation(stream, state.count[0]):
        chance = (state.degree[k] - state.z[i, k] + share) / state.z.shape[0]
        log_odds = math.log(chance / (1.0 - chance)) + gain_alone(state, data, spec, i, k)
        set_link(state, i, k, 1 if bernoulli(stream, 1.0 / (1.0 + math.exp(-log_odds))) else 0)


@compiled
def gain_alone(state: State, data: Data, spec: KernelSpec, i: int, k: int) -> float:
    """Return the gain of one link, to the last digit."""
    strengths, room = (
        strengths_at(state.strength, spec.strength_scope, i, np.arange(state.count[0])),
        np.empty(data.ones.shape[1], dtype=np.uint64),
    )
    linked = state.z[i, : state.count[0]]
    return gain_of_link(
        state.y, data.ones[i], data.zeros[i], linked, strengths, state.leak[i], k, np.nan, room
    )
