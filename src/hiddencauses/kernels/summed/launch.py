"""Where to look for the links of new causes: a launch, from which links are then drawn one by one.

From a guess at one or two causes (`pattern.py`) a few rounds of expectation maximisation, in which every
variable has a soft link, lead to a probability for each way in which a variable may be linked. A launch is
built from the kept causes, the data and random numbers of its own, not from the causes that a move takes out
or puts in. It is thus the same thing for a move and its reverse: the forward density of new links, and the
reverse density of the old ones, are products of probabilities of one launch (after Jain and Neal 2004).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.state import SHARED, KernelSpec, State
from hiddencauses.kernels.streams import draw_place
from hiddencauses.kernels.summed.effort import count_work
from hiddencauses.kernels.summed.expectation import (
    active_rows,
    chance_in_setting,
    fill_expectations,
    fill_weights,
    rows_of,
)
from hiddencauses.kernels.summed.group import Group
from hiddencauses.kernels.summed.pattern import fill_patterns
from hiddencauses.kernels.summed.products import log_product

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["draw_links", "launch", "log_links_density"]

ROUNDS = 5
FIRST_PREVALENCE = 0.2
#: Strengths over which a link is judged.
STRENGTHS = (0.3, 0.6, 0.9)
#: A soft link counts as one from here on.
LINKED = 0.3
#: No way of linking a variable has less probability than this, divided by the number of variables.
LEAST_CHANCE = 0.5
#: Nor is it more than this.
MOST_LEAST = 0.05
#: Operations for each variable, row and setting.
LAUNCH_WORK = 16


@compiled
def launch(
    stream: NDArray[np.uint64],
    state: State,
    spec: KernelSpec,
    gains: NDArray[np.float64],
    variables: NDArray[np.int64],
    size: int,
    unlinked: bool,
) -> NDArray[np.float64]:
    """Return the probability of each way of linking so many new causes, variables × ways.

    The bits of a way, from 0 on, say which of the causes are linked. Without `unlinked` way 0, no link, is
    ruled out.
    """
    n_variables = variables.size
    strength = np.zeros((n_variables, size))
    prevalence = np.empty(size)
    prevalence[:] = state.prevalence[0] if spec.prevalence_shared else FIRST_PREVALENCE
    fill_patterns(stream, gains, strength)
    n_rows = gains.shape[1]
    weight = np.empty((1 << size, n_rows))
    fill_weights(gains, strength, prevalence, weight)
    active = active_rows(weight, 0)
    gains = rows_of(gains, active)
    weight = rows_of(weight, active)
    trials, successes = np.zeros((n_variables, size)), np.zeros((n_variables, size))
    none = np.empty((n_variables, size, 0))
    for turn in range(ROUNDS):
        if turn > 0:
            fill_weights(gains, strength, prevalence, weight)
        fill_expectations(gains, weight, strength, 0, trials, successes, none)
        for j in range(size):
            for v in range(n_variables):
                strength[v, j] = (1.0 + successes[v, j]) / (2.0 + trials[v, j])
                if trials[v, j] > 0.0 and successes[v, j] < 0.1 * trials[v, j]:
                    # without this the soft links of many idle variables would add up
                    strength[v, j] *= 0.5
            if not spec.prevalence_shared:
                on = 0.0
                for s in range(1 << size):
                    if (s >> j) & 1:
                        on += weight[s].sum()
                prevalence[j] = (1.0 + on) / (5.0 + n_rows)
    fill_weights(gains, strength, prevalence, weight)
    count_work(state, LAUNCH_WORK * n_variables * n_rows * weight.shape[0])
    return _chances(state, spec, gains, strength, weight, unlinked)


@compiled
def _chances(
    state: State,
    spec: KernelSpec,
    gains: NDArray[np.float64],
    strength: NDArray[np.float64],
    weight: NDArray[np.float64],
    unlinked: bool,
) -> NDArray[np.float64]:
    """Judge each variable in turn, rows weighted by what all others say of them."""
    n_all = state.z.shape[0]
    n_variables, size = strength.shape
    settings = ways = 1 << size
    grid = len(STRENGTHS) if spec.strength_scope != SHARED else 1
    log_odds = np.empty(size)
    linked = np.zeros(size)
    for j in range(size):
        for v in range(n_variables):
            linked[j] += strength[v, j] > LINKED
    found = np.empty((n_variables, ways))
    n_rows = gains.shape[1]
    others, total = np.empty((settings, n_rows)), np.empty((ways, grid))
    norm, factor = np.empty(n_rows), np.empty(n_rows)
    least = min(LEAST_CHANCE / n_variables, MOST_LEAST)
    for v in range(n_variables):
        for j in range(size):
            besides = min(max(linked[j] - (strength[v, j] > LINKED), 1.0), n_all - 1.0)
            log_odds[j] = math.log(besides / (n_all - besides)) if n_all > 1 else 0.0
        norm[:] = 0.0
        for s in range(settings):
            chance = chance_in_setting(strength, v, s)
            for r in range(n_rows):
                others[s, r] = weight[s, r] / (1.0 + gains[v, r] * chance)
                norm[r] += others[s, r]
        total[0] = 0.0
        for way in range(1, ways):
            for q in range(grid):
                tried = STRENGTHS[q] if spec.strength_scope != SHARED else state.strength[0, 0]
                factor[:] = 0.0
                for s in range(settings):
                    failure = 1.0
                    for j in range(size):
                        if (s >> j) & 1 and (way >> j) & 1:
                            failure *= 1.0 - tried
                    for r in range(n_rows):
                        factor[r] += others[s, r] * (1.0 + gains[v, r] * (1.0 - failure))
                for r in range(n_rows):
                    factor[r] /= norm[r]
                total[way, q] = log_product(factor)
        for way in range(ways):
            largest = total[way].max()
            summed = 0.0
            for q in range(grid):
                summed += math.exp(total[way, q] - largest)
            found[v, way] = largest + math.log(summed)
            for j in range(size):
                if (way >> j) & 1:
                    found[v, way] += log_odds[j]
        if not unlinked:
            found[v, 0] = -math.inf
        largest = found[v].max()
        together = 0.0
        for way in range(ways):
            found[v, way] = math.exp(found[v, way] - largest)
            together += found[v, way]
        open_ways = ways if unlinked else ways - 1
        for way in range(ways):
            if way > 0 or unlinked:
                found[v, way] = least + (1.0 - open_ways * least) * found[v, way] / together
    return found


@compiled
def draw_links(
    stream: NDArray[np.uint64], chances: NDArray[np.float64], variables: NDArray[np.int64], group: Group
) -> None:
    """Draw the links of a group, variable by variable."""
    for v in range(variables.size):
        way = draw_place(stream, chances[v])
        for j in range(group.prevalence.size):
            group.z[variables[v], j] = (way >> j) & 1


@compiled
def log_links_density(chances: NDArray[np.float64], variables: NDArray[np.int64], group: Group) -> float:
    """Return the log probability with which `draw_links` draws what the group has."""
    total = 0.0
    for v in range(variables.size):
        way = 0
        for j in range(group.prevalence.size):
            way |= group.z[variables[v], j] << j
        total += math.log(chances[v, way])
    return total
