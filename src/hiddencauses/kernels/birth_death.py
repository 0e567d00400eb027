"""Birth and death of a cause without links (Algorithm 1, with the corrected acceptance of Eq. 8 and 9)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.bits import set_bit
from hiddencauses.kernels.finite_prior import log_count_mass, log_links_prior
from hiddencauses.kernels.names import BIRTH_ACTIVITY, BIRTH_DEATH, ROW_BLOCK, Rng
from hiddencauses.kernels.state import (
    NEEDS_ROOM,
    PER_CAUSE,
    WELL,
    Data,
    KernelSpec,
    State,
    add_cause,
    prevalence_of,
    remove_cause,
)
from hiddencauses.kernels.streams import bernoulli, draw_beta, open_stream, uniform

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["give_own_parameters", "update_by_birth_or_death"]


@compiled
def update_by_birth_or_death(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Pick a cause: if it has links propose the birth of an unlinked one, else its death.

    A new cause takes its place among the K + 1 at random, and the death of just that one is picked with
    probability 1/(K + 1): both cancel, and so do activity and parameters, which come from their priors. What
    is left is P(Z, K + 1) / P(Z, K) · K / K₊ for a birth, P(Z, K − 1) / P(Z, K) · K₊ / (K − 1) for a death.
    Without any linked cause births cannot be proposed, so deaths that would have to be undone by them are
    not either.
    """
    stream = open_stream(rng.seed, rng.chain, BIRTH_DEATH, i, rng.visit)
    count = state.count[0]
    linked = 0
    for k in range(count):
        if state.degree[k] > 0:
            linked += 1
    if linked == 0:
        return WELL
    alpha = state.concentration[0]
    now = log_links_prior(state, count, -1, -1, alpha) + log_count_mass(spec, count)
    picked = int(uniform(stream) * count)
    if state.degree[picked] > 0:
        then = log_links_prior(state, count + 1, -1, 0, alpha) + log_count_mass(spec, count + 1)
        accepted = accept(stream, then - now + math.log(count / linked))
        if accepted and count == state.degree.size:
            return NEEDS_ROOM
        state.counters[0] += 1
        if accepted:
            state.counters[1] += 1
            _give_birth(rng, stream, state, spec, data.n_rows)
    elif count > 1:
        then = log_links_prior(state, count - 1, picked, -1, alpha) + log_count_mass(spec, count - 1)
        state.counters[2] += 1
        if accept(stream, then - now + math.log(linked / (count - 1))):
            state.counters[3] += 1
            remove_cause(state, spec, picked, rng.visit)
    return WELL


@compiled
def _give_birth(rng: Rng, stream: NDArray[np.uint64], state: State, spec: KernelSpec, n_rows: int) -> None:
    """Add a cause without links, everything else of it from the prior."""
    k = add_cause(state, rng.visit)
    give_own_parameters(stream, state, spec, k)
    p = prevalence_of(state.prevalence, spec.prevalence_shared, k)
    for block in range((n_rows + ROW_BLOCK - 1) // ROW_BLOCK):
        rows = open_stream(rng.seed, rng.chain, BIRTH_ACTIVITY, block, rng.visit)
        for r in range(block * ROW_BLOCK, min((block + 1) * ROW_BLOCK, n_rows)):
            set_bit(state.y[k], r, bernoulli(rows, p))


@compiled
def give_own_parameters(stream: NDArray[np.uint64], state: State, spec: KernelSpec, k: int) -> None:
    """Draw what cause k has of its own from the priors (a strength per link comes with links)."""
    if spec.strength_scope == PER_CAUSE:
        state.strength[0, k] = draw_beta(stream, spec.strength_a, spec.strength_b)
    if not spec.prevalence_shared:
        state.prevalence[k] = draw_beta(stream, spec.prevalence_a, spec.prevalence_b)
