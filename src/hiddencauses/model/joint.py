"""The log joint density, recomputed from scratch: slow, obvious, and the oracle of every cache.

The number that counts is the density of the *unordered set* of causes, each with its links, its
activity and, where it has them, its own parameters: relabelling causes changes nothing, and worlds with
different numbers of causes can be compared (unless parameters of single causes or links enter, whose
densities have a unit; `integrated_prevalence` takes one of these out).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from hiddencauses.model.link_priors import log_finite_probability, log_labelled_probability
from hiddencauses.model.noisy_or import log_likelihood
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.model.spec import Finite, ModelSpec
from hiddencauses.model.world import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LogJoint", "log_joint"]


@dataclass(frozen=True, slots=True)
class LogJoint:
    """The parts of the log joint density; `total` is their sum.

    Attributes
    ----------
    likelihood
        log P(X | Z, Y, λ, ε) over the cells that are not missing.
    activity
        log P(Y | p), or with each cause's prevalence integrated out when that was asked for.
    links
        log P(Z, K | α) of the unordered set of causes.
    parameters
        Log prior densities of the parameters that are not fixed.
    """

    likelihood: float
    activity: float
    links: float
    parameters: float

    @property
    def total(self) -> float:
        """The log joint density."""
        return self.likelihood + self.activity + self.links + self.parameters


def log_joint(
    codes: NDArray[np.int8], world: World, spec: ModelSpec, *, integrated_prevalence: bool = False
) -> LogJoint:
    """Return the log joint density of a table and a world under a spec.

    Parameters
    ----------
    codes
        Cells as rows × variables: 0, 1, or −1 for missing.
    world
        Links, activity and parameters.
    spec
        The variant of the model.
    integrated_prevalence
        With a prevalence per cause, integrate these out instead of taking their densities, which makes
        worlds with different numbers of causes comparable in this respect.
    """
    world.check(spec)
    integrate = integrated_prevalence and has_own_prevalence(spec)
    return LogJoint(
        likelihood=log_likelihood(codes, world),
        activity=_log_activity_integrated(world, spec) if integrate else _log_activity(world),
        links=_log_links(world, spec, tell_by_prevalence=not integrate),
        parameters=_log_parameters(world, spec, without_prevalence=integrate),
    )


def has_own_prevalence(spec: ModelSpec) -> bool:
    """Tell whether each cause has a free prevalence of its own."""
    return spec.prevalence_scope == "per_cause" and isinstance(spec.prevalence, Beta)


def _log_activity(world: World) -> float:
    """log P(Y | p) = Σ y log p + (1 − y) log(1 − p) (Eq. 4)."""
    p = np.broadcast_to(world.parameters.prevalence, world.n_total)
    on = world.activity.sum(axis=0, dtype=np.int64)
    return float((on * np.log(p) + (len(world.activity) - on) * np.log1p(-p)).sum())


def _log_activity_integrated(world: World, spec: ModelSpec) -> float:
    """log Π_k ∫ P(y_k | p_k) dP(p_k)."""
    assert isinstance(spec.prevalence, Beta)
    on = world.activity.sum(axis=0, dtype=np.int64)
    return float(spec.prevalence.log_moment(on, len(world.activity) - on).sum())


def _log_links(world: World, spec: ModelSpec, *, tell_by_prevalence: bool) -> float:
    """log P(Z, K | α) of the unordered set.

    A set of causes has as many orders as its causes, told apart by links, activity and those of their own
    parameters that are not integrated out, can be arranged in.
    """
    k, concentration = world.n_total, world.parameters.concentration
    orders = float(
        gammaln(k + 1)
        - sum(
            gammaln(count + 1)
            for count in _cause_repeats(world, tell_by_prevalence=tell_by_prevalence).values()
        )
    )
    if isinstance(spec.causes, Finite):
        mass = spec.causes.prior_on_k.log_mass(k)
        return mass + log_finite_probability(world.links, concentration) + orders
    return log_labelled_probability(world.links, concentration) + orders


def _cause_repeats(world: World, *, tell_by_prevalence: bool) -> Counter[bytes]:
    """Count causes that are alike in everything."""
    par = world.parameters
    strength = np.broadcast_to(par.strength, world.links.shape)
    prevalence = np.broadcast_to(par.prevalence, world.n_total)
    return Counter(
        b"".join(
            np.ascontiguousarray(part).tobytes()
            for part in (
                world.links[:, k],
                world.activity[:, k],
                np.where(world.links[:, k] == 1, strength[:, k], 0.0),
                prevalence[k] if tell_by_prevalence else 0.0,
            )
        )
        for k in range(world.n_total)
    )


def _log_parameters(world: World, spec: ModelSpec, *, without_prevalence: bool) -> float:
    """Log prior densities of the free parameters; a strength per link counts for linked pairs only."""
    par = world.parameters
    total = 0.0
    if isinstance(spec.strength, Beta):
        counted = par.strength[world.links == 1] if spec.strength_scope == "per_link" else par.strength
        total += float(spec.strength.log_density(counted).sum())
    if isinstance(spec.leak, Beta):
        total += float(spec.leak.log_density(par.leak).sum())
    if isinstance(spec.prevalence, Beta) and not without_prevalence:
        total += float(spec.prevalence.log_density(par.prevalence).sum())
    if isinstance(spec.concentration, Gamma):
        total += float(spec.concentration.log_density(par.concentration))
    return total
