"""What samplers can represent, and the refusal of specs and starts beyond it."""

from __future__ import annotations

import numpy as np
from scipy.special import betainc, gammainc

from hiddencauses.errors import SpecError
from hiddencauses.kernels.concentration import LOWEST as LOWEST_LOG_CONCENTRATION
from hiddencauses.kernels.streams import LEAST, MOST
from hiddencauses.model.priors import Beta, CountPrior, Gamma
from hiddencauses.model.spec import ModelSpec

__all__ = ["check_priors_representable", "largest_count", "log_count_masses"]

#: A prior may have so much mass where numbers cannot go; more would bias the draws.
NEGLIGIBLE = 1e-6
#: P(K) is tabulated until it is as small as this (on a log scale); beyond, K counts as impossible.
LOWEST_LOG_MASS, MOST_CAUSES = -700.0, 20_000


def check_priors_representable(spec: ModelSpec) -> None:
    """Refuse priors with mass so near to 0 or 1 that floating-point numbers cannot follow."""
    for name in ("strength", "leak", "prevalence"):
        prior = getattr(spec, name)
        if isinstance(prior, Beta):
            lost = betainc(prior.a, prior.b, LEAST) + betainc(prior.b, prior.a, 1.0 - MOST)
            if lost > NEGLIGIBLE:
                raise SpecError(
                    f"the prior of {name}, Beta({prior.a:g}, {prior.b:g}), has {lost:.1g} of its mass within "
                    "2e-16 of 1 or 1e-299 of 0, where a sampler cannot go; take b of at least 0.4 "
                    "and a of at least 0.03"
                )
    prior = spec.concentration
    if isinstance(prior, Gamma):
        lost = gammainc(prior.shape, prior.rate * np.exp(LOWEST_LOG_CONCENTRATION))
        if lost > NEGLIGIBLE:
            raise SpecError(
                f"the prior of concentration, Gamma({prior.shape:g}, {prior.rate:g}), has {lost:.1g} of its "
                "mass below 1e-130, where a sampler cannot go; take a shape of at least 0.05"
            )


def log_count_masses(prior: CountPrior) -> np.ndarray:
    """Return log P(K) for K = 0, 1, …, to the bound or to where nothing is left."""
    largest = prior.largest()
    masses = [-np.inf]
    while len(masses) <= (MOST_CAUSES if largest is None else largest):
        masses.append(prior.log_mass(len(masses)))
        if largest is None and masses[-1] < masses[-2] and masses[-1] < LOWEST_LOG_MASS:
            break
    return np.array(masses)


def largest_count(prior: CountPrior) -> int:
    """Return the largest K a sampler can be at."""
    return len(log_count_masses(prior)) - 1
