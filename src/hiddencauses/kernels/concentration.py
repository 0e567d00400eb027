"""Concentration α: a Gamma draw in the infinite model, a slice step in the finite one."""

from __future__ import annotations

import math

from hiddencauses.compiled import compiled
from hiddencauses.kernels.finite_prior import log_links_prior
from hiddencauses.kernels.names import CONCENTRATION, Rng
from hiddencauses.kernels.state import KernelSpec, State
from hiddencauses.kernels.streams import draw_gamma, open_stream, uniform

__all__ = ["update_concentration"]

#: α is looked for between these, on a log scale.
LOWEST, HIGHEST, WIDTH = -300.0, 300.0, 1.5


@compiled
def update_concentration(rng: Rng, state: State, spec: KernelSpec) -> None:
    """Draw α.

    Infinite model: α | Z ~ Gamma(a + K₊, b + H_N). In the finite model it is not conjugate: a slice step on
    log α.
    """
    if not spec.concentration_free:
        return
    stream = open_stream(rng.seed, rng.chain, CONCENTRATION, 0, rng.visit)
    if not spec.finite:
        harmonic = 0.0
        for n in range(1, state.z.shape[0] + 1):
            harmonic += 1.0 / n
        shape = spec.concentration_shape + state.count[0]
        state.concentration[0] = draw_gamma(stream, shape) / (spec.concentration_rate + harmonic)
        return
    present = math.log(state.concentration[0])
    level = _log_target(state, spec, present) + math.log(uniform(stream))
    low = present - uniform(stream) * WIDTH
    high = low + WIDTH
    while _log_target(state, spec, low) > level:
        low -= WIDTH
    while _log_target(state, spec, high) > level:
        high += WIDTH
    while True:
        candidate = low + uniform(stream) * (high - low)
        if _log_target(state, spec, candidate) > level:
            break
        if high - low < 1e-12:  # rounding has closed the slice around the present value
            candidate = present
            break
        if candidate < present:
            low = candidate
        else:
            high = candidate
    state.concentration[0] = math.exp(candidate)


@compiled
def _log_target(state: State, spec: KernelSpec, log_alpha: float) -> float:
    """Log posterior density of log α, up to a constant, in the finite model."""
    if log_alpha < LOWEST or log_alpha > HIGHEST:
        return -math.inf
    alpha = math.exp(log_alpha)
    log_prior = spec.concentration_shape * log_alpha - spec.concentration_rate * alpha
    return log_prior + log_links_prior(state, state.count[0], -1, -1, alpha)
