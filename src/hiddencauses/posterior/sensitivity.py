"""How much the answers hang on the priors: each prior made a little weaker and stronger.

A prior raised to a power α and normalised is a prior of the same family: Beta(a, b) becomes
Beta(1 + α(a − 1), 1 + α(b − 1)), Gamma(shape, rate) becomes Gamma(1 + α(shape − 1), α rate). Draws are
weighted by how much likelier the changed prior makes their parameters, which needs no new fit where the
weights are even enough; where they are not, that is said and `scaled` gives the spec to fit instead. A flat
prior is not changed by any power.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.errors import UnreliableWeightsWarning
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.posterior.alignment import Alignment, align
from hiddencauses.posterior.loo import khat_limit, smoothed
from hiddencauses.validation import check_positive

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hiddencauses.model.spec import ModelSpec
    from hiddencauses.posterior.collection import Collection
    from hiddencauses.sampling.draws import Draws

__all__ = ["Sensitivity", "log_ratios", "power_scaled", "prior_sensitivity", "scaled"]

#: Powers that a prior is raised to.
POWERS = (0.8, 1.25)
PRIORS = ("strength", "leak", "prevalence", "concentration")


@dataclass(frozen=True, eq=False, slots=True)
class Sensitivity:
    """What changes when one prior is raised to a power.

    Attributes
    ----------
    prior, power
        Which prior, and the power.
    khat
        Pareto k-hat of the weights: −∞ where they are all the same.
    limit
        The k-hat above which the weights are not to be relied on.
    names, before, after
        What is looked at, its mean, and its mean with the changed prior.
    sd
        Its standard deviation.
    """

    prior: str
    power: float
    khat: float
    limit: float
    names: tuple[str, ...]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    sd: NDArray[np.float64]

    @property
    def is_reliable(self) -> bool:
        """Whether the weights are even enough."""
        return self.khat <= self.limit

    @property
    def shift(self) -> NDArray[np.float64]:
        """Change in standard deviations for every doubling of the prior's weight."""
        moved = (self.after - self.before) / np.log2(self.power)
        return np.asarray(np.divide(moved, self.sd, out=np.zeros_like(moved), where=self.sd > 0))

    def warn(self) -> None:
        """Warn where the weights are not to be relied on."""
        if not self.is_reliable:
            warnings.warn(
                f"the weights for the prior of {self.prior} to the power {self.power:g} have a k-hat of "
                f"{self.khat:.2f}, above {self.limit:.2f}; fit again with scaled(spec, {self.prior!r}, "
                f"{self.power:g}) and compare",
                UnreliableWeightsWarning,
                stacklevel=2,
            )

    def to_frame(self) -> pa.Table:
        """Return a row for each quantity."""
        import pyarrow as pa

        n = len(self.names)
        return pa.table(
            {
                "prior": [self.prior] * n,
                "power": [self.power] * n,
                "khat": [self.khat] * n,
                "reliable": [self.is_reliable] * n,
                "quantity": list(self.names),
                "before": self.before,
                "after": self.after,
                "shift": self.shift,
            }
        )


def prior_sensitivity(
    draws: Draws, *, alignment: Alignment | None = None, powers: tuple[float, ...] = POWERS
) -> list[Sensitivity]:
    """Say how the number of causes and links, and the causes, would change with other priors.

    Parameters
    ----------
    draws
        Draws from the posterior.
    alignment
        Their alignment, where it is there already.
    powers
        Powers that each free prior is raised to, one prior at a time; those left out that would give a
        density without a finite integral.
    """
    powers = tuple(check_positive("a power of a prior", power) for power in powers)
    aligned = align(draws) if alignment is None else alignment
    causes = aligned.causes
    names, values = zip(*_looked_at(aligned), strict=True)
    table = np.stack(values)
    found = []
    for prior in PRIORS:
        if not isinstance(getattr(draws.spec, prior), (Beta, Gamma)):
            continue
        for power in powers:
            if not _is_proper(getattr(draws.spec, prior), power):
                continue
            log_weight, khat = smoothed(log_ratios(causes, draws.spec, prior, power)[None, :])
            found.append(
                Sensitivity(
                    prior=prior,
                    power=power,
                    khat=float(khat[0]),
                    limit=khat_limit(causes.n_draws),
                    names=names,
                    before=table.mean(axis=1),
                    after=table @ np.exp(log_weight[0]),
                    sd=table.std(axis=1),
                )
            )
    return found


def power_scaled(prior: Beta | Gamma, power: float) -> Beta | Gamma:
    """Return a prior raised to a power and normalised."""
    if isinstance(prior, Beta):
        return Beta(1 + power * (prior.a - 1), 1 + power * (prior.b - 1))
    return Gamma(1 + power * (prior.shape - 1), power * prior.rate)


def _is_proper(prior: Beta | Gamma, power: float) -> bool:
    least = min(prior.a, prior.b) if isinstance(prior, Beta) else prior.shape
    return 1 + power * (least - 1) > 0


def scaled(spec: ModelSpec, prior: str, power: float) -> ModelSpec:
    """Return a spec with one of its priors raised to a power."""
    changed = power_scaled(getattr(spec, prior), power)
    return replace(spec, **{prior: changed})  # type: ignore[arg-type]


def log_ratios(causes: Collection, spec: ModelSpec, name: str, power: float) -> NDArray[np.float64]:
    """Return for each draw log of changed over unchanged prior density of one kind of parameter."""
    prior = getattr(spec, name)
    changed = power_scaled(prior, power)

    def ratio(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(changed.log_density(values) - prior.log_density(values))

    draws = causes.draws
    scope = getattr(spec, f"{name}_scope", "shared")
    if name == "leak":
        each = ratio(causes.one_by_one(draws.leak)).reshape(causes.n_draws, -1)
        return np.asarray(each.sum(axis=1))
    if scope == "shared":
        return ratio(causes.one_by_one(getattr(draws, name)))
    if name == "prevalence":
        return causes.per_draw(ratio(causes.prevalence))
    if scope == "per_link":
        return np.bincount(
            np.repeat(causes.draw_of, causes.n_links),
            weights=ratio(causes.link_strength),
            minlength=causes.n_draws,
        ).astype(np.float64)
    return causes.per_draw(ratio(causes.link_strength[causes.link_start[:-1]]))


def _looked_at(alignment: Alignment) -> Iterator[tuple[str, NDArray[np.float64]]]:
    causes = alignment.causes
    yield "number of causes", causes.one_by_one(causes.draws.n_causes)
    yield "number of links", causes.per_draw(causes.n_links)
    for k in range(alignment.n_worth_telling):
        here = np.zeros(causes.n_draws)
        here[causes.draw_of[alignment.label == k]] = 1.0
        yield f"existence of {alignment.names[k]}", here
