"""Prevalences p: shared or per cause, drawn from their Beta conditionals."""

from __future__ import annotations

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import count_both
from hiddencauses.kernels.names import PREVALENCE, Rng
from hiddencauses.kernels.state import KernelSpec, State
from hiddencauses.kernels.streams import draw_beta, open_stream

__all__ = ["update_prevalence"]


@compiled
def update_prevalence(rng: Rng, state: State, spec: KernelSpec) -> None:
    """Draw p ~ Beta(a + ΣY, b + KT − ΣY), over all causes or over each cause's rows."""
    if not spec.prevalence_free:
        return
    stream = open_stream(rng.seed, rng.chain, PREVALENCE, 0, rng.visit)
    a, b = spec.prevalence_a, spec.prevalence_b
    n_rows = state.count[1]
    total = 0
    for k in range(state.count[0]):
        on = count_both(state.y[k], state.y[k])
        if not spec.prevalence_shared:
            state.prevalence[k] = draw_beta(stream, a + on, b + n_rows - on)
        total += on
    if spec.prevalence_shared:
        state.prevalence[:] = draw_beta(stream, a + total, b + n_rows * state.count[0] - total)
