"""What a method is and says, the plainest of them, and ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benchmarks.prediction.noisy_or import Effort, by_draw
from benchmarks.prediction.splits import Task
from hiddencauses import ModelSpec

__all__ = ["Answer", "Method", "SpecMethod", "independent_columns"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Answer:
    """What a method says.

    Attributes
    ----------
    chances
        For each question P(cell = 1) of the asked cells, in row-major order; or several such, one below the
        other, whose losses are averaged.
    notes
        Figures worth keeping: what was chosen, how many causes there are.
    """

    chances: tuple[Floats, ...]
    notes: dict[str, float | str] = field(default_factory=dict)


Method = Callable[[Task], Answer]


def independent_columns(task: Task) -> Answer:
    """Predict each variable's own share of ones, with one further one and one further zero."""
    seen = (~np.isnan(task.train)).sum(axis=0)
    share = (np.nansum(task.train, axis=0) + 1.0) / (seen + 2.0)
    return Answer(tuple(np.broadcast_to(share, q.asked.shape)[q.asked] for q in task.questions))


@dataclass(frozen=True, slots=True)
class SpecMethod:
    """The line of a variant of the model.

    Attributes
    ----------
    spec, effort
        What is sampled, and for how long.
    averaged
        Whether chances are averaged over draws; else those of each draw stand alone.
    """

    spec: ModelSpec
    effort: Effort
    averaged: bool = True

    def __call__(self, task: Task) -> Answer:
        """Answer a task."""
        found = by_draw(task, self.spec, self.effort)
        chances = tuple(part.mean(axis=0) if self.averaged else part for part in found.chances)
        return Answer(chances, {"causes": found.causes, "links": found.links})
