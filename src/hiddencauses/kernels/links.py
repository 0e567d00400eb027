"""Links of one variable to the causes it may share, one after the other (Eq. 10 and 11)."""

from __future__ import annotations

import math

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.cells import log_on
from hiddencauses.kernels.names import LINKS, Rng
from hiddencauses.kernels.state import PER_LINK, Data, KernelSpec, State, log_failure, set_link
from hiddencauses.kernels.streams import bernoulli, draw_beta, open_stream, permutation

__all__ = ["update_links"]


@compiled
def update_links(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> None:
    """Draw every z_ik from its conditional, causes in a fresh random order.

    The prior odds of a link are (m + a) / (N − m), m being the links of the cause to other variables and a =
    α/K, or 0 in the infinite model, where causes that only i has are left to `update_own_causes`. An order by
    storage would depend on the state and bias the sampler. With a strength per link the strength of an
    unlinked pair is drawn from its prior first, which leaves the posterior of all else as it is.
    """
    stream = open_stream(rng.seed, rng.chain, LINKS, i, rng.visit)
    n_variables = state.z.shape[0]
    count = state.count[0]
    share = state.concentration[0] / count if spec.finite else 0.0
    for k in permutation(stream, count):
        others = state.degree[k] - state.z[i, k]
        if others == 0 and not spec.finite:
            continue
        if spec.strength_scope == PER_LINK and not state.z[i, k]:
            state.strength[i, k] = draw_beta(stream, spec.strength_a, spec.strength_b)
        log_odds = math.log((others + share) / (n_variables - others)) + _gain(state, data, spec, i, k)
        value = 1 if bernoulli(stream, 1.0 / (1.0 + math.exp(-log_odds))) else 0
        if value != state.z[i, k]:
            set_link(state, i, k, value)


@compiled
def _gain(state: State, data: Data, spec: KernelSpec, i: int, k: int) -> float:
    """Return log P(x_i | z_ik = 1) − log P(x_i | z_ik = 0): only rows where the cause is active count."""
    failure = log_failure(state, spec, i, k)
    leak = np.log1p(-state.leak[i])
    linked = np.empty(state.count[0], dtype=np.int64)
    failures = np.empty(state.count[0])
    n_linked = 0
    for j in range(state.count[0]):
        if j != k and state.z[i, j]:
            linked[n_linked] = j
            failures[n_linked] = log_failure(state, spec, i, j)
            n_linked += 1
    gain = 0.0
    for r in range(data.x.shape[1]):
        if state.y[k, r] == 0:
            continue
        if data.x[i, r] == 0:
            gain += failure
        elif data.x[i, r] == 1:
            off = leak
            for j in range(n_linked):
                if state.y[linked[j], r]:
                    off += failures[j]
            gain += log_on(off + failure) - log_on(off)
    return gain
