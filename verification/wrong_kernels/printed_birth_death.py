"""Birth and death with the acceptance printed as Eq. 8 and 9."""

from __future__ import annotations

import math

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.bits import set_bit
from hiddencauses.kernels.finite_prior import log_count_mass, log_links_prior
from hiddencauses.kernels.names import BIRTH_DEATH, Rng
from hiddencauses.kernels.state import (
    NEEDS_ROOM,
    WELL,
    Data,
    KernelSpec,
    State,
    add_cause,
    prevalence_of,
    remove_cause,
)
from hiddencauses.kernels.streams import bernoulli, open_stream, uniform

__all__ = ["update_as_printed"]


@compiled
def update_as_printed(rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    """Do as `update_by_birth_or_death`, but multiply by δ/(K + 1) for a birth and divide by δ/K for a death.

    δ counts the causes with the same activity, the new one or the victim included: the chance of proposing
    a class of states, set against the probability of one ordered matrix.
    """
    stream = open_stream(rng.seed, rng.chain, BIRTH_DEATH, i, rng.visit)
    count = state.count[0]
    linked = 0
    for k in range(count):
        linked += state.degree[k] > 0
    if linked == 0:
        return WELL
    if count == state.degree.size:
        return NEEDS_ROOM
    alpha = state.concentration[0]
    now = log_links_prior(state, count, -1, -1, alpha) + log_count_mass(spec, count)
    picked = int(uniform(stream) * count)
    if state.degree[picked] > 0:
        then = log_links_prior(state, count + 1, -1, 0, alpha) + log_count_mass(spec, count + 1)
        for r in range(data.n_rows):
            set_bit(
                state.y[count],
                r,
                bernoulli(stream, prevalence_of(state.prevalence, spec.prevalence_shared, count)),
            )
        delta = 1 + _alike(state, count)
        if accept(stream, then - now + math.log(delta / (count + 1)) - math.log(linked / count)):
            add_cause(state, rng.visit)
    elif count > 1:
        then = log_links_prior(state, count - 1, picked, -1, alpha) + log_count_mass(spec, count - 1)
        delta = _alike(state, picked)
        if accept(stream, then - now + math.log(linked / (count - 1)) - math.log(delta / count)):
            remove_cause(state, spec, picked, rng.visit)
    return WELL


@compiled
def _alike(state: State, place: int) -> int:
    """Count the causes in use whose activity equals that at a place."""
    found = 0
    for k in range(state.count[0]):
        same = True
        for w in range(state.y.shape[1]):
            same = same and state.y[k, w] == state.y[place, w]
        found += same
    return found
