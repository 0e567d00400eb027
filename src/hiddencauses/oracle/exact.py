"""The exact posterior of tiny tables, for every variant of the model.

Two facts make this possible without walking through worlds (derivation in docs/oracle.md):

1. Π over ones of (1 − q) is an alternating sum over subsets of the ones, and each term of it is a
   product of one factor for the leaks and one factor for each cause, in which Beta priors integrate to
   ratios of Beta functions (`oracle/terms.py`).
2. Under the buffet process the numbers of causes with each link pattern are independent Poisson
   variables, so in one term the sum over all sets of causes, however many, is an exponential; in the
   finite model it is a power (`oracle/structures.py`). Nothing is truncated.

What all causes share and is free (λ, p) is integrated by Gauss-Jacobi quadrature, exact for polynomials
up to twice the number of nodes; so is α of the finite model, where it is not conjugate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.table import Table
from hiddencauses.errors import UserError
from hiddencauses.model.priors import Beta
from hiddencauses.model.spec import ModelSpec, as_spec
from hiddencauses.oracle.quadrature import beta_nodes
from hiddencauses.oracle.structures import sum_structures
from hiddencauses.oracle.terms import Terms, cause_factors, leak_factors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = ["ExactPosterior", "exact_posterior"]

#: Beyond these the sum over subsets of ones, or over activities of a cause, gets out of hand.
MOST_ONES, MOST_ROWS, MOST_VARIABLES = 14, 6, 5


@dataclass(frozen=True, eq=False, slots=True)
class ExactPosterior:
    """The exact posterior, in quantities that do not depend on how causes are labelled.

    "Linked" causes are those with at least one link; only they enter, except in `n_total`.

    Attributes
    ----------
    log_evidence
        log P(X).
    n_causes
        Probability of 0, 1, 2, … linked causes.
    n_total
        Probability of K = 0, 1, 2, … in the finite model; None in the unbounded one.
    co_linkage
        E[Z Zᵀ], variables × variables: expected number of causes that two variables share.
    co_activity
        E[Y Yᵀ] over linked causes, rows × rows: expected number of causes at work in both rows.
    active_links
        E[Y Zᵀ], rows × variables: expected number of active causes behind a cell.
    strength
        E[λ] when shared. Per cause: E[Σ_k λ_k] over linked causes. Per link: for each variable the
        expected sum of the strengths of its links.
    leak
        E[ε], one number, or one per variable.
    prevalence
        E[p] when shared. Per cause: E[Σ_k p_k] over linked causes.
    concentration
        E[α].
    """

    log_evidence: float
    n_causes: Floats
    n_total: Floats | None
    co_linkage: Floats
    co_activity: Floats
    active_links: Floats
    strength: Floats
    leak: Floats
    prevalence: Floats
    concentration: float


def exact_posterior(table: Table | ArrayLike, spec: ModelSpec | None = None) -> ExactPosterior:
    """Return the exact posterior of a tiny table.

    Parameters
    ----------
    table
        At most 6 rows, 5 variables and 14 ones.
    spec
        The variant of the model; `DEFAULT_SPEC` when left out.

    Examples
    --------
    >>> spec = ModelSpec(strength=0.8, leak=0.1, prevalence=0.3, concentration=1.0)
    >>> shared = exact_posterior([[1, 1]], spec).co_linkage[0, 1]
    >>> round(float(shared), 4)
    1.1662
    """
    spec = as_spec(spec)
    codes = (table if isinstance(table, Table) else Table.from_array(table)).codes()
    _check_tiny(codes)
    terms = Terms.of(codes)
    leak_factor, leak_means = leak_factors(spec, terms)
    sums: dict[str, Floats] = {}
    for prevalence, strength, weight in _shared_nodes(spec):
        causes = cause_factors(spec, terms, strength=strength, prevalence=prevalence)
        structures = sum_structures(spec, causes["one"], codes.shape[1])
        evidence = leak_factor * structures.total
        parts = {
            "evidence": evidence.sum(),
            "n_causes": leak_factor @ structures.by_linked,
            "n_total": leak_factor @ structures.by_total,
            "concentration": leak_factor @ structures.concentration,
            "leak": structures.total @ leak_means,
            "strength": np.asarray(strength) * evidence.sum(),
            "prevalence": np.asarray(prevalence) * evidence.sum(),
        }
        for name, factor in causes.items():
            if name != "one":
                parts[name] = np.einsum("s,sm,sm...->...", leak_factor, structures.per_cause, factor)
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + weight * np.asarray(part)
    scale = sums.pop("evidence")
    mean = {name: value / scale for name, value in sums.items()}
    return ExactPosterior(
        log_evidence=float(np.log(scale)),
        n_causes=mean["n_causes"],
        n_total=mean["n_total"] if spec.causes.kind == "finite" else None,
        co_linkage=mean["co_linkage"],
        co_activity=mean["co_activity"],
        active_links=mean["active_links"],
        strength=mean["strength_sums"] if spec.strength_scope != "shared" else mean["strength"],
        leak=mean["leak"][0] if spec.leak_scope == "shared" else mean["leak"],
        prevalence=mean["prevalence_sum"] if spec.prevalence_scope != "shared" else mean["prevalence"],
        concentration=float(mean["concentration"]),
    )


def _check_tiny(codes: NDArray[np.int8]) -> None:
    n_rows, n_variables = codes.shape
    ones = int((codes == 1).sum())
    if n_rows > MOST_ROWS or n_variables > MOST_VARIABLES or ones > MOST_ONES:
        raise UserError(
            f"the table has {n_rows} rows, {n_variables} variables and {ones} ones; the exact posterior "
            f"can be had up to {MOST_ROWS} rows, {MOST_VARIABLES} variables and {MOST_ONES} ones; "
            "use a sampler"
        )


def _shared_nodes(spec: ModelSpec) -> Iterator[tuple[float, float, float]]:
    """Go through values of (p, λ) with weights; one value where a parameter is fixed or not shared."""

    def nodes(prior: Beta | float, scope: str) -> list[tuple[float, float]]:
        if not isinstance(prior, Beta):
            return [(prior, 1.0)]
        return beta_nodes(prior) if scope == "shared" else [(np.nan, 1.0)]

    for prevalence, prevalence_weight in nodes(spec.prevalence, spec.prevalence_scope):
        for strength, strength_weight in nodes(spec.strength, spec.strength_scope):
            yield prevalence, strength, prevalence_weight * strength_weight
