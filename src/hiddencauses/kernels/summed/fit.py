"""Parameters of new causes, proposed near their conditional with the activity summed out.

A few rounds of expectation maximisation give expected counts of a Beta posterior; these are shrunk by the
share of information that is left when activity is not seen, so that the proposal is about as wide as the
posterior. The proposal depends on links and data alone, not on the parameters it replaces, so that forward
and reverse densities are two values of one function and no change of variables is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.state import PER_CAUSE, PER_LINK, SHARED, Data, KernelSpec, State
from hiddencauses.kernels.streams import draw_beta
from hiddencauses.kernels.summed.effort import count_work
from hiddencauses.kernels.summed.expectation import active_rows, fill_expectations, fill_weights, rows_of
from hiddencauses.kernels.summed.gains import gains
from hiddencauses.kernels.summed.group import Group, is_linked, log_beta_density, strength_of_cause

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Fit", "draw_parameters", "fit", "log_parameters_density"]

ROUNDS = 6
#: Operations for each variable, row and setting.
FIT_WORK = 6
FIRST_STRENGTH, FIRST_PREVALENCE = 0.7, 0.2
#: A proposal is made this much wider than the estimate: one too narrow is punished, one too wide is not.
SHRINKAGE = 0.9
#: The least share of information that is reckoned with.
LEAST_SHARE = 0.05


class Fit(NamedTuple):
    """Beta distributions: of strengths, variables × causes (row 0 when per cause), and of prevalences."""

    strength_a: NDArray[np.float64]
    strength_b: NDArray[np.float64]
    prevalence_a: NDArray[np.float64]
    prevalence_b: NDArray[np.float64]


@compiled
def fit(
    state: State,
    data: Data,
    spec: KernelSpec,
    kept: NDArray[np.bool_],
    group: Group,
    first: int,
    rows: NDArray[np.int64],
) -> Fit:
    """Return what to propose for the parameters of the causes `first`, … of a group, given its links."""
    n_variables, size = group.z.shape
    found = Fit(
        np.full((n_variables, size), spec.strength_a),
        np.full((n_variables, size), spec.strength_b),
        np.full(size, spec.prevalence_a),
        np.full(size, spec.prevalence_b),
    )
    if spec.strength_scope == SHARED and spec.prevalence_shared:
        return found
    variables = np.empty(n_variables, dtype=np.int64)
    n = 0
    for i in range(n_variables):
        if is_linked(group, i):
            variables[n] = i
            n += 1
    variables = variables[:n]
    strength = np.zeros((n, size))
    for v in range(n):
        for j in range(size):
            if group.z[variables[v], j]:
                free = j >= first and spec.strength_scope != SHARED
                strength[v, j] = FIRST_STRENGTH if free else group.strength[variables[v], j]
    prevalence = group.prevalence.copy()
    if not spec.prevalence_shared:
        prevalence[first:] = FIRST_PREVALENCE
    count_work(state, FIT_WORK * n * rows.size << size)
    all_gains = gains(state, data, spec, kept, variables, rows)
    weight = np.empty((1 << size, rows.size))
    fill_weights(all_gains, strength, prevalence, weight)
    active = active_rows(weight, first)
    some_gains = rows_of(all_gains, active)
    weight = rows_of(weight, active)
    trials, successes = np.zeros((n, size)), np.zeros((n, size))
    none = np.empty((n, size, 0))
    for turn in range(ROUNDS):
        if turn > 0:
            fill_weights(some_gains, strength, prevalence, weight)
        if spec.strength_scope != SHARED:
            fill_expectations(some_gains, weight, strength, first, trials, successes, none)
            _maximise_strength(spec, strength, first, trials, successes)
        if not spec.prevalence_shared:
            for j in range(first, size):
                a, b = spec.prevalence_a, spec.prevalence_b
                prevalence[j] = (a + _expected_on(weight, j)) / (a + b + rows.size)
    fill_weights(some_gains, strength, prevalence, weight)
    if spec.strength_scope != SHARED:
        scores = np.zeros((n, size, active.size))
        fill_expectations(some_gains, weight, strength, first, trials, successes, scores)
        _fit_strength(spec, found, variables, strength, first, trials, successes, scores)
    if not spec.prevalence_shared:
        for j in range(first, size):
            on = _expected_on(weight, j)
            p = prevalence[j]
            known = (rows.size - active.size) * p * p
            for r in range(active.size):
                chance = 0.0
                for s in range(weight.shape[0]):
                    if (s >> j) & 1:
                        chance += weight[s, r]
                known += (chance - p) ** 2
            share = _share(known, rows.size * p * (1.0 - p))
            found.prevalence_a[j] += share * on
            found.prevalence_b[j] += share * (rows.size - on)
    return found


@compiled
def _expected_on(weight: NDArray[np.float64], j: int) -> float:
    """Return in how many rows cause j is expected to be on."""
    total = 0.0
    for s in range(weight.shape[0]):
        if (s >> j) & 1:
            for r in range(weight.shape[1]):
                total += weight[s, r]
    return total


@compiled
def _share(known: float, complete: float) -> float:
    """Return the share of information that is left, a little less than estimated."""
    return SHRINKAGE * min(max(known / complete, LEAST_SHARE), 1.0) if complete > 0.0 else LEAST_SHARE


@compiled
def _maximise_strength(
    spec: KernelSpec,
    strength: NDArray[np.float64],
    first: int,
    trials: NDArray[np.float64],
    successes: NDArray[np.float64],
) -> None:
    """Put strengths at their posterior means given expected counts."""
    a, b = spec.strength_a, spec.strength_b
    for j in range(first, strength.shape[1]):
        tried, succeeded = trials[:, j].sum(), successes[:, j].sum()
        for v in range(strength.shape[0]):
            if strength[v, j] > 0.0:
                if spec.strength_scope == PER_LINK:
                    tried, succeeded = trials[v, j], successes[v, j]
                strength[v, j] = (a + succeeded) / (a + b + tried)


@compiled
def _fit_strength(
    spec: KernelSpec,
    found: Fit,
    variables: NDArray[np.int64],
    strength: NDArray[np.float64],
    first: int,
    trials: NDArray[np.float64],
    successes: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> None:
    """Write the Beta distributions of strengths."""
    for j in range(first, strength.shape[1]):
        if spec.strength_scope == PER_CAUSE:
            tried, succeeded = trials[:, j].sum(), successes[:, j].sum()
            value, known = 0.0, 0.0
            for v in range(strength.shape[0]):
                value = max(value, strength[v, j])
            for r in range(scores.shape[2]):
                known += scores[:, j, r].sum() ** 2
            share = _share(known * value * (1.0 - value), tried)
            found.strength_a[0, j] += share * succeeded
            found.strength_b[0, j] += share * max(tried - succeeded, 0.0)
            continue
        for v in range(strength.shape[0]):
            if strength[v, j] > 0.0:
                value, known = strength[v, j], 0.0
                for r in range(scores.shape[2]):
                    known += scores[v, j, r] ** 2
                share = _share(known * value * (1.0 - value), trials[v, j])
                found.strength_a[variables[v], j] += share * successes[v, j]
                found.strength_b[variables[v], j] += share * max(trials[v, j] - successes[v, j], 0.0)


@compiled
def draw_parameters(
    stream: NDArray[np.uint64], spec: KernelSpec, found: Fit, group: Group, first: int
) -> None:
    """Draw what the causes `first`, … of a group have of their own."""
    n_variables, size = group.z.shape
    for j in range(first, size):
        if spec.strength_scope == PER_CAUSE:
            group.strength[:, j] = draw_beta(stream, found.strength_a[0, j], found.strength_b[0, j])
        elif spec.strength_scope == PER_LINK:
            for i in range(n_variables):
                if group.z[i, j]:
                    group.strength[i, j] = draw_beta(stream, found.strength_a[i, j], found.strength_b[i, j])
        if not spec.prevalence_shared:
            group.prevalence[j] = draw_beta(stream, found.prevalence_a[j], found.prevalence_b[j])


@compiled
def log_parameters_density(spec: KernelSpec, found: Fit, group: Group, first: int) -> float:
    """Return the log density with which `draw_parameters` draws what the group has."""
    n_variables, size = group.z.shape
    total = 0.0
    for j in range(first, size):
        if spec.strength_scope == PER_CAUSE:
            total += log_beta_density(
                strength_of_cause(group, j), found.strength_a[0, j], found.strength_b[0, j]
            )
        elif spec.strength_scope == PER_LINK:
            for i in range(n_variables):
                if group.z[i, j]:
                    total += log_beta_density(
                        group.strength[i, j], found.strength_a[i, j], found.strength_b[i, j]
                    )
        if not spec.prevalence_shared:
            total += log_beta_density(group.prevalence[j], found.prevalence_a[j], found.prevalence_b[j])
    return total
