"""Expectation maximisation for the causes of a group: what proposals are built on.

Strengths that maximise nothing exactly, of rows that are perhaps only a sample: whatever comes out here is
weighed by an exact ratio afterwards. Gains are variables × rows (`gains.py`), strengths variables × causes of
the group with 0 where there is no link, and weights settings × rows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled, compiled_any_order
from hiddencauses.kernels.summed.products import begin, renormalise, weigh

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["active_rows", "chance_in_setting", "fill_expectations", "fill_weights", "rows_of"]

#: So many factors are multiplied before the product is renormalised: each lies within 1e-12 … 1e12.
FACTORS = 16
#: Rows in which the causes are on with less probability than this are left out.
IDLE = 1e-3
#: No setting switches a variable on with more certainty: that such a cell is off would be impossible.
MOST_CHANCE = 1.0 - 1e-12


@compiled
def chance_in_setting(strength: NDArray[np.float64], v: int, setting: int) -> float:
    """Return 1 − Π (1 − λ_vj) over the causes that are on in a setting."""
    failure = 1.0
    for j in range(strength.shape[1]):
        if (setting >> j) & 1:
            failure *= 1.0 - strength[v, j]
    return min(1.0 - failure, MOST_CHANCE)


@compiled
def fill_weights(
    gains: NDArray[np.float64],
    strength: NDArray[np.float64],
    prevalence: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> None:
    """Write the probabilities of the settings of each row."""
    n_variables, n_rows = gains.shape
    power = np.empty(weight.shape, dtype=np.int64)
    for s in range(weight.shape[0]):
        log_prior = 0.0
        for j in range(prevalence.size):
            log_prior += math.log(prevalence[j]) if (s >> j) & 1 else math.log1p(-prevalence[j])
        product = weight[s]
        begin(product, power[s], log_prior)
        factors = 0
        for v in range(n_variables):
            chance = chance_in_setting(strength, v, s)
            if chance > 0.0:
                for r in range(n_rows):
                    product[r] *= 1.0 + gains[v, r] * chance
                factors += 1
                if factors % FACTORS == 0:
                    renormalise(product, power[s])
        renormalise(product, power[s])
    weigh(weight, power, np.empty(n_rows, dtype=np.int64))
    total = np.zeros(n_rows)
    for s in range(weight.shape[0]):
        for r in range(n_rows):
            total[r] += weight[s, r]
    for s in range(weight.shape[0]):
        for r in range(n_rows):
            weight[s, r] /= total[r]


@compiled
def active_rows(weight: NDArray[np.float64], first: int) -> NDArray[np.int64]:
    """Return the rows in which one of the causes `first`, … may well be on."""
    n_rows = weight.shape[1]
    found = np.empty(n_rows, dtype=np.int64)
    n = 0
    for r in range(n_rows):
        idle = 0.0
        for s in range(1 << first):
            idle += weight[s, r]
        if 1.0 - idle > IDLE:
            found[n] = r
            n += 1
    return found[:n]


@compiled
def rows_of(numbers: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return numbers (something × rows) of some rows."""
    found = np.empty((numbers.shape[0], rows.size))
    for v in range(numbers.shape[0]):
        for r in range(rows.size):
            found[v, r] = numbers[v, rows[r]]
    return found


@compiled_any_order
def fill_expectations(
    gains: NDArray[np.float64],
    weight: NDArray[np.float64],
    strength: NDArray[np.float64],
    first: int,
    trials: NDArray[np.float64],
    successes: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> None:
    """Write, for every link of the causes `first`, …, how often it acts and succeeds, as expected.

    A link acts in a row where its cause is on; it succeeds with certainty of the rest having failed, or with
    probability λ. Missing cells count for nothing. Scores (variables × causes × rows, or × 0 when not wanted)
    are the derivatives of a row's log likelihood by the link's strength.
    """
    n_variables, n_rows = gains.shape
    settings, size = weight.shape[0], strength.shape[1]
    on = np.zeros((size, n_rows))
    for j in range(first, size):
        for s in range(settings):
            if (s >> j) & 1:
                for r in range(n_rows):
                    on[j, r] += weight[s, r]
    part, score = np.empty((size, n_rows)), np.empty((size, n_rows))
    for v in range(n_variables):
        part[:] = 0.0
        score[:] = 0.0
        for s in range(1, settings):
            chance = chance_in_setting(strength, v, s)
            for j in range(first, size):
                if (s >> j) & 1 and strength[v, j] > 0.0:
                    for r in range(n_rows):
                        part[j, r] += weight[s, r] / (1.0 + gains[v, r] * chance)
                    if scores.shape[2]:
                        for r in range(n_rows):
                            score[j, r] += weight[s, r] / (1.0 + gains[v, r] * chance) * (1.0 - chance)
        for j in range(first, size):
            trials[v, j] = successes[v, j] = 0.0
            if strength[v, j] == 0.0:
                continue
            tried = succeeded = 0.0
            for r in range(n_rows):
                g = gains[v, r]
                tried += on[j, r] if g != 0.0 else 0.0
                succeeded += part[j, r] * (1.0 + g) if g > 0.0 else 0.0
            trials[v, j] = tried
            successes[v, j] = succeeded * strength[v, j]
            if scores.shape[2]:
                for r in range(n_rows):
                    scores[v, j, r] = gains[v, r] * score[j, r] / (1.0 - strength[v, j])
