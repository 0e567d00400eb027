"""Sums over all sets of causes, given what one cause contributes to each term of the likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln, xlogy

from hiddencauses.model.link_priors import column_log_weights, finite_column_log_masses, harmonic
from hiddencauses.model.priors import CountPrior, Gamma
from hiddencauses.model.spec import Infinite, ModelSpec
from hiddencauses.oracle.quadrature import gamma_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["StructureSums", "sum_structures"]

#: Causes are counted up to where the prior leaves less than this.
TAIL = 1e-12
#: Values of the concentration with less weight than this are left out.
NEGLIGIBLE = 1e-25
#: So many linked causes are told apart in the finite model; more have no probability worth the name.
MOST_LINKED = 100


@dataclass(frozen=True, eq=False, slots=True)
class StructureSums:
    """Sums over sets of causes; the first axis is the terms of the likelihood.

    Attributes
    ----------
    total
        The sum itself.
    by_linked
        The part of it with 0, 1, 2, … linked causes.
    by_total
        The part with K = 0, 1, 2, … causes (the finite model; else no columns).
    concentration
        The sum with α counted under it.
    per_cause
        What Σ over causes of anything adds up to for one unit of it in a cause of m = 1 … N links.
    """

    total: Floats
    by_linked: Floats
    by_total: Floats
    concentration: Floats
    per_cause: Floats


def sum_structures(spec: ModelSpec, one: Floats, n_variables: int) -> StructureSums:
    """Sum over all sets of causes.

    Parameters
    ----------
    spec
        The model.
    one
        The factor of one cause, terms × sizes (1 … N), summed over the patterns of each size.
    n_variables
        N.
    """
    if isinstance(spec.causes, Infinite):
        return _infinite(spec.concentration, one, n_variables)
    return _finite(spec.causes.prior_on_k, spec.concentration, one, n_variables)


def _infinite(concentration: Gamma | float, one: Floats, n_variables: int) -> StructureSums:
    """Σ over sets = exp(α (g − H_N)) with g the weighted factor of one cause; α integrates to a power."""
    weights = np.exp(column_log_weights(n_variables)[1:])
    h = harmonic(n_variables)
    g = one @ weights
    if isinstance(concentration, Gamma):
        a, b = concentration.shape, concentration.rate
        total = (b / (b + h - g)) ** a
        slope = total * a / (b + h - g)  # d/dg
        alpha = slope
        k = np.arange(_count_until(np.log(h / (b + h)), a))
        log_share = gammaln(a + k) - gammaln(a) - gammaln(k + 1) + a * np.log(b / (b + h)) - k * np.log(b + h)
    else:
        total = np.exp(concentration * (g - h))
        slope = alpha = concentration * total
        k = np.arange(int(concentration * h + 12 * np.sqrt(concentration * h) + 40))
        log_share = k * np.log(concentration) - concentration * h - gammaln(k + 1)
    return StructureSums(
        total=total,
        by_linked=np.exp(log_share + xlogy(k, g[:, None])),
        by_total=np.zeros((len(g), 0)),
        concentration=alpha,
        per_cause=slope[:, None] * weights,
    )


def _count_until(log_ratio: float, shape: float) -> int:
    """How many counts a negative binomial needs until its tail is below `TAIL`."""
    return int((np.log(TAIL) - 8 * np.log1p(shape)) / log_ratio) + 20


def _finite(
    prior_on_k: CountPrior, concentration: Gamma | float, one: Floats, n_variables: int
) -> StructureSums:
    """Σ over the K columns = (u + g)^K, u for a cause without links and g for one with."""
    if isinstance(concentration, Gamma):
        alphas, alpha_weights = gamma_nodes(concentration)
        counted = alpha_weights > NEGLIGIBLE
        alphas, alpha_weights = alphas[counted], alpha_weights[counted]
    else:
        alphas, alpha_weights = np.array([concentration]), np.ones(1)
    masses = _count_masses(prior_on_k)
    n_terms, top = len(one), len(masses)
    total, alpha_sum = np.zeros(n_terms), np.zeros(n_terms)
    by_linked = np.zeros((n_terms, min(top, MOST_LINKED + 1)))
    by_total = np.zeros((n_terms, top))
    per_cause = np.zeros_like(one)
    for k in range(1, top):
        if masses[k] == 0.0:
            continue
        columns = np.exp(finite_column_log_masses(n_variables, k, alphas))  # alphas × sizes 0 … N
        u, g = columns[:, 0], one @ columns[:, 1:].T
        weight = masses[k] * alpha_weights
        power = (u + g) ** (k - 1)
        whole = power * (u + g)
        total += whole @ weight
        by_total[:, k] = whole @ weight
        alpha_sum += whole @ (weight * alphas)
        per_cause += k * (power * weight) @ columns[:, 1:]
        linked = min(k, MOST_LINKED)
        by_linked[:, : linked + 1] += _binomial_parts(k, u, g, weight, linked)
    return StructureSums(total, by_linked, by_total, alpha_sum, per_cause)


def _binomial_parts(k: int, u: Floats, g: Floats, weight: Floats, top: int) -> Floats:
    """Split (u + g)^k by the number of factors g (0 … top), summed over the concentration."""
    j = np.arange(1, top + 1)
    choose = np.exp(gammaln(k + 1) - gammaln(j + 1) - gammaln(k - j + 1))
    powers = np.cumprod(np.broadcast_to((g / u)[..., None], (*g.shape, top)), axis=-1)
    none = np.broadcast_to(weight * u**k, g.shape)
    return np.column_stack([none.sum(axis=1), np.einsum("sa,saj->sj", none, powers) * choose])


def _count_masses(prior: CountPrior) -> Floats:
    """P(K) for K = 0, 1, … up to the bound, or to where almost nothing is left."""
    top = prior.largest()
    if top is not None:
        return np.exp([prior.log_mass(k) for k in range(top + 1)])
    masses = [0.0]
    while sum(masses) < 1.0 - TAIL and len(masses) < 2000:
        masses.append(float(np.exp(prior.log_mass(len(masses)))))
    return np.array(masses)
