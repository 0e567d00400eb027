"""Activity of a few causes that share links, drawn jointly."""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.names import REDRAW, SUMMED_NEW, Rng
from hiddencauses.kernels.state import Data, KernelSpec, State
from hiddencauses.kernels.streams import open_stream, pick
from hiddencauses.kernels.summed.choice import draw_contexts
from hiddencauses.kernels.summed.group import group_of, linked_causes, without, write_activity
from hiddencauses.kernels.summed.marginal import log_marginal

__all__ = ["update_activity_jointly"]

#: Causes drawn together.
TOGETHER = 3


@compiled
def update_activity_jointly(rng: Rng, state: State, data: Data, spec: KernelSpec, move: int) -> None:
    """Draw the activity of a cause and of two that share its links from their joint conditional.

    They are chosen by their links alone, so that nothing needs to be accepted.
    """
    linked = linked_causes(state)
    if linked.size < 2:
        return
    stream = open_stream(rng.seed, rng.chain, REDRAW, move, rng.visit)
    causes = np.empty(min(TOGETHER, linked.size), dtype=np.int64)
    causes[0] = linked[pick(stream, linked.size)]
    draw_contexts(stream, state, linked[linked != causes[0]], state.z[:, causes[0]], causes[1:])
    activity = np.empty((causes.size, state.y.shape[1]), dtype=np.uint64)
    group = group_of(state, spec, causes)
    kept = without(state, causes)
    log_marginal(rng, SUMMED_NEW, move, state, data, spec, kept, group, state.leak, activity)
    for j in range(causes.size):
        write_activity(state, causes[j], activity, j)
