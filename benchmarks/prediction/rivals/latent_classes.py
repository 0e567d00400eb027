"""Latent classes: every row belongs to one class, within which variables are independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.prediction.methods import Answer
from benchmarks.prediction.rivals.tuning import shares, tuned
from benchmarks.prediction.splits import Question, Task

__all__ = ["latent_classes"]

Floats = NDArray[np.float64]

STARTS, STEPS = 5, 200


class Setting(NamedTuple):
    """How many classes, and how many imagined rows pull a class's rates to the variable's share."""

    classes: int
    imagined: float


SETTINGS = [
    Setting(classes, imagined)
    for classes in (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 26, 32, 45, 64)
    for imagined in (1.0, 3.0)
]


def latent_classes(task: Task) -> Answer:
    """Fit by expectation and maximisation, with the number of classes that predicts best."""
    return tuned(task, SETTINGS, _fit)


def _fit(
    train: Floats, questions: Sequence[Question], setting: Setting, rng: np.random.Generator
) -> list[Floats]:
    fits = [_climb(train, setting, rng) for _ in range(STARTS if setting.classes > 1 else 1)]
    _, weights, rates = max(fits, key=lambda found: found[0])
    return [_memberships(q.cells, weights, rates)[0] @ rates for q in questions]


def _climb(train: Floats, setting: Setting, rng: np.random.Generator) -> tuple[float, Floats, Floats]:
    """Climb from a random start; returns the log posterior, weights and rates."""
    classes, imagined = setting
    share = shares(train)
    ones, known = np.nan_to_num(train), (~np.isnan(train)).astype(np.float64)
    memberships = rng.dirichlet(np.full(classes, 0.3), size=len(train))
    before = -np.inf
    for _ in range(STEPS):
        weights = (memberships.sum(axis=0) + 1.0) / (len(train) + classes)
        rates = (memberships.T @ ones + imagined * share) / (memberships.T @ known + imagined)
        memberships, log_likelihood = _memberships(train, weights, rates)
        pulled = imagined * (share * np.log(rates) + (1 - share) * np.log1p(-rates)).sum()
        height = log_likelihood + pulled + np.log(weights).sum()
        if height - before < 1e-6 * abs(height):
            break
        before = height
    return height, weights, rates


def _memberships(cells: Floats, weights: Floats, rates: Floats) -> tuple[Floats, float]:
    """Return P(class | cells seen) of each row, and the log likelihood of all rows."""
    ones, zeros = np.nan_to_num(cells), np.where(np.isnan(cells), 0.0, 1.0 - cells)
    log_joint = np.log(weights) + ones @ np.log(rates).T + zeros @ np.log1p(-rates).T
    highest = log_joint.max(axis=1, keepdims=True)
    joint = np.exp(log_joint - highest)
    total = joint.sum(axis=1, keepdims=True)
    return joint / total, float((np.log(total) + highest).sum())
