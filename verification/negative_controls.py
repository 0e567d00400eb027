"""Wrong samplers, which the comparison with the exact posterior must reject.

Each control runs with its wrong kernel on a tiny table until its bias, known from a pilot run, is many
standard errors wide; then the average must be rejected. The package's kernel, run as long through the very
same comparison, must not be.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import stats

from hiddencauses import Finite, FixedCount, Infinite, ModelSpec, Table, TruncatedPoisson, exact_posterior
from hiddencauses.errors import HiddenCausesWarning
from hiddencauses.oracle.exact import ExactPosterior
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of
from hiddencauses.sampling.initial import initial_world
from verification import control_chains as chains
from verification.case import LEVEL, Case, Outcome, Settings
from verification.monte_carlo import BatchMeans

__all__ = ["CONTROLS", "Control", "cases", "run_control"]

#: Standard errors that the known bias has to span: asked are 6; a few more leave no doubt about rejection,
#: and in the full tier make the comparison of the right kernel a sharp one.
SPAN_FAST, SPAN_FULL = 10.0, 40.0
#: Sweeps of a batch (many autocorrelation times here) and batches of a round; sweeps before the first.
LENGTH, BATCHES, WARMUP = 500, 200, 1000
MOST_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Control:
    """One wrong sampler.

    Attributes
    ----------
    name
        What is wrong.
    kernel, statistic
        Numbers of the wrong kernel and of what is averaged (`control_chains`).
    cells, spec
        The tiny case.
    exact
        Takes the statistic's expectation from the exact posterior.
    known_bias
        What the wrong sampler is off by, from a pilot run of a million sweeps with other random numbers.
    """

    name: str
    kernel: int
    statistic: int
    cells: tuple[tuple[float, ...], ...]
    spec: ModelSpec
    exact: Callable[[ExactPosterior], float]
    known_bias: float


def _spec(concentration: float, *, leak: float = 0.1, causes: Infinite | Finite | None = None) -> ModelSpec:
    return ModelSpec(
        strength=0.8, leak=leak, prevalence=0.3, concentration=concentration, causes=causes or Infinite()
    )


def _mean_number(exact: ExactPosterior) -> float:
    return float(exact.n_causes @ np.arange(len(exact.n_causes)))


CONTROLS = (
    Control(
        "printed Eq. 8 and 9",
        chains.BIRTH_DEATH,
        chains.ONE_CAUSE,
        ((np.nan,) * 3,) * 2,  # no data: the chain has to return the prior
        _spec(1.5, causes=Finite(TruncatedPoisson(2.0))),
        lambda exact: float(exact.n_total[1]) if exact.n_total is not None else np.nan,
        known_bias=0.187,
    ),
    Control(
        "printed Eq. 10",
        chains.LINK_ODDS,
        chains.LINKS_OF_FIRST,
        ((1, 0), (1, 1)),
        _spec(0.9, causes=Finite(FixedCount(2))),
        lambda exact: float(exact.co_linkage[0, 0]),
        known_bias=0.164,
    ),
    Control(
        "printed scan order",
        chains.STORAGE_ORDER,
        chains.SHARED_BY_FIRST_TWO,
        ((1, 1),),
        _spec(1.0),
        lambda exact: float(exact.co_linkage[0, 1]),
        known_bias=0.0237,
    ),
    Control(
        "own causes counted on top of the present ones",
        chains.ON_TOP,
        chains.NUMBER_LINKED,
        ((1, 1),),
        _spec(1.0),
        _mean_number,
        known_bias=-0.173,
    ),
    Control(
        "activity of new causes by one scan",
        chains.SCANNED,
        chains.ACTIVE,
        ((1,),),
        _spec(3.0, leak=0.05),
        lambda exact: float(exact.co_activity[0, 0]),
        known_bias=-0.0344,
    ),
)


def run_control(control: Control, settings: Settings) -> Outcome:
    """Run the wrong kernel until its bias stands out, and the right one as long."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HiddenCausesWarning)  # a tiny table has constant columns
        table = Table.from_array(np.array(control.cells, dtype=np.float64))
    exact = control.exact(exact_posterior(table, control.spec))
    span = SPAN_FAST if settings.fast else SPAN_FULL
    wrong, rounds = _averages(
        control, table, True, settings.seed, MOST_ROUNDS, abs(control.known_bias) / span
    )
    right, _ = _averages(control, table, False, settings.seed, rounds, 0.0)
    spanned = abs(control.known_bias) / float(wrong.error[0])
    # the level of the suite shared out over its comparisons
    critical = float(stats.norm.isf(LEVEL / 2 / len(CONTROLS)))
    z_wrong, z_right = (float(found.scores(np.array([exact]))[0]) for found in (wrong, right))
    rejected, accepted = abs(z_wrong) > critical, abs(z_right) <= critical
    figures: dict[str, float | str] = {
        "exact": exact,
        "wrong": float(wrong.mean[0]),
        "z wrong": z_wrong,
        "right": float(right.mean[0]),
        "z right": z_right,
        "error": float(right.error[0]),
        "known bias / error": spanned,
        "sweeps": len(wrong.means) * LENGTH,
    }
    complaints = [
        text
        for text, holds in (
            ("the wrong kernel was not rejected", rejected),
            ("the right kernel was rejected", accepted),
            ("the known bias is still within the error", spanned >= span),
        )
        if not holds
    ]
    return Outcome(not complaints, figures, "; ".join(complaints))


def _averages(
    control: Control, table: Table, wrong: bool, seed: int, most_rounds: int, error: float
) -> tuple[BatchMeans, int]:
    """Run rounds of batches until the error is small enough; return the batches and how many rounds."""
    spec, data = kernel_spec(control.spec), kernel_data(table)
    key = np.uint64(seed)
    # right and wrong chains have streams of their own
    chain = 2 * control.kernel + wrong
    state = state_of(initial_world("empty", table, control.spec, seed=seed, chain=chain), control.spec)
    run = partial(chains.run_batches, control.kernel, wrong, control.statistic, key, chain)
    state = run(0, WARMUP, state, data, spec, np.empty(1))
    parts: list[np.ndarray] = []
    found = BatchMeans(np.zeros((0, 1)), LENGTH, np.zeros(1))
    for number in range(most_rounds):
        means = np.empty(BATCHES)
        state = run(WARMUP + number * BATCHES * LENGTH, LENGTH, state, data, spec, means)
        parts.append(means)
        found = BatchMeans(np.concatenate(parts)[:, None], LENGTH, np.zeros(1))
        if found.error[0] <= error:
            break
    return found, len(parts)


def cases() -> list[Case]:
    """Return the suite."""
    return [Case(f"negative controls/{c.name}", True, partial(run_control, c)) for c in CONTROLS]
