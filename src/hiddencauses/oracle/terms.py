"""The likelihood of a tiny table as an alternating sum of products over causes.

Write q for the probability that a cell is off. The likelihood is Π over zeros of q times Π over ones of
(1 − q). Multiplied out, it is Σ over subsets S of the ones of (−1)^|S| Π over C = zeros ∪ S of q. In one
such term every leak and every cause has a factor of its own:

    Π over C of q = Π_i (1 − ε_i)^(c_i) · Π_k Π_{i linked} (1 − λ_ik)^(c_ik),

c_i being the cells of C in column i, and c_ik those of them in rows where cause k is active.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.model.priors import Beta
from hiddencauses.model.spec import ModelSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["Terms", "cause_factors", "leak_factors"]


@dataclass(frozen=True, eq=False, slots=True)
class Terms:
    """The terms of the sum.

    Attributes
    ----------
    sign
        (−1)^|S|, one per term.
    cells
        C as terms × rows × variables of 0 and 1.
    activities
        Every activity a cause can have, 2^rows × rows of 0 and 1.
    exposures
        Cells of C in column i and in rows where the cause is active, terms × activities × variables.
    """

    sign: Floats
    cells: NDArray[np.int64]
    activities: NDArray[np.int64]
    exposures: NDArray[np.int64]

    @classmethod
    def of(cls, codes: NDArray[np.int8]) -> Terms:
        """Multiply out the likelihood of a table (0, 1, and −1 for missing)."""
        ones = np.argwhere(codes == 1)
        chosen = np.array(list(product((0, 1), repeat=len(ones))), dtype=np.int64).reshape(2 ** len(ones), -1)
        cells = np.repeat((codes == 0).astype(np.int64)[None], len(chosen), axis=0)
        if len(ones):
            cells[:, ones[:, 0], ones[:, 1]] = chosen
        activities = np.array(list(product((0, 1), repeat=codes.shape[0])), dtype=np.int64)
        return cls(
            sign=(-1.0) ** chosen.sum(axis=1),
            cells=cells,
            activities=activities,
            exposures=np.einsum("ar,sri->sai", activities, cells),
        )


def leak_factors(spec: ModelSpec, terms: Terms) -> tuple[Floats, Floats]:
    """Return each term's signed factor of the leaks, and the same with leaks counted under it.

    The second has a last axis: one leak, or one per variable.
    """
    per_column = terms.cells.sum(axis=1)
    exponents = per_column.sum(axis=1, keepdims=True) if spec.leak_scope == "shared" else per_column
    factors = _moments(spec.leak, 0, exponents)
    whole = terms.sign * factors.prod(axis=1)
    return whole, whole[:, None] * _moments(spec.leak, 1, exponents) / factors


def cause_factors(spec: ModelSpec, terms: Terms, *, strength: float, prevalence: float) -> dict[str, Floats]:
    """Return what one cause contributes to each term, summed over its activity and link patterns by size.

    Parameters
    ----------
    spec, terms
        The model and the multiplied-out likelihood.
    strength, prevalence
        The values of λ and p where they are shared or fixed (not used otherwise).

    Returns
    -------
    dict
        Arrays terms × sizes (1 … N) × …: `one`, the factor itself, and the factor with something
        counted under its sum: `co_linkage`, `co_activity`, `active_links`, `strength_sums`,
        `prevalence_sum`.
    """
    n_rows, n_variables = terms.cells.shape[1:]
    on = terms.activities.sum(axis=1)
    own_prevalence = isinstance(spec.prevalence, Beta) and spec.prevalence_scope == "per_cause"
    p = spec.prevalence if own_prevalence else prevalence
    activity_mass = _moments(p, 0, n_rows - on, on)
    prevalence_ratio = _moments(p, 0, n_rows - on, on + 1) / activity_mass
    patterns = np.array(list(product((0, 1), repeat=n_variables)), dtype=np.int64)[1:]
    by_size = (patterns.sum(axis=1)[:, None] == np.arange(1, n_variables + 1)).astype(np.float64)

    sums: dict[str, list[Floats]] = {}
    for pattern in patterns:
        failure, strength_sums = _failures(spec, terms.exposures, pattern, strength)
        factor = failure * activity_mass  # terms × activities
        one = factor.sum(axis=1)
        co_activity = np.einsum("sa,ar,aq->srq", factor, terms.activities, terms.activities)
        active = factor @ terms.activities
        found = {
            "one": one,
            "co_linkage": one[:, None, None] * np.outer(pattern, pattern),
            "co_activity": co_activity,
            "active_links": active[:, :, None] * pattern,
            "strength_sums": (strength_sums * activity_mass[:, None]).sum(axis=1),
            "prevalence_sum": (factor * prevalence_ratio).sum(axis=1),
        }
        if spec.strength_scope != "per_link":
            found["strength_sums"] = found["strength_sums"][:, 0]
        for name, value in found.items():
            sums.setdefault(name, []).append(value)
    return {name: np.einsum("hs...,hm->sm...", np.stack(values), by_size) for name, values in sums.items()}


def _failures(
    spec: ModelSpec, exposures: NDArray[np.int64], pattern: NDArray[np.int64], strength: float
) -> tuple[Floats, Floats]:
    """Return E Π (1 − λ)^exposure over the links of a pattern, and the same with strengths counted under it.

    The second has a last axis: the variables (each link's own strength), or one (the cause's strength).
    """
    linked = exposures * pattern
    if spec.strength_scope == "per_link" and isinstance(spec.strength, Beta):
        factors = _moments(spec.strength, 0, linked)
        whole = factors.prod(axis=2)
        return whole, whole[..., None] * _moments(spec.strength, 1, linked) / factors * pattern
    own = isinstance(spec.strength, Beta) and spec.strength_scope == "per_cause"
    prior = spec.strength if own else strength
    together = linked.sum(axis=2)
    whole = _moments(prior, 0, together)
    counted = _moments(prior, 1, together)[..., None]
    return whole, counted * pattern if spec.strength_scope == "per_link" else counted


def _moments(
    prior: Beta | float, successes: int, failures: NDArray[np.int64], more: NDArray[np.int64] | int = 0
) -> Floats:
    """E[xⁿ (1−x)ᵐ] for n = successes + more, m = failures; x may be fixed."""
    n = successes + np.asarray(more)
    if isinstance(prior, Beta):
        return np.exp(prior.log_moment(n, failures))
    return np.asarray(prior**n * (1.0 - prior) ** failures)
