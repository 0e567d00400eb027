"""Geweke's joint distribution test ("Getting it right", 2004).

Two ways to draw a world together with its table: the world from its prior and the table from the world; or,
as a chain, the table from the world and the world by one sweep of a sampler given the table. Both have the
same distribution when the sampler leaves the posterior of every table as it is. All hyperparameters are free,
and the averages of many statistics are compared, with errors that take autocorrelation into account.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from hiddencauses import Finite
from hiddencauses.kernels.schedule import (
    AUTO_FINITE,
    AUTO_INFINITE,
    GIBBS,
    REVERSIBLE_JUMP,
    SINGLE_LINK_BIRTHS,
)
from hiddencauses.kernels.state import KernelSpec
from hiddencauses.sampling.convert import kernel_spec
from verification.case import LEVEL, Case, Outcome, Settings
from verification.joint_chains import run_successively, statistics_of
from verification.monte_carlo import BatchMeans, difference_p_value, max_score_p_value, merged
from verification.prior_worlds import JointModel, joint_models, prior_worlds
from verification.world_statistics import STATISTICS

__all__ = ["cases", "compare_simulators"]

INFINITE = {"gibbs": GIBBS, "auto": AUTO_INFINITE}
FINITE = {
    "reversible_jump": REVERSIBLE_JUMP,
    "single_link_births": SINGLE_LINK_BIRTHS,
    "auto": AUTO_FINITE,
}
#: Independent worlds, and sweeps of the chain.
FULL_WORLDS, FULL_SWEEPS = 40_000, 400_000
FAST_WORLDS, FAST_SWEEPS = 6_000, 80_000
PIECES, BATCHES_PER_PIECE = 10, 80


@cache
def _independent(number: int, worlds: int, seed: int) -> np.ndarray:
    """Statistics of independent worlds with their tables, worlds × statistics."""
    model = joint_models()[number]
    spec = kernel_spec(model.spec)
    found = np.empty((worlds, len(STATISTICS)))
    for line, (state, data) in zip(found, prior_worlds(model, draws=worlds, seed=seed), strict=True):
        statistics_of(state, data, spec, line)
    return found


def _successive(
    model: JointModel, schedule: int, sweeps: int, seed: int, sampled: KernelSpec | None
) -> BatchMeans:
    """Averages over the chain of sweeps and redrawn tables; it starts in its own distribution."""
    spec = kernel_spec(model.spec)
    state, data = next(prior_worlds(model, draws=1, seed=seed, first=1 << 30))
    piece = sweeps // PIECES
    statistics = np.empty((piece, len(STATISTICS)))
    length = piece // BATCHES_PER_PIECE
    means, variances = [], []
    for number in range(PIECES):
        state = run_successively(
            schedule,
            np.uint64(seed),
            0,
            number * piece,
            state,
            data,
            spec,
            spec if sampled is None else sampled,
            statistics,
        )
        kept = statistics[: length * BATCHES_PER_PIECE]
        means.append(kept.reshape(BATCHES_PER_PIECE, length, -1).mean(axis=1))
        variances.append(kept.var(axis=0))
    return merged(BatchMeans(np.concatenate(means), length, np.mean(variances, axis=0)))


def compare_simulators(
    number: int, schedule: int, settings: Settings, *, level: float, sampled: KernelSpec | None = None
) -> Outcome:
    """Compare the two simulators of one model and sampler.

    Parameters
    ----------
    number
        Of the model, among `joint_models`.
    schedule
        The sampler's sweep.
    settings
        Tier and seed.
    level
        The chance to fail though nothing is wrong, shared by the two tests.
    sampled
        What the sampler is told the spec is, when that differs: a negative control.
    """
    worlds, sweeps = (FAST_WORLDS, FAST_SWEEPS) if settings.fast else (FULL_WORLDS, FULL_SWEEPS)
    independent = _independent(number, worlds, settings.seed_of(number))
    # samplers of one model share the independent worlds but no stream of their own
    seed = settings.seed_of(100 + 16 * number + schedule)
    chain = _successive(joint_models()[number], schedule, sweeps, seed, sampled)
    varying = (independent.std(axis=0) > 0) & (chain.variances > 0)
    difference = (chain.mean - independent.mean(axis=0))[varying]
    covariance = np.cov(independent[:, varying], rowvar=False) / worlds
    covariance += np.cov(chain.means[:, varying], rowvar=False) / len(chain.means)
    scores = difference / np.sqrt(np.diag(covariance))
    largest = max_score_p_value(scores)
    together = difference_p_value(difference, covariance, len(chain.means))
    names = [name for name, kept in zip(STATISTICS, varying, strict=True) if kept]
    worst = int(np.abs(scores).argmax())
    rows = tuple(
        {"statistic": name, "independent": a, "successive": b, "z": z}
        for name, a, b, z in zip(
            names, independent.mean(axis=0)[varying], chain.mean[varying], scores, strict=True
        )
    )
    agree = min(largest, together) > level / 2
    complaints = []
    if not agree:
        complaints.append(_complaint(names, scores))
    if not chain.long_enough:
        complaints.append("the chain is too slow for its batches")
    figures = {
        "worlds": worlds,
        "sweeps": sweeps,
        "slowest": float(chain.times.max()),
        "max |z|": float(np.abs(scores[worst])),
        "of": names[worst],
        "p of max": largest,
        "p together": together,
    }
    return Outcome(agree and chain.long_enough, figures, "; ".join(complaints), rows)


def _complaint(names: list[str], scores: np.ndarray) -> str:
    """Say which statistics are off, the worst first."""
    order = np.argsort(-np.abs(scores))[:5]
    return "off: " + ", ".join(f"{names[s]} (z = {scores[s]:.1f})" for s in order)


def _wrong_prior(settings: Settings) -> Outcome:
    """Negative control: a sampler that works with a slightly different prior of the prevalence."""
    wrong = kernel_spec(joint_models()[0].spec)._replace(prevalence_a=2.6)
    outcome = compare_simulators(0, GIBBS, settings, level=LEVEL, sampled=wrong)
    rejected = min(float(outcome.figures["p of max"]), float(outcome.figures["p together"])) < LEVEL / 2
    return Outcome(rejected, outcome.figures, outcome.detail if rejected else "was not rejected")


def cases() -> list[Case]:
    """Return the suite: every model with every sampler that fits it."""
    found: list[tuple[str, int, int]] = []
    for number, model in enumerate(joint_models()):
        samplers = FINITE if isinstance(model.spec.causes, Finite) else INFINITE
        found += [(f"geweke/{model.name}/{sampler}", number, s) for sampler, s in samplers.items()]
    fast = ("geweke/infinite own/gibbs", "geweke/infinite own/auto", "geweke/finite own/auto")

    def run(number: int, schedule: int) -> Callable[[Settings], Outcome]:
        return partial(_run, number=number, schedule=schedule, level=LEVEL / len(found))

    return [
        *(Case(name, name in fast, run(number, schedule)) for name, number, schedule in found),
        Case("geweke/control: wrong prior", True, _wrong_prior),
    ]


def _run(settings: Settings, *, number: int, schedule: int, level: float) -> Outcome:
    return compare_simulators(number, schedule, settings, level=level)
