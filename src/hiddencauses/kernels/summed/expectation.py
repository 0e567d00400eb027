"""Expectation maximisation for the causes of a group: what proposals are built on.

Strengths that maximise nothing exactly, of rows that are perhaps only a sample: whatever comes out here is
weighed by an exact ratio afterwards. Gains are variables × rows (`gains.py`), strengths variables × causes of
the group with 0 where there is no link, and weights settings × rows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["active_rows", "chance_in_setting", "fill_expectations", "fill_weights"]

#: So many factors are multiplied before a logarithm is taken: each lies within 1e-16 … 1e12.
FACTORS = 8
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
    product = np.empty(n_rows)
    for s in range(weight.shape[0]):
        log_prior = 0.0
        for j in range(prevalence.size):
            log_prior += math.log(prevalence[j]) if (s >> j) & 1 else math.log1p(-prevalence[j])
        weight[s, :] = log_prior
        if s == 0:
            continue
        product[:] = 1.0
        factors = 0
        for v in range(n_variables):
            chance = chance_in_setting(strength, v, s)
            if chance > 0.0:
                for r in range(n_rows):
                    product[r] *= 1.0 + gains[v, r] * chance
                factors += 1
            if factors == FACTORS or v == n_variables - 1:
                for r in range(n_rows):
                    weight[s, r] += math.log(product[r])
                    product[r] = 1.0
                factors = 0
    for r in range(n_rows):
        largest = -math.inf
        for s in range(weight.shape[0]):
            largest = max(largest, weight[s, r])
        total = 0.0
        for s in range(weight.shape[0]):
            weight[s, r] = math.exp(weight[s, r] - largest)
            total += weight[s, r]
        for s in range(weight.shape[0]):
            weight[s, r] /= total


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
    settings = weight.shape[0]
    chance = np.empty(settings)
    for v in range(n_variables):
        for s in range(settings):
            chance[s] = chance_in_setting(strength, v, s)
        for j in range(first, strength.shape[1]):
            trials[v, j] = successes[v, j] = 0.0
            if strength[v, j] == 0.0:
                continue
            for r in range(n_rows):
                g = gains[v, r]
                if g == 0.0:
                    continue
                on = shared = score = 0.0
                for s in range(settings):
                    if (s >> j) & 1:
                        part = weight[s, r] / (1.0 + g * chance[s])
                        on += weight[s, r]
                        shared += part
                        score += part * (1.0 - chance[s])
                trials[v, j] += on
                if g > 0.0:
                    successes[v, j] += shared * strength[v, j] * (1.0 + g)
                if scores.shape[2]:
                    scores[v, j, r] = g * score / (1.0 - strength[v, j])
