"""Chains of a negative control: the wrong kernel or the package's in otherwise the same sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled, compiled_door
from hiddencauses.kernels.activity import update_activity
from hiddencauses.kernels.birth_death import update_by_birth_or_death
from hiddencauses.kernels.bits import bit
from hiddencauses.kernels.links import update_links
from hiddencauses.kernels.names import Rng
from hiddencauses.kernels.own_causes import update_own_causes
from hiddencauses.kernels.state import NEEDS_ROOM, Data, KernelSpec, State, enlarge
from verification.wrong_kernels.own_causes_on_top import renew_own_causes_on_top
from verification.wrong_kernels.printed_birth_death import update_as_printed
from verification.wrong_kernels.printed_link_odds import update_links_as_printed
from verification.wrong_kernels.scanned_own_activity import renew_own_causes_by_one_scan
from verification.wrong_kernels.storage_order import (
    renew_own_causes_at_the_end,
    update_links_in_storage_order,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "ACTIVE",
    "BIRTH_DEATH",
    "LINKS_OF_FIRST",
    "LINK_ODDS",
    "NUMBER_LINKED",
    "ONE_CAUSE",
    "ON_TOP",
    "SCANNED",
    "SHARED_BY_FIRST_TWO",
    "STORAGE_ORDER",
    "run_batches",
]

#: What is wrong in a wrong sweep.
BIRTH_DEATH, LINK_ODDS, STORAGE_ORDER, ON_TOP, SCANNED = range(5)
#: What is averaged: P(K = 1), E[links of variable 1], E[causes shared by variables 1 and 2], E[K₊], and the
#: expected number of causes at work in row 1.
ONE_CAUSE, LINKS_OF_FIRST, SHARED_BY_FIRST_TWO, NUMBER_LINKED, ACTIVE = range(5)


@compiled_door
def run_batches(
    control: int,
    wrong: bool,
    statistic: int,
    seed: np.uint64,
    chain: int,
    first: int,
    length: int,
    state: State,
    data: Data,
    spec: KernelSpec,
    means: NDArray[np.float64],
) -> State:
    """Run as many batches of sweeps as `means` has places and write the statistic's average over each."""
    number = first
    for batch in range(means.size):
        total = 0.0
        for _ in range(length):
            state = _sweep(control, wrong, seed, chain, number, state, data, spec)
            number += 1
            total += _value(statistic, state)
        means[batch] = total / length
    return state


@compiled
def _sweep(
    control: int,
    wrong: bool,
    seed: np.uint64,
    chain: int,
    number: int,
    state: State,
    data: Data,
    spec: KernelSpec,
) -> State:
    n_variables = state.z.shape[0]
    rng = Rng(seed, chain, number * n_variables, False)
    for i in range(n_variables):
        rng = Rng(seed, chain, number * n_variables + i, False)
        if control == BIRTH_DEATH:
            while _birth_or_death(wrong, rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        if wrong and control == LINK_ODDS:
            update_links_as_printed(rng, state, data, spec, i)
        elif wrong and control == STORAGE_ORDER:
            update_links_in_storage_order(rng, state, data, spec, i)
        else:
            update_links(rng, state, data, spec, i)
        if not spec.finite:
            while _own_causes(control if wrong else -1, rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        if spec.finite:
            update_activity(rng, state, data, spec)
    if not spec.finite:
        update_activity(rng, state, data, spec)
    return state


@compiled
def _birth_or_death(wrong: bool, rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    if wrong:
        return update_as_printed(rng, state, data, spec, i)
    return update_by_birth_or_death(rng, state, data, spec, i)


@compiled
def _own_causes(wrong: int, rng: Rng, state: State, data: Data, spec: KernelSpec, i: int) -> int:
    if wrong == STORAGE_ORDER:
        return renew_own_causes_at_the_end(rng, state, data, spec, i)
    if wrong == ON_TOP:
        return renew_own_causes_on_top(rng, state, data, spec, i)
    if wrong == SCANNED:
        return renew_own_causes_by_one_scan(rng, state, data, spec, i)
    return update_own_causes(rng, state, data, spec, i)


@compiled
def _value(statistic: int, state: State) -> float:
    count = state.count[0]
    if statistic == ONE_CAUSE:
        return 1.0 if count == 1 else 0.0
    total = 0
    for k in range(count):
        if statistic == LINKS_OF_FIRST:
            total += state.z[0, k]
        elif statistic == SHARED_BY_FIRST_TWO:
            total += state.z[0, k] * state.z[1, k]
        elif statistic == NUMBER_LINKED:
            total += state.degree[k] > 0
        else:
            total += bit(state.y[k], 0)
    return float(total)
