"""Choosing a rival's setting: split the training rows again, take what predicts best there, fit anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from benchmarks.prediction.methods import Answer
from benchmarks.prediction.splits import Question, Task, log_loss, mask, test_rows

__all__ = ["Fit", "filled_by_means", "shares", "tuned"]

Floats = NDArray[np.float64]
Setting = TypeVar("Setting")

#: Fits to training rows with a setting, and returns for each question the chances of all cells.
Fit = Callable[[Floats, Sequence[Question], Setting, np.random.Generator], Sequence[Floats]]

#: The calibration that changes nothing: shift, stretch, weight of the variable's own log odds.
AS_IT_IS = np.array([0.0, 1.0, 0.0])


def tuned(
    task: Task,
    settings: Sequence[Setting],
    fit: Fit[Setting],
    *,
    calibrated: bool = False,
    splits: int = 3,
    masks: int = 10,
) -> Answer:
    """Answer a task with the best of some settings.

    Parameters
    ----------
    task
        What is asked.
    settings
        From the simplest to the richest.
    fit
        How to fit with one of them.
    calibrated
        Whether chances go through a logistic regression that is fitted on the inner splits.
    splits
        Inner splits, whose losses are added up.
    masks
        Tenths of the inner test rows' cells that settings are judged by.
    """
    rng = np.random.default_rng(task.seed)
    inner = [_inner_split(rng, task, masks) for _ in range(splits)]
    truth = np.concatenate([answers for _, _, answers in inner])
    base = np.concatenate([part for train, questions, _ in inner for part in _plain(train, questions)])
    best, best_loss, best_line = settings[0], np.inf, AS_IT_IS
    for setting in settings:
        said = np.concatenate(
            [
                part
                for train, questions, _ in inner
                for part in _asked(fit(train, questions, setting, rng), questions)
            ]
        )
        line = _calibration(truth, said, base) if calibrated else AS_IT_IS
        loss = log_loss(truth, _calibrated(line, said, base))
        if loss < best_loss:
            best, best_loss, best_line = setting, loss, line
    final = _asked(fit(task.train, task.questions, best, rng), task.questions)
    bases = _plain(task.train, task.questions)
    chances = tuple(_calibrated(best_line, p, b) for p, b in zip(final, bases, strict=True))
    return Answer(chances, {"setting": str(best)})


def shares(train: Floats) -> Floats:
    """Return the share of ones of each variable, with one further one and one further zero."""
    return (np.nansum(train, axis=0) + 1.0) / ((~np.isnan(train)).sum(axis=0) + 2.0)


def filled_by_means(cells: Floats, means: Floats) -> Floats:
    """Put a variable's mean where its cell is not known."""
    return np.where(np.isnan(cells), means, cells)


def _asked(said: Sequence[Floats], questions: Sequence[Question]) -> list[Floats]:
    return [chances[q.asked] for chances, q in zip(said, questions, strict=True)]


def _inner_split(
    rng: np.random.Generator, task: Task, masks: int
) -> tuple[Floats, tuple[Question, ...], Floats]:
    """Split the training rows; returns rows to learn from, questions, and all answers in a row."""
    test = test_rows(rng, len(task.train), task.groups)
    questions, answers = mask(rng, task.train[test], masks)
    return task.train[~test], questions, np.concatenate(answers)


def _plain(train: Floats, questions: Sequence[Question]) -> list[Floats]:
    share = shares(train)
    return [np.broadcast_to(share, q.asked.shape)[q.asked] for q in questions]


def _log_odds(p: Floats) -> Floats:
    p = np.clip(p, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(p / (1 - p)))


def _calibrated(line: Floats, p: Floats, base: Floats) -> Floats:
    if line is AS_IT_IS:
        return p
    return np.asarray(expit(line[0] + line[1] * _log_odds(p) + line[2] * _log_odds(base)))


def _calibration(truth: Floats, p: Floats, base: Floats) -> Floats:
    """Fit shift, stretch of log odds, and weight of the variable's own."""

    def loss(line: Floats) -> float:
        return log_loss(truth, _calibrated(line, p, base))

    return np.asarray(minimize(loss, np.array([0.0, 0.5, 0.5]), method="L-BFGS-B").x)
