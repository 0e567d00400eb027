"""Samplers against the exact posterior of tiny tables, for every variant of the model.

Each tiny case is run in rounds of independent chains until its Monte-Carlo error is small: at most 0.002 for
a probability and at most 0.5 % of a mean. Two joint tests over all cases share the level: no z-score is
larger than that many normal scores could be, and the p-values of the cases, in each of which all averages are
tested together with their correlations (Hotelling), are not small on the whole. The first notices one average
that is off, the second many that are off a little.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddencauses import ModelSpec, Table, exact_posterior, sample
from hiddencauses.errors import HiddenCausesWarning
from hiddencauses.oracle.exact import ExactPosterior
from hiddencauses.sampling.draws import Draws
from verification.averages import Layout, batch_sums
from verification.case import LEVEL, Case, Outcome, Settings
from verification.monte_carlo import (
    BatchMeans,
    combined_p_value,
    hotelling_p_value,
    max_score_p_value,
    merged,
)
from verification.tiny_cases import WIDE, TinyCase, tiny_cases

__all__ = ["Comparison", "cases", "compare", "verdict"]

CHAINS, WARMUP, BATCHES_PER_CHAIN = 2, 2000, 32
#: The Monte-Carlo errors that the full tier asks for.
PROBABILITY_ERROR, RELATIVE_ERROR = 0.002, 0.005
#: Numbers of causes with less posterior probability than this are counted together.
TAIL = 0.005
#: A fixed parameter seems to vary this much, relative to its square, because sums of many draws are rounded.
ROUNDING = 1e-8
#: An average of something that happens so rarely in the draws is not normal, and is not tested.
FEWEST_EVENTS = 50


@dataclass(frozen=True, slots=True)
class Effort:
    """Draws of a chain and round, and bounds on the number of rounds."""

    draws: int
    fewest_rounds: int
    most_rounds: int
    small_errors: bool


FULL = Effort(draws=100_000, fewest_rounds=8, most_rounds=400, small_errors=True)
FAST = Effort(draws=8_000, fewest_rounds=8, most_rounds=24, small_errors=False)


@dataclass(frozen=True, eq=False, slots=True)
class Comparison:
    """A sampler's averages beside the exact values."""

    case: TinyCase
    names: list[str]
    exact: np.ndarray
    averages: BatchMeans
    probabilities: np.ndarray

    @property
    def tested(self) -> np.ndarray:
        """Which quantities vary and happen often enough to be tested."""
        draws = len(self.averages.means) * self.averages.length
        enough = self.exact * draws / self.averages.times >= FEWEST_EVENTS
        return (self.averages.variances > 0) & enough

    @property
    def scores(self) -> np.ndarray:
        """Normal scores of the tested quantities."""
        return self.averages.scores(self.exact)[self.tested]

    @property
    def p_value(self) -> float:
        """All tested quantities of this case together."""
        return hotelling_p_value(
            BatchMeans(
                self.averages.means[:, self.tested],
                self.averages.length,
                self.averages.variances[self.tested],
            ),
            self.exact[self.tested],
        )

    @property
    def constants_agree(self) -> bool:
        """Whether what did not vary at all is right.

        A fixed parameter must be equal to the exact value, and a number of causes that was never seen must
        be so improbable that this can be.
        """
        still = self.averages.variances <= 0
        off = np.abs(self.averages.mean - self.exact)
        independent_draws = len(self.averages.means) * self.averages.length / self.averages.times.max()
        bound = np.where(self.probabilities, FEWEST_EVENTS / independent_draws, 1e-9)
        return bool((off[still] <= bound[still]).all())

    @property
    def largest_errors(self) -> tuple[float, float]:
        """The largest error of a probability, and of a mean relative to the mean."""
        tested, error = self.tested, self.averages.error
        chance, mean = tested & self.probabilities, tested & ~self.probabilities
        return (
            float(error[chance].max(initial=0.0)),
            float((error[mean] / np.abs(self.exact[mean])).max(initial=0.0)),
        )

    @property
    def precise(self) -> bool:
        """Whether the errors are as small as the full tier asks for."""
        chance, mean = self.largest_errors
        return chance <= PROBABILITY_ERROR and mean <= RELATIVE_ERROR

    def row(self) -> dict[str, float | str]:
        """Return a line for the record."""
        chance, mean = self.largest_errors
        scores = self.averages.scores(self.exact) * self.tested
        worst = int(np.abs(scores).argmax())
        return {
            "case": f"{self.case.number}: {self.case.name}",
            "draws": len(self.averages.means) * self.averages.length,
            "batches": len(self.averages.means),
            "slowest": float(self.averages.times.max()),
            "batches long enough": str(self.averages.long_enough),
            "averages": int(self.tested.sum()),
            "error of probabilities": chance,
            "relative error of means": mean,
            "largest score": float(scores[worst]),
            "of": self.names[worst],
            "exact": float(self.exact[worst]),
            "sampled": float(self.averages.mean[worst]),
            "p": self.p_value,
        }


def compare(case: TinyCase, effort: Effort, seed: int, *, oracle_spec: ModelSpec | None = None) -> Comparison:
    """Run a case until it is precise, or its rounds are used up, and put it beside the exact posterior.

    Parameters
    ----------
    case, effort, seed
        What to run, how long, and with which random numbers.
    oracle_spec
        A model of which to take the exact posterior instead of the case's own: the negative control.
    """
    table = Table.from_array(case.cells)
    exact = exact_posterior(table, oracle_spec or case.spec)
    counts = 1 + _until_tail(exact.n_causes)
    totals = 0 if exact.n_total is None else 1 + _until_tail(exact.n_total)
    rows, variables = len(case.cells), len(case.cells[0])
    layout = Layout.of(case.spec, rows, variables, counts, totals)
    values = _exact_values(exact, layout)
    length = effort.draws // BATCHES_PER_CHAIN
    sums: list[np.ndarray] = []
    squares = np.zeros(len(values))
    for number in range(effort.most_rounds):
        draws = _sample_quietly(
            table,
            case.spec,
            sampler=case.sampler,
            draws=length * BATCHES_PER_CHAIN,
            warmup=WARMUP,
            chains=CHAINS,
            seed=seed * 1000 + number,  # every round has streams of its own
            init=case.start,
        )
        for chain in draws.packed:
            more, squared = batch_sums(chain, layout, BATCHES_PER_CHAIN)
            sums.append(more)
            squares += squared
        if number + 1 < effort.fewest_rounds:
            continue
        means = np.concatenate(sums) / length
        variances = squares / (len(means) * length) - means.mean(axis=0) ** 2
        variances[variances < ROUNDING * means.mean(axis=0) ** 2] = 0.0
        chances = np.arange(len(values)) < counts + totals
        found = Comparison(
            case, layout.names(), values, merged(BatchMeans(means, length, variances)), chances
        )
        if found.averages.long_enough and (found.precise or not effort.small_errors):
            break
    return found


def _sample_quietly(*given: Any, **named: Any) -> Draws:
    """Sample without being told that a tiny table has constant columns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HiddenCausesWarning)
        return sample(*given, **named)


def _until_tail(masses: np.ndarray) -> int:
    """Return the first number of causes such that it and more together have little probability."""
    beyond = np.cumsum(masses[::-1])[::-1]
    return int(np.argmax(beyond < TAIL)) if (beyond < TAIL).any() else len(masses)


def _exact_values(exact: ExactPosterior, layout: Layout) -> np.ndarray:
    """Put the exact values into the order of the layout."""

    def lumped(masses: np.ndarray, n: int) -> np.ndarray:
        padded = np.concatenate([masses, np.zeros(n)])
        return np.append(padded[: n - 1], padded[n - 1 :].sum())

    pieces = [lumped(exact.n_causes, layout.counts)]
    if layout.totals:
        assert exact.n_total is not None
        pieces.append(lumped(exact.n_total, layout.totals))
    pieces += [
        exact.co_linkage[np.triu_indices(layout.variables)],
        exact.co_activity[np.triu_indices(layout.rows)],
        exact.active_links.ravel(),
        *(np.atleast_1d(value) for value in (exact.strength, exact.leak, exact.prevalence)),
        np.atleast_1d(exact.concentration),
    ]
    return np.concatenate(pieces)


def verdict(comparisons: Sequence[Comparison], *, small_errors: bool) -> Outcome:
    """Test all comparisons together; each of the two tests has half the level."""
    scores = np.concatenate([comparison.scores for comparison in comparisons])
    largest = max_score_p_value(scores)
    combined = combined_p_value([comparison.p_value for comparison in comparisons])
    rows = [comparison.row() for comparison in comparisons]
    worst = max(rows, key=lambda row: abs(float(row["largest score"])))
    short = [comparison.case.number for comparison in comparisons if not comparison.averages.long_enough]
    vague = [comparison.case.number for comparison in comparisons if not comparison.precise]
    wrong = [comparison.case.number for comparison in comparisons if not comparison.constants_agree]
    agree = largest > LEVEL / 2 and combined > LEVEL / 2 and not wrong
    complaints = []
    if not agree:
        complaints.append(
            f"worst: {worst['of']} = {worst['sampled']:.5g}, exactly {worst['exact']:.5g}, in {worst['case']}"
        )
    if wrong:
        complaints.append(f"constants differ in cases {wrong}")
    if short:
        complaints.append(f"chains too slow for their batches in cases {short}")
    if vague and small_errors:
        complaints.append(f"errors still too large in cases {vague}")
    figures = {
        "cases": len(rows),
        "averages": len(scores),
        "draws": sum(int(row["draws"]) for row in rows),
        "max |z|": float(np.abs(scores).max()),
        "p of max": largest,
        "sd of z": float(scores.std()),
        "p combined": combined,
        "error of probabilities ≤": max(float(row["error of probabilities"]) for row in rows),
        "relative error of means ≤": max(float(row["relative error of means"]) for row in rows),
    }
    passed = agree and not short and not (vague and small_errors)
    return Outcome(passed, figures, "; ".join(complaints), tuple(rows))


def _agreement(settings: Settings) -> Outcome:
    chosen = tiny_cases()
    if settings.fast:  # a wide prior on K makes chains slow, and the oracle too
        chosen = [case for case in chosen if case.number % 3 == 0 and case.spec.causes != WIDE]
    effort = FAST if settings.fast else FULL
    found = []
    for case in chosen:
        found.append(compare(case, effort, settings.seed_of(case.number)))
        if not settings.fast:
            row = found[-1].row()
            sys.stderr.write(f"exact: {len(found)} of {len(chosen)}: {row['draws']} draws, {row['p']:.3g}\n")
    return verdict(found, small_errors=effort.small_errors)


def _wrong_model(settings: Settings) -> Outcome:
    """Negative control: the oracle of a model with a leak slightly off must not agree."""
    case = next(case for case in tiny_cases() if not hasattr(case.spec.leak, "a") and case.sampler == "gibbs")
    wrong = case.spec.with_fixed(leak=0.12)
    outcome = verdict(
        [compare(case, FAST, settings.seed_of(case.number), oracle_spec=wrong)], small_errors=False
    )
    return Outcome(not outcome.passed, outcome.figures, "" if not outcome.passed else "was not rejected")


def cases() -> list[Case]:
    """Return the suite."""
    return [Case("exact", True, _agreement), Case("exact/control: wrong leak", True, _wrong_model)]
