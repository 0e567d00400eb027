"""Sums of parts by scikit-learn: non-negative factors by Kullback and Leibler, and topics (LDA).

A row is a bag of words. Coded both ways it has a word for each yes and another for each no, and none for a
cell that is missing; a chance is the yes's share of both. Coded by ones it has words for its yeses only, and
missing cells are filled by what the fit says of them, time and again. What such fits say is far too sure of
itself, so it is calibrated on the inner split.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.prediction.methods import Answer
from benchmarks.prediction.real_tables import need
from benchmarks.prediction.rivals.tuning import filled_by_means, shares, tuned
from benchmarks.prediction.splits import Question, Task

__all__ = ["non_negative_factors", "topics"]

Floats = NDArray[np.float64]


class Factors(NamedTuple):
    """How rows are coded, and how many factors there are."""

    coded: Literal["ones", "both ways"]
    parts: int


class Topics(NamedTuple):
    """How many topics there are, and the prior of a row's topics (None: one in all)."""

    parts: int
    prior: float | None


FACTORS = [
    Factors(coded, parts) for coded in ("ones", "both ways") for parts in (1, 2, 3, 4, 6, 8, 12, 16, 24)
]
TOPICS = [Topics(parts, prior) for parts in (2, 4, 8, 16) for prior in (1.0, None)]
#: How often unknown cells are filled, in training rows and in test rows.
FILLED_TRAIN, FILLED_TEST = 3, 12
LEAST = 1e-4


def non_negative_factors(task: Task) -> Answer:
    """Fit non-negative factors, with the setting that predicts best."""
    need("sklearn", "scikit-learn")
    settings = [setting for setting in FACTORS if setting.parts <= min(task.train.shape)]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Maximum number of iterations")
        return tuned(task, settings, _fit_factors, calibrated=True)


def topics(task: Task) -> Answer:
    """Fit topics, with the setting that predicts best."""
    need("sklearn", "scikit-learn")
    return tuned(task, TOPICS, _fit_topics, calibrated=True, splits=1, masks=4)


def _fit_factors(
    train: Floats, questions: Sequence[Question], setting: Factors, rng: np.random.Generator
) -> list[Floats]:
    from sklearn.decomposition import NMF

    model = NMF(
        setting.parts,
        solver="mu",
        beta_loss="kullback-leibler",
        init="nndsvda",
        max_iter=300,
        random_state=int(rng.integers(2**31)),
    )
    fit = _fit_both_ways if setting.coded == "both ways" else _fit_ones
    return fit(model, train, questions)


def _fit_topics(
    train: Floats, questions: Sequence[Question], setting: Topics, rng: np.random.Generator
) -> list[Floats]:
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(
        setting.parts, doc_topic_prior=setting.prior, max_iter=40, random_state=int(rng.integers(2**31))
    )
    return _fit_both_ways(model, train, questions)


def _fit_both_ways(model: Any, train: Floats, questions: Sequence[Question]) -> list[Floats]:
    model.fit(_both_ways(train))
    parts = model.components_ / model.components_.sum(axis=1, keepdims=True)
    scale = model.components_.sum(axis=1) if hasattr(model, "reconstruction_err_") else 1.0
    said = []
    for question in questions:
        rates = (model.transform(_both_ways(question.cells)) * scale) @ parts + LEAST
        yes, no = np.hsplit(rates, 2)
        said.append(yes / (yes + no))
    return said


def _both_ways(cells: Floats) -> Floats:
    return np.hstack([np.nan_to_num(cells), np.nan_to_num(1.0 - cells)])


def _fit_ones(model: Any, train: Floats, questions: Sequence[Question]) -> list[Floats]:
    means = shares(train)
    rows = filled_by_means(train, means)
    for _ in range(FILLED_TRAIN if np.isnan(train).any() else 1):
        rates = np.clip(model.fit_transform(rows) @ model.components_, LEAST, 1.0 - LEAST)
        rows = np.where(np.isnan(train), rates, train)
    said = []
    for question in questions:
        rows = filled_by_means(question.cells, means)
        for _ in range(FILLED_TEST):
            rates = np.clip(model.transform(rows) @ model.components_, LEAST, 1.0 - LEAST)
            rows = np.where(np.isnan(question.cells), rates, question.cells)
        said.append(rates)
    return said
