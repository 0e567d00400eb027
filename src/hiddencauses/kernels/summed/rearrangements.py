"""Two causes replaced by two others: links swapped, shared out anew, or something else altogether."""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.accept import accept
from hiddencauses.kernels.names import REARRANGEMENT, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State
from hiddencauses.kernels.streams import open_stream
from hiddencauses.kernels.summed.choice import draw_pair, log_pair_chance, pair_weights
from hiddencauses.kernels.summed.effort import REARRANGEMENTS, note_change
from hiddencauses.kernels.summed.fit import draw_parameters, fit, log_parameters_density
from hiddencauses.kernels.summed.gains import gains, sampled_rows
from hiddencauses.kernels.summed.group import (
    degree_in,
    group_of,
    linked_causes,
    new_group,
    replace,
    same_links,
    without,
)
from hiddencauses.kernels.summed.launch import draw_links, launch, log_links_density
from hiddencauses.kernels.summed.target import log_target_ratio

__all__ = ["update_by_rearrangement"]


@compiled
def update_by_rearrangement(rng: Rng, state: State, data: Data, spec: KernelSpec, move: int) -> None:
    """Propose two other causes in the place of two, over all variables.

    With c the chance of picking the two, L the probability of their links under the launch and q the density
    of their parameters under the fit, primes after the move, it is accepted with probability

        min(1, target ratio · c′ L q / (c L′ q′)).
    """
    linked = linked_causes(state)
    if linked.size < 2:
        return
    stream = open_stream(rng.seed, rng.chain, REARRANGEMENT, move, rng.visit)
    n_variables, n_rows = state.z.shape[0], data.n_rows
    rows = sampled_rows(stream, n_rows)
    state.counters[17] += 1
    weights = pair_weights(state, without(state, linked[:0]), new_group(state, spec, 0), state.y[:0], rows)
    a, b = draw_pair(stream, weights)
    causes = np.array([linked[a], linked[b]])
    kept = without(state, causes)
    old, new = group_of(state, spec, causes), new_group(state, spec, 2)
    variables = np.arange(n_variables)
    around = gains(state, data, spec, kept, variables, rows)
    chances = launch(stream, state, spec, around, variables, 2, True)
    draw_links(stream, chances, variables, new)
    if degree_in(new, 0) == 0 or degree_in(new, 1) == 0:
        return
    found = fit(state, data, spec, kept, new, 0, rows)
    draw_parameters(stream, spec, found, new, 0)
    activity = np.empty((2, state.y.shape[1]), dtype=np.uint64)
    gain = log_target_ratio(rng, move, state, data, spec, kept, old, new, state.leak, activity)
    after = pair_weights(state, kept, new, activity, rows)
    log_ratio = (
        gain
        + log_pair_chance(after, linked.size - 2, linked.size - 1)
        - log_pair_chance(weights, a, b)
        + log_links_density(chances, variables, old)
        - log_links_density(chances, variables, new)
        + log_parameters_density(spec, fit(state, data, spec, kept, old, 0, rows), old, 0)
        - log_parameters_density(spec, found, new, 0)
    )
    if accept(stream, log_ratio):
        state.counters[18] += 1
        if not same_links(old, new):
            note_change(state, REARRANGEMENTS, gain, rng.warming)
        replace(rng, state, spec, causes, new, activity)
