"""The models and samplers that are calibrated, and how long their chains must be."""

from __future__ import annotations

from dataclasses import dataclass

from hiddencauses import Beta, Finite, Gamma, Infinite, ModelSpec, TruncatedPoisson
from hiddencauses.kernels.schedule import (
    AUTO_FINITE,
    AUTO_INFINITE,
    GIBBS,
    REVERSIBLE_JUMP,
    SINGLE_LINK_BIRTHS,
)

__all__ = ["CalibratedModel", "calibrated_models"]

#: Causes that mostly show, so that chains find them and leave them again in reasonable time.
PRIORS = {
    "strength": Beta(4.0, 2.0),
    "leak": Beta(2.0, 14.0),
    "prevalence": Beta(2.0, 5.0),
    "concentration": Gamma(3.0, 3.0),
}


@dataclass(frozen=True, slots=True)
class CalibratedModel:
    """A model, a sampler, and the lengths of warm-up and of the gaps between kept draws, in sweeps."""

    name: str
    spec: ModelSpec
    schedule: int
    warmup: int
    thin: int


def calibrated_models() -> list[CalibratedModel]:
    """Return the models; "own" has the scopes of the default spec."""
    own = {"strength_scope": "per_link", "leak_scope": "per_variable", "prevalence_scope": "per_cause"}
    poisson = Finite(TruncatedPoisson(3.0))

    def model(name: str, schedule: int, warmup: int, thin: int, **choices: object) -> CalibratedModel:
        return CalibratedModel(name, ModelSpec(**{**PRIORS, **choices}), schedule, warmup, thin)  # type: ignore[arg-type]

    return [
        model("infinite shared/gibbs", GIBBS, 500, 30, causes=Infinite()),
        model("infinite own/gibbs", GIBBS, 500, 30, causes=Infinite(), **own),
        model("finite shared/reversible_jump", REVERSIBLE_JUMP, 500, 40, causes=poisson),
        model("finite shared/single_link_births", SINGLE_LINK_BIRTHS, 800, 90, causes=poisson),
        model("infinite own/auto", AUTO_INFINITE, 300, 15, causes=Infinite(), **own),
        model("infinite shared/auto", AUTO_INFINITE, 400, 30, causes=Infinite()),
        model("finite own/auto", AUTO_FINITE, 300, 20, causes=poisson, **own),
    ]
