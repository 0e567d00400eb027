"""The restricted Boltzmann machine of scikit-learn: hidden units that are added up in log odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from benchmarks.prediction.methods import Answer
from benchmarks.prediction.real_tables import need
from benchmarks.prediction.rivals.tuning import filled_by_means, shares, tuned
from benchmarks.prediction.splits import Question, Task

__all__ = ["boltzmann_machine"]

Floats = NDArray[np.float64]


class Setting(NamedTuple):
    """Hidden units, and passes over the training rows."""

    hidden: int
    epochs: int


SETTINGS = [Setting(hidden, epochs) for hidden in (2, 4, 8, 16, 32) for epochs in (50, 200)]
#: Learning rate at the beginning; it falls to nothing in a line.
RATE, BATCH = 0.3, 10
UNUSED, SWEEPS = 30, 150


def boltzmann_machine(task: Task) -> Answer:
    """Fit by persistent contrastive divergence, with the setting that predicts best."""
    need("sklearn", "scikit-learn")
    return tuned(task, SETTINGS, _fit, splits=1)


def _fit(
    train: Floats, questions: Sequence[Question], setting: Setting, rng: np.random.Generator
) -> list[Floats]:
    means = shares(train)
    machine = _trained(filled_by_means(train, means), means, setting, rng)
    return [_chances(q.cells, machine, means, rng) for q in questions]


def _trained(rows: Floats, means: Floats, setting: Setting, rng: np.random.Generator) -> Any:
    from sklearn.neural_network import BernoulliRBM

    machine = BernoulliRBM(setting.hidden, batch_size=BATCH, random_state=int(rng.integers(2**31)))
    machine.set_params(learning_rate=1e-12)
    machine.partial_fit(rows[:BATCH])  # makes its arrays, and hardly moves them
    machine.intercept_visible_ = np.log(means / (1 - means))
    for epoch in range(setting.epochs):
        machine.set_params(learning_rate=RATE * (1 - epoch / setting.epochs))
        order = rng.permutation(len(rows))
        for first in range(0, len(rows) - BATCH + 1, BATCH):
            machine.partial_fit(rows[order[first : first + BATCH]])
    return machine


def _chances(cells: Floats, machine: Any, means: Floats, rng: np.random.Generator) -> Floats:
    """Average the chances of cells over Gibbs sweeps in which those seen are held."""
    unseen = np.isnan(cells)
    visible = np.where(unseen, rng.random(cells.shape) < means, cells)
    total = np.zeros(cells.shape)
    weights = machine.components_
    for sweep in range(UNUSED + SWEEPS):
        chance = expit(visible @ weights.T + machine.intercept_hidden_)
        hidden = (rng.random(chance.shape) < chance).astype(np.float64)
        on = expit(hidden @ weights + machine.intercept_visible_)
        visible = np.where(unseen, rng.random(on.shape) < on, cells)
        if sweep >= UNUSED:
            total += on
    return total / SWEEPS
