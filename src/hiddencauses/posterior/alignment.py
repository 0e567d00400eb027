"""Aligned causes: the same cause followed through draws and chains, and what the draws say about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.posterior.cause_names import name_causes
from hiddencauses.posterior.collection import Collection, collect
from hiddencauses.posterior.matching import NOBODY, match
from hiddencauses.posterior.structure_errors import expected_structure_errors, shared_causes
from hiddencauses.validation import check_probability

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hiddencauses.sampling.draws import Draws

__all__ = ["LEVEL", "Alignment", "align"]

#: What intervals hold, the same share left out at either end.
LEVEL = 0.95
#: A cause in at least this share of draws is established; in fewer than that, rare.
ESTABLISHED, RARE = 0.5, 0.05


@dataclass(frozen=True, eq=False)
class Alignment:
    """Causes matched across all draws: established, then uncertain, then rare, each most prevalent first.

    What is said of a cause is said given that it exists, as an average over the draws that have it; times
    `exists` it is unconditional.

    Attributes
    ----------
    causes
        The causes of all draws.
    label
        Which aligned cause each of them is, −1 for none.
    names
        A name from the variables that the cause drives most strongly.
    exists
        Share of draws that have the cause.
    exists_by_chain
        The same by chain, causes × chains.
    match
        How alike the cause is to its average in the draws that have it: mean cosine, at most 1.
    at_work
        Share of rows in which it is at work, on average over the draws whose activity is kept; its prevalence
        where none of these has it.
    prevalence, prevalence_low, prevalence_high
        Mean and interval of its prevalence.
    link_probability
        Variables × causes.
    strength, strength_low, strength_high
        Mean and interval of the strength of each link where there is one, variables × causes; NaN where
        there never is.
    single
        Share of the draws that have the cause in which it drives a single variable. Such a cause explains
        nothing that a leak could not.
    left_over
        Causes of a draw that are like no aligned cause, on average.
    """

    causes: Collection
    label: NDArray[np.int64]
    names: tuple[str, ...]
    exists: NDArray[np.float64]
    exists_by_chain: NDArray[np.float64]
    match: NDArray[np.float64]
    at_work: NDArray[np.float64]
    prevalence: NDArray[np.float64]
    prevalence_low: NDArray[np.float64]
    prevalence_high: NDArray[np.float64]
    link_probability: NDArray[np.float64]
    strength: NDArray[np.float64]
    strength_low: NDArray[np.float64]
    strength_high: NDArray[np.float64]
    single: NDArray[np.float64]
    left_over: float

    @property
    def n_aligned(self) -> int:
        """How many aligned causes there are, rare ones too."""
        return len(self.names)

    @property
    def n_established(self) -> int:
        """How many causes are in at least half of the draws: the first so many."""
        return int((self.exists >= ESTABLISHED).sum())

    @property
    def n_worth_telling(self) -> int:
        """How many causes are not rare: the first so many."""
        return int((self.exists >= RARE).sum())

    @property
    def status(self) -> tuple[str, ...]:
        """Say of each cause whether it is established, uncertain or rare."""
        return tuple(
            "established" if share >= ESTABLISHED else "uncertain" if share >= RARE else "rare"
            for share in self.exists
        )

    def activity(self) -> NDArray[np.float64]:
        """Return the chance that each cause that is not rare is at work, given that it exists, row by row.

        An average over the draws whose activity is kept; NaN where none of these has the cause.
        """
        told = self.n_worth_telling
        at_work, seen = np.zeros((self.causes.draws.n_rows, told)), np.zeros(told)
        for number in self.causes.with_activity:
            of_draw = slice(self.causes.start[number], self.causes.start[number + 1])
            labels = self.label[of_draw]
            wanted = np.flatnonzero((labels != NOBODY) & (labels < told))
            if len(wanted):
                at_work[:, labels[wanted]] += self.causes.activity(number)[:, wanted]
                seen[labels[wanted]] += 1
        return np.where(seen > 0, at_work / np.maximum(seen, 1), np.nan)

    def to_frame(self) -> pa.Table:
        """Return a row for each cause."""
        import pyarrow as pa

        return pa.table(
            {
                "cause": list(self.names),
                "status": list(self.status),
                "exists": self.exists,
                "match": self.match,
                "at_work": self.at_work,
                "prevalence": self.prevalence,
                "prevalence_low": self.prevalence_low,
                "prevalence_high": self.prevalence_high,
                "links": self.link_probability.sum(axis=0),
                "single": self.single,
            }
        )

    def links_to_frame(self) -> pa.Table:
        """Return a row for each cause and variable that are linked in some draw."""
        import pyarrow as pa

        cause, variable = np.nonzero(self.link_probability.T)
        columns = self.causes.draws.columns
        return pa.table(
            {
                "cause": [self.names[k] for k in cause],
                "variable": [columns[i] for i in variable],
                "probability": self.link_probability[variable, cause],
                "strength": self.strength[variable, cause],
                "strength_low": self.strength_low[variable, cause],
                "strength_high": self.strength_high[variable, cause],
            }
        )


def align(draws: Draws, *, level: float = LEVEL) -> Alignment:
    """Match causes across draws and chains.

    Parameters
    ----------
    draws
        Draws from the posterior.
    level
        What intervals hold.

    Examples
    --------
    >>> from hiddencauses import ModelSpec, sample
    >>> spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.3)
    >>> cells = [[1, 1, 1, 0]] * 5 + [[0, 0, 0, 0]] * 9 + [[0, 0, 0, 1]]
    >>> found = align(sample(cells, spec, draws=100, warmup=100, chains=2, seed=1))
    >>> found.names[0], found.exists_by_chain.shape[1]
    ('x1 + x2 + x3', 2)
    """
    level = check_probability("level", level)
    causes = collect(draws)
    typical = int(np.argmin(expected_structure_errors(shared_causes(causes))))
    return described(causes, match(causes, typical), level=level)


def described(causes: Collection, label: NDArray[np.int64], *, level: float = LEVEL) -> Alignment:
    """Say what the draws say about causes that are matched already."""
    n_labels = int(label.max(initial=NOBODY)) + 1
    label = _in_order(causes, label, n_labels)
    draws = causes.draws
    held = np.flatnonzero(label != NOBODY)
    mine, seen = label[held], np.bincount(label[held], minlength=n_labels).astype(np.float64)
    chain = causes.draw_of[held] // draws.n_draws
    by_chain = np.zeros((n_labels, draws.n_chains))
    np.add.at(by_chain, (mine, chain), 1.0)
    low, high = (1 - level) / 2, (1 + level) / 2
    links, strengths = causes.links[held], causes.strengths[held]
    n_variables = causes.n_variables
    probability = np.zeros((n_variables, n_labels))
    strength = np.full((3, n_variables, n_labels), np.nan)
    prevalence, likeness = np.empty((3, n_labels)), np.empty(n_labels)
    single = np.empty(n_labels)
    for k in range(n_labels):
        own = np.flatnonzero(mine == k)
        probability[:, k] = np.asarray(links[own].sum(axis=0)).ravel() / len(own)
        strength[:, :, k] = _strengths_of(strengths[own].tocsc(), low, high)
        values = causes.prevalence[held[own]]
        prevalence[:, k] = values.mean(), *np.quantile(values, (low, high))
        likeness[k] = _mean_likeness(strengths[own].toarray())
        single[k] = (causes.n_links[held[own]] == 1).mean()
    weight = probability * np.nan_to_num(strength[0])
    return Alignment(
        causes=causes,
        label=label,
        names=name_causes(draws.columns, weight),
        exists=seen / causes.n_draws,
        exists_by_chain=by_chain / draws.n_draws,
        match=likeness,
        at_work=_mean_at_work(causes, label, n_labels),
        prevalence=prevalence[0],
        prevalence_low=prevalence[1],
        prevalence_high=prevalence[2],
        link_probability=probability,
        strength=strength[0],
        strength_low=strength[1],
        strength_high=strength[2],
        single=single,
        left_over=float((label == NOBODY).sum() / causes.n_draws),
    )


def _in_order(causes: Collection, label: NDArray[np.int64], n_labels: int) -> NDArray[np.int64]:
    """Number labels anew: established first, then uncertain, then rare, each by rows at work."""
    held = label != NOBODY
    seen = np.bincount(label[held], minlength=n_labels)
    exists = seen / causes.n_draws
    rank = np.where(exists >= ESTABLISHED, 0, np.where(exists >= RARE, 1, 2))
    order = np.lexsort((-_mean_at_work(causes, label, n_labels), rank))
    number = np.full(n_labels + 1, NOBODY)  # the last entry is for NOBODY
    number[order] = np.arange(n_labels)
    return np.asarray(number[label])


def _mean_at_work(causes: Collection, label: NDArray[np.int64], n_labels: int) -> NDArray[np.float64]:
    """Return the mean share of rows of each label's causes where it is kept, else their mean prevalence."""

    def mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
        here = (label != NOBODY) & ~np.isnan(values)
        count = np.bincount(label[here], minlength=n_labels)
        total = np.bincount(label[here], weights=values[here], minlength=n_labels)
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)

    at_work = mean(causes.at_work)
    return np.where(np.isnan(at_work), mean(causes.prevalence), at_work)


def _strengths_of(strengths: object, low: float, high: float) -> NDArray[np.float64]:
    """Return mean and quantiles of what stands in each column of a sparse array, NaN for none."""
    from scipy.sparse import csc_array

    assert isinstance(strengths, csc_array)
    n_variables = strengths.shape[1]
    told = np.full((3, n_variables), np.nan)
    for i in range(n_variables):
        values = strengths.data[strengths.indptr[i] : strengths.indptr[i + 1]]
        if len(values):
            told[:, i] = values.mean(), *np.quantile(values, (low, high))
    return told


def _mean_likeness(strengths: NDArray[np.float64]) -> float:
    """Return the mean cosine between causes and their average."""
    lengths = np.linalg.norm(strengths, axis=1)
    mean = strengths.mean(axis=0)
    return float(min(1.0, (strengths @ mean / lengths).mean() / np.linalg.norm(mean)))
