"""Item response with two parameters a variable, in up to three dimensions: log odds linear in normal traits.

Traits are summed out on a grid; slopes and intercepts climb to the highest posterior.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_expit, logsumexp

from benchmarks.prediction.methods import Answer
from benchmarks.prediction.rivals.tuning import shares, tuned
from benchmarks.prediction.splits import Question, Task

__all__ = ["item_response"]

Floats = NDArray[np.float64]

#: Nodes along each dimension, by how many dimensions there are.
NODES = {1: 31, 2: 13, 3: 8}
INTERCEPT_SCALE = 3.0


class Setting(NamedTuple):
    """How many traits, and the standard deviation of slopes in their prior."""

    dimensions: int
    slope_scale: float


SETTINGS = [Setting(k, scale) for k in NODES for scale in (1.0, 3.0)]


def item_response(task: Task) -> Answer:
    """Fit with the setting that predicts best."""
    return tuned(task, SETTINGS, _fit)


def _fit(
    train: Floats, questions: Sequence[Question], setting: Setting, rng: np.random.Generator
) -> list[Floats]:
    traits, log_weights = _grid(setting.dimensions)
    n_variables = train.shape[1]
    ones, known = np.nan_to_num(train), (~np.isnan(train)).astype(np.float64)
    share = shares(train)
    start = np.vstack([np.log(share / (1 - share)), 0.5 * rng.normal(size=(setting.dimensions, n_variables))])
    scale = np.array([INTERCEPT_SCALE, *[setting.slope_scale] * setting.dimensions])[:, None]
    design = np.column_stack([np.ones(len(traits)), traits])

    def depth(flat: Floats) -> tuple[float, Floats]:
        par = flat.reshape(start.shape)
        log_odds = design @ par
        joint = _log_joint(ones, known, log_odds, log_weights)
        total = logsumexp(joint, axis=1, keepdims=True)
        at_node = np.exp(joint - total)
        slope = at_node.T @ ones - (at_node.T @ known) * np.exp(log_expit(log_odds))
        value = -total.sum() + 0.5 * ((par / scale) ** 2).sum()
        return float(value), (par / scale**2 - design.T @ slope).ravel()

    best = minimize(depth, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 200, "ftol": 1e-7})
    log_odds = design @ best.x.reshape(start.shape)
    return [_chances(q.cells, log_odds, log_weights) for q in questions]


def _grid(dimensions: int) -> tuple[Floats, Floats]:
    """Return nodes × dimensions, and the log weight of each node under a standard normal."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES[dimensions])
    traits = np.array(list(itertools.product(nodes, repeat=dimensions)))
    log_weights = np.array([sum(w) for w in itertools.product(np.log(weights), repeat=dimensions)])
    return traits, log_weights - logsumexp(log_weights)


def _log_joint(ones: Floats, known: Floats, log_odds: Floats, log_weights: Floats) -> Floats:
    """Return log P(node, cells seen), rows × nodes."""
    return np.asarray(ones @ log_expit(log_odds).T + (known - ones) @ log_expit(-log_odds).T + log_weights)


def _chances(cells: Floats, log_odds: Floats, log_weights: Floats) -> Floats:
    joint = _log_joint(np.nan_to_num(cells), (~np.isnan(cells)).astype(np.float64), log_odds, log_weights)
    at_node = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    return np.asarray(at_node @ np.exp(log_expit(log_odds)))
