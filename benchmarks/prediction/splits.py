"""Splits: rows a method learns from, cells of other rows it is asked for, and the loss of its answers.

A method is handed a `Task`, in which no asked cell can be seen: asked cells are missing there, as are those
that the table lacks. The answers stay in the `Split`.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.prediction.real_tables import RealTable

__all__ = ["Question", "Split", "Task", "log_loss", "make_split", "mask", "test_rows"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: Share of the rows that is for testing, and of their known cells that is asked for at a time.
TEST_SHARE, ASKED_SHARE = 0.3, 0.1


@dataclass(frozen=True, eq=False, slots=True)
class Question:
    """Test rows with some cells taken out.

    Attributes
    ----------
    cells
        Rows × variables: 0, 1, NaN where missing or asked for.
    asked
        Rows × variables: which cells are asked for.
    """

    cells: Floats
    asked: Flags


@dataclass(frozen=True, eq=False, slots=True)
class Task:
    """All that a method is told.

    Attributes
    ----------
    train
        Rows to learn from: 0, 1, NaN where missing.
    questions
        What it is asked.
    seed
        For whatever randomness the method has.
    groups
        Groups of the rows to learn from, or None.
    """

    train: Floats
    questions: tuple[Question, ...]
    seed: int
    groups: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """A task, and the answers to each of its questions, asked cells in row-major order."""

    task: Task
    answers: tuple[Floats, ...]


def make_split(table: RealTable, number: int, *, seed: int, masks: int = 1) -> Split:
    """Make one of a table's splits.

    Parameters
    ----------
    table
        What is split.
    number
        Which split, from 0.
    seed
        All randomness follows from seed, table and number, and from nothing that a method does.
    masks
        How many disjoint tenths of the test rows' known cells are asked for, one after the other.
    """
    rng = np.random.default_rng([seed, zlib.crc32(table.name.encode()), number])
    test = test_rows(rng, len(table.cells), table.groups)
    questions, answers = mask(rng, table.cells[test], masks)
    groups = None if table.groups is None else table.groups[~test]
    task = Task(table.cells[~test].copy(), questions, int(rng.integers(2**31)), groups)
    return Split(task, answers)


def test_rows(rng: np.random.Generator, n_rows: int, groups: NDArray[np.int64] | None) -> Flags:
    """Choose rows for testing: about 30 % of them, whole groups where there are groups."""
    unit = np.arange(n_rows) if groups is None else groups
    names, sizes = np.unique(unit, return_counts=True)
    order = rng.permutation(len(names))
    before = np.cumsum(sizes[order]) - sizes[order]
    return np.isin(unit, names[order[before < round(TEST_SHARE * n_rows)]])


def mask(
    rng: np.random.Generator, cells: Floats, masks: int
) -> tuple[tuple[Question, ...], tuple[Floats, ...]]:
    """Take disjoint tenths of the known cells out, each of them once."""
    parts = round(1 / ASKED_SHARE)
    if not 1 <= masks <= parts:
        raise ValueError(f"masks is {masks}; it must be 1 to {parts}")
    known = np.argwhere(~np.isnan(cells))
    part = np.empty(len(known), dtype=np.int64)
    part[rng.permutation(len(known))] = np.arange(len(known)) % parts
    questions, answers = [], []
    for number in range(masks):
        asked = np.zeros(cells.shape, dtype=np.bool_)
        asked[tuple(known[part == number].T)] = True
        questions.append(Question(np.where(asked, np.nan, cells), asked))
        answers.append(cells[asked])
    return tuple(questions), tuple(answers)


def log_loss(answers: Floats, probabilities: Floats) -> float:
    """Average −log P(answer), in nats a cell; rows of `probabilities`, if there are any, are averaged too."""
    p = np.clip(probabilities, 1e-9, 1 - 1e-9)
    return float(-np.mean(np.where(answers == 1, np.log(p), np.log1p(-p))))
