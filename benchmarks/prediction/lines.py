"""All lines of the comparison, by name and in the order of the page."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.prediction.methods import Method, SpecMethod, independent_columns
from benchmarks.prediction.noisy_or import SPECS, Effort, with_priors
from benchmarks.prediction.rivals.boltzmann import boltzmann_machine
from benchmarks.prediction.rivals.factorisation import non_negative_factors, topics
from benchmarks.prediction.rivals.item_response import item_response
from benchmarks.prediction.rivals.latent_classes import latent_classes
from benchmarks.prediction.rivals.logistic import logistic_regression
from hiddencauses import DEFAULT_SPEC, Beta

__all__ = ["lines", "lines_with_priors"]

RIVALS: dict[str, Method] = {
    "latent classes": latent_classes,
    "restricted Boltzmann machine": boltzmann_machine,
    "item response, up to 3 dimensions": item_response,
    "non-negative factors": non_negative_factors,
    "topics (LDA)": topics,
    "logistic regression per column": logistic_regression,
}


def lines(effort: Effort) -> dict[str, Method]:
    """Return every line that is always there; the last is what all are compared with."""
    return (
        {"independent columns": independent_columns}
        | RIVALS
        | {name: SpecMethod(spec, effort) for name, spec in SPECS.items()}
        | {"noisy-or, default, one draw": SpecMethod(DEFAULT_SPEC, effort, averaged=False)}
        | {"noisy-or, default": SpecMethod(DEFAULT_SPEC, effort)}
    )


def lines_with_priors(
    strengths: Sequence[Beta], prevalences: Sequence[Beta], effort: Effort
) -> dict[str, Method]:
    """Return a line of the default spec for each pair of other priors; none given is the default's own."""
    found = {}
    for strength in strengths or [None]:
        for prevalence in prevalences or [None]:
            said = [
                f"{what} Beta({prior.a:g}, {prior.b:g})"
                for what, prior in (("strength", strength), ("prevalence", prevalence))
                if prior is not None
            ]
            if said:
                spec = with_priors(DEFAULT_SPEC, strength=strength, prevalence=prevalence)
                found[f"noisy-or, default, {', '.join(said)}"] = SpecMethod(spec, effort)
    return found
