"""Sweeps: which kernels are run in which order.

A sweep visits every variable once and then draws the hyperparameters. One sweep of `GIBBS` is one iteration
of the paper's Algorithm 2, one of `REVERSIBLE_JUMP` one of Algorithm 1, which redraws all activity at every
variable. A sweep of `AUTO_INFINITE` or `AUTO_FINITE` makes moves on groups of causes as well.
"""

from __future__ import annotations

import numpy as np

from hiddencauses.compiled import compiled, compiled_into_caller
from hiddencauses.kernels.activity import update_activity
from hiddencauses.kernels.birth_death import update_by_birth_or_death
from hiddencauses.kernels.concentration import update_concentration
from hiddencauses.kernels.leak import update_leak
from hiddencauses.kernels.links import update_links
from hiddencauses.kernels.names import Rng
from hiddencauses.kernels.own_causes import update_own_causes
from hiddencauses.kernels.prevalence import update_prevalence
from hiddencauses.kernels.single_link import update_by_single_link
from hiddencauses.kernels.state import NEEDS_ROOM, Data, KernelSpec, State, enlarge
from hiddencauses.kernels.strength import update_strength
from hiddencauses.kernels.summed.mixture import update_by_summed_moves

__all__ = [
    "AUTO_FINITE",
    "AUTO_INFINITE",
    "GIBBS",
    "REVERSIBLE_JUMP",
    "SCHEDULES",
    "SINGLE_LINK_BIRTHS",
    "sweep",
    "sweep_auto_finite",
    "sweep_auto_infinite",
    "sweep_finite",
    "sweep_infinite",
]

#: What a schedule does at a variable besides drawing its shared links, as bits.
OWN_CAUSES, BIRTH_DEATH, SINGLE_LINK = 1, 2, 4
#: What it does once after all variables.
SUMMED = 8

GIBBS = OWN_CAUSES
REVERSIBLE_JUMP = BIRTH_DEATH
SINGLE_LINK_BIRTHS = SINGLE_LINK
AUTO_INFINITE = OWN_CAUSES | SUMMED
AUTO_FINITE = BIRTH_DEATH | SINGLE_LINK | SUMMED

#: Schedules by the names users know.
SCHEDULES = {"gibbs": GIBBS, "reversible_jump": REVERSIBLE_JUMP, "single_link_births": SINGLE_LINK_BIRTHS}


@compiled
def sweep(
    schedule: int,
    seed: np.uint64,
    chain: int,
    number: int,
    warming: bool,
    state: State,
    data: Data,
    spec: KernelSpec,
) -> State:
    """Run one sweep in place; a larger state is returned when more room was needed.

    A kernel that finds no room has done nothing, and its stream begins anew: running it again in the larger
    state gives what it would have given in a state that was large from the start.
    """
    if schedule == GIBBS:
        return sweep_infinite(seed, chain, number, warming, state, data, spec)
    if schedule == AUTO_INFINITE:
        return sweep_auto_infinite(seed, chain, number, warming, state, data, spec)
    if schedule == AUTO_FINITE:
        return sweep_auto_finite(seed, chain, number, warming, state, data, spec)
    return sweep_finite(schedule, seed, chain, number, warming, state, data, spec)


# Each of these is compiled by itself because nobody wants to wait for the kernels of the others.


@compiled_into_caller
def sweep_infinite(
    seed: np.uint64, chain: int, number: int, warming: bool, state: State, data: Data, spec: KernelSpec
) -> State:
    """Run one sweep of the infinite model."""
    state = _visit_variables_infinite(seed, chain, number, warming, state, data, spec)
    rng = _after_variables(seed, chain, number, warming, state)
    update_activity(rng, state, data, spec)
    _update_parameters(rng, state, data, spec)
    return state


@compiled_into_caller
def sweep_auto_infinite(
    seed: np.uint64, chain: int, number: int, warming: bool, state: State, data: Data, spec: KernelSpec
) -> State:
    """Run one sweep of the infinite model with moves on groups of causes."""
    state = _visit_variables_infinite(seed, chain, number, warming, state, data, spec)
    rng = _after_variables(seed, chain, number, warming, state)
    update_activity(rng, state, data, spec)
    state = update_by_summed_moves(rng, state, data, spec)
    _update_parameters(rng, state, data, spec)
    return state


@compiled_into_caller
def sweep_finite(
    schedule: int,
    seed: np.uint64,
    chain: int,
    number: int,
    warming: bool,
    state: State,
    data: Data,
    spec: KernelSpec,
) -> State:
    """Run one sweep of the finite model, activity redrawn at every variable as in the paper."""
    n_variables = state.z.shape[0]
    for i in range(n_variables):
        rng = Rng(seed, chain, number * n_variables + i, warming)
        if schedule & BIRTH_DEATH:
            while update_by_birth_or_death(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        if schedule & SINGLE_LINK:
            while update_by_single_link(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        update_links(rng, state, data, spec, i)
        update_activity(rng, state, data, spec)
    _update_parameters(_after_variables(seed, chain, number, warming, state), state, data, spec)
    return state


@compiled_into_caller
def sweep_auto_finite(
    seed: np.uint64, chain: int, number: int, warming: bool, state: State, data: Data, spec: KernelSpec
) -> State:
    """Run one sweep of the finite model with moves on groups of causes, activity redrawn once."""
    n_variables = state.z.shape[0]
    for i in range(n_variables):
        rng = Rng(seed, chain, number * n_variables + i, warming)
        while update_by_birth_or_death(rng, state, data, spec, i) == NEEDS_ROOM:
            state = enlarge(state, spec)
        while update_by_single_link(rng, state, data, spec, i) == NEEDS_ROOM:
            state = enlarge(state, spec)
        update_links(rng, state, data, spec, i)
    rng = _after_variables(seed, chain, number, warming, state)
    update_activity(rng, state, data, spec)
    state = update_by_summed_moves(rng, state, data, spec)
    _update_parameters(rng, state, data, spec)
    return state


@compiled_into_caller
def _visit_variables_infinite(
    seed: np.uint64, chain: int, number: int, warming: bool, state: State, data: Data, spec: KernelSpec
) -> State:
    """Draw the links of every variable in turn, those to causes of its own last."""
    n_variables = state.z.shape[0]
    for i in range(n_variables):
        rng = Rng(seed, chain, number * n_variables + i, warming)
        update_links(rng, state, data, spec, i)
        while update_own_causes(rng, state, data, spec, i) == NEEDS_ROOM:
            state = enlarge(state, spec)
    return state


@compiled_into_caller
def _after_variables(seed: np.uint64, chain: int, number: int, warming: bool, state: State) -> Rng:
    """Return the place in the run of what is done after all variables."""
    n_variables = state.z.shape[0]
    return Rng(seed, chain, number * n_variables + max(n_variables - 1, 0), warming)


@compiled_into_caller
def _update_parameters(rng: Rng, state: State, data: Data, spec: KernelSpec) -> None:
    """Draw the parameters that are free."""
    update_strength(rng, state, data, spec)
    update_leak(rng, state, data, spec)
    update_prevalence(rng, state, spec)
    update_concentration(rng, state, spec)
