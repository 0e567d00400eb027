"""Transition probabilities of the twin, by following every random choice.

`every_outcome` runs a piece of the sampler again and again, each time with the next combination of answers to
its random choices, and adds up the probability of each state it ends in. Only choices with few answers
can be followed, so parameters must be fixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import permutations


@dataclass
class Script:
    """A source that answers by a script and takes note of where there was a choice.

    Attributes
    ----------
    answers
        Which answer to give at each choice; past its end the first answer is given and noted.
    counts
        How many answers each choice had.
    probability
        Probability of the answers given so far.
    """

    answers: list[int]
    counts: list[int] = field(default_factory=list)
    probability: float = 1.0

    def open(self, purpose: int, block: int, visit: int) -> None:
        """Streams do not matter here."""

    def choice(self, weights: Sequence[float]) -> int:
        """Follow a choice with these weights; impossible answers are not answers."""
        possible = [place for place, weight in enumerate(weights) if weight > 0]
        at = len(self.counts)
        if at == len(self.answers):
            self.answers.append(0)
        self.counts.append(len(possible))
        place = possible[self.answers[at]]
        self.probability *= weights[place] / math.fsum(weights)
        return place

    def bernoulli(self, probability: float) -> bool:
        """Follow a toss."""
        return self.choice([1 - probability, probability]) == 1

    def accept(self, log_ratio: float) -> bool:
        """Follow an acceptance."""
        return self.bernoulli(math.exp(min(0.0, log_ratio)))

    def integer(self, n: int) -> int:
        """Follow a uniform pick."""
        return self.choice([1.0] * n)

    def permutation(self, n: int) -> list[int]:
        """Follow a random order."""
        orders = list(permutations(range(n)))
        return list(orders[self.choice([1.0] * len(orders))])

    def next_answers(self) -> list[int] | None:
        """Return the script after this one, or None when all have been followed."""
        answers = self.answers[: len(self.counts)]
        while answers:
            answers[-1] += 1
            if answers[-1] < self.counts[len(answers) - 1]:
                return answers
            answers.pop()
        return None


def every_outcome(run: Callable[[Script], Hashable]) -> dict[Hashable, float]:
    """Return the probability of everything that `run` can return."""
    outcomes: dict[Hashable, float] = {}
    answers: list[int] | None = []
    while answers is not None:
        script = Script(answers)
        result = run(script)
        outcomes[result] = outcomes.get(result, 0.0) + script.probability
        answers = script.next_answers()
    return outcomes
