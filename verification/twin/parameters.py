"""Strength, leak, prevalence and concentration: the twin of the updates of the paper's section 6."""

from __future__ import annotations

import math
from typing import Any

from hiddencauses.kernels import names
from hiddencauses.kernels.failure_profile import FIRST_WIDTH, HIGHEST, LOWEST, NARROWEST, WIDEST
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.model.spec import Finite
from verification.twin.structure import log_prior_of_structure
from verification.twin.world import Cause, TwinState, cell_log_likelihood

# -- λ and ε ---------------------------------------------------------------------------------------


def update_strength(source: Any, state: TwinState, visit: int, *, warming: bool) -> None:
    """Slice steps on the logit of λ: of the one, of each cause's, or of each link's."""
    spec = state.spec
    if not isinstance(spec.strength, Beta):
        return
    source.open(names.STRENGTH, 0, visit)
    if spec.strength_scope == "shared":

        def put(value: float) -> None:
            state.strength = value
            for cause in state.causes:
                cause.strengths = [value] * state.n_variables

        cells = [
            (r, i) for r in range(state.n_rows) for i in range(state.n_variables) if _active(state, r, i)
        ]
        step(source, state, "strength", spec.strength, state.strength, put, cells, warming=warming)
        return
    for place in source.permutation(len(state.causes)):
        cause = state.causes[place]
        rows = [r for r in range(state.n_rows) if cause.active[r]]
        linked = [i for i in range(state.n_variables) if cause.links[i]]
        groups = [linked] if spec.strength_scope == "per_cause" else [[i] for i in linked]
        for group in groups:
            which = group if spec.strength_scope == "per_link" else range(state.n_variables)

            def put(value: float, cause: Cause = cause, which: Any = which) -> None:
                for i in which:
                    cause.strengths[i] = value

            present = cause.strengths[group[0]] if group else cause.strengths[0]
            cells = [(r, i) for r in rows for i in group]
            step(source, state, "strength", spec.strength, present, put, cells, warming=warming)


def update_leak(source: Any, state: TwinState, visit: int, *, warming: bool) -> None:
    """Slice steps on the logit of ε: of the one, or of each variable's."""
    spec = state.spec
    if not isinstance(spec.leak, Beta):
        return
    source.open(names.LEAK, 0, visit)
    everything = list(range(state.n_variables))
    for group in [everything] if spec.leak_scope == "shared" else [[i] for i in everything]:

        def put(value: float, group: list[int] = group) -> None:
            for i in group:
                state.leak[i] = value

        cells = [(r, i) for r in range(state.n_rows) for i in group]
        step(source, state, "leak", spec.leak, state.leak[group[0]], put, cells, warming=warming)


def _active(state: TwinState, row: int, i: int) -> bool:
    return any(cause.links[i] and cause.active[row] for cause in state.causes)


def step(
    source: Any,
    state: TwinState,
    name: str,
    prior: Beta,
    present: float,
    put: Any,
    cells: list[tuple[int, int]],
    *,
    warming: bool,
) -> None:
    """One slice step: Neal (2003), stepping out and shrinking in; the likelihood is that of `cells`."""
    if not any(state.cells[r][i] == 1 for r, i in cells):
        # Only zeros: (1 − θ)^n, n counting how often θ occurs in a cell, so that the posterior is a Beta.
        exponent = sum(_times(state, name, r, i) for r, i in cells if state.cells[r][i] == 0)
        put(source.beta(prior.a, prior.b + exponent))
        return

    def log_target(logit: float) -> float:
        if not LOWEST <= logit <= HIGHEST:
            return -math.inf
        put(1 / (1 + math.exp(-logit)))
        log_failure = -math.log1p(math.exp(logit))
        return (
            prior.a * (log_failure + logit)
            + prior.b * log_failure
            + sum(cell_log_likelihood(state.cells[r][i], state.log_off(i, r)) for r, i in cells)
        )

    moved = state.moved[name]
    width = FIRST_WIDTH if moved[1] < 10 else min(max(3 * moved[0] / moved[1], NARROWEST), WIDEST)
    start = math.log(present) - math.log1p(-present)
    logit = slice_step(source, log_target, start, width)
    put(1 / (1 + math.exp(-logit)))
    if warming:
        moved[0] += abs(logit - start)
        moved[1] += 1


def _times(state: TwinState, name: str, row: int, i: int) -> int:
    """How often the parameter occurs in a cell's off probability: only a shared λ can more than once."""
    if name == "strength" and state.spec.strength_scope == "shared":
        return sum(cause.links[i] and cause.active[row] for cause in state.causes)
    return 1


def slice_step(source: Any, log_target: Any, start: float, width: float) -> float:
    """Draw from the slice under the target through `start`."""
    level = log_target(start) + math.log(source.uniform())
    low = start - source.uniform() * width
    high = low + width
    while log_target(low) > level:
        low -= width
    while log_target(high) > level:
        high += width
    while True:
        candidate = low + source.uniform() * (high - low)
        if log_target(candidate) > level:
            return candidate
        if high - low < 1e-12:
            return start
        if candidate < start:
            low = candidate
        else:
            high = candidate


# -- p ---------------------------------------------------------------------------------------------


def update_prevalence(source: Any, state: TwinState, visit: int) -> None:
    """p ~ Beta(a + ΣY, b + KT − ΣY), over all causes or over each."""
    prior = state.spec.prevalence
    if not isinstance(prior, Beta):
        return
    source.open(names.PREVALENCE, 0, visit)
    if state.spec.prevalence_scope == "shared":
        on = sum(sum(cause.active) for cause in state.causes)
        state.prevalence = source.beta(prior.a + on, prior.b + len(state.causes) * state.n_rows - on)
    for cause in state.causes:
        if state.spec.prevalence_scope == "per_cause":
            on = sum(cause.active)
            cause.prevalence = source.beta(prior.a + on, prior.b + state.n_rows - on)
        else:
            cause.prevalence = state.prevalence


# -- α ---------------------------------------------------------------------------------------------


def update_concentration(source: Any, state: TwinState, visit: int) -> None:
    """α | Z ~ Gamma(a + K₊, b + H_N) in the infinite model; a slice step on log α in the finite one."""
    prior = state.spec.concentration
    if not isinstance(prior, Gamma):
        return
    source.open(names.CONCENTRATION, 0, visit)
    if not isinstance(state.spec.causes, Finite):
        harmonic = sum(1 / n for n in range(1, state.n_variables + 1))
        state.concentration = source.gamma(prior.shape + len(state.causes)) / (prior.rate + harmonic)
        return
    degrees = [cause.degree for cause in state.causes]

    def log_target(log_alpha: float) -> float:
        if not -300 <= log_alpha <= 300:
            return -math.inf
        state.concentration = math.exp(log_alpha)
        return (
            prior.shape * log_alpha
            - prior.rate * state.concentration
            + log_prior_of_structure(state, degrees)
        )

    state.concentration = math.exp(slice_step(source, log_target, math.log(state.concentration), 1.5))
