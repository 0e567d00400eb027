"""Logistic regression of each variable on all others: no causes, a reference for what can be predicted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.prediction.methods import Answer
from benchmarks.prediction.real_tables import need
from benchmarks.prediction.rivals.tuning import filled_by_means, shares, tuned
from benchmarks.prediction.splits import Question, Task

__all__ = ["logistic_regression"]

Floats = NDArray[np.float64]

#: Inverse strengths of the pull of slopes to nought.
PULLS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def logistic_regression(task: Task) -> Answer:
    """Fit with the pull that predicts best."""
    need("sklearn", "scikit-learn")
    return tuned(task, PULLS, _fit)


def _fit(train: Floats, questions: Sequence[Question], pull: float, rng: np.random.Generator) -> list[Floats]:
    from sklearn.linear_model import LogisticRegression

    means = shares(train)
    rows = filled_by_means(train, means)
    asked = [filled_by_means(q.cells, means) for q in questions]
    said = [np.tile(means, (len(cells), 1)) for cells in asked]
    for i in range(train.shape[1]):
        known = ~np.isnan(train[:, i])
        if len(np.unique(train[known, i])) < 2:
            continue
        model = LogisticRegression(C=pull, max_iter=1000)
        model.fit(np.delete(rows[known], i, axis=1), train[known, i])
        for cells, chances in zip(asked, said, strict=True):
            chances[:, i] = model.predict_proba(np.delete(cells, i, axis=1))[:, 1]
    return said
