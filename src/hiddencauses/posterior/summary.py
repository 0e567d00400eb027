"""The summary of a run: how many causes, which, the parameters, and whether the chains agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.posterior.alignment import LEVEL, Alignment, align
from hiddencauses.posterior.cause_counts import CauseCounts, count_causes
from hiddencauses.posterior.diagnosis import Diagnosis, QuantityDiagnosis, diagnose
from hiddencauses.posterior.intervals import Estimate, estimate

if TYPE_CHECKING:
    from hiddencauses.sampling.draws import Draws

__all__ = ["SCHEMA", "Summary", "summarise"]

#: The form of the summary as JSON; `summary.schema.json` beside this file says it in full.
SCHEMA = "hiddencauses/summary/1"
#: Links that fewer of a cause's draws have are left out of the JSON.
LEAST_LINK_PROBABILITY = 0.05
#: Kinds of quantities whose diagnosis is given one by one; of the others the worst.
TOLD_SINGLY = ("count", "density")


@dataclass(frozen=True, eq=False, slots=True)
class Summary:
    """What a run tells.

    Attributes
    ----------
    counts
        How many causes there are.
    alignment
        Which they are.
    parameters
        Concentration, and strength and prevalence where shared: each an estimate, or the number at which it
        is fixed. The leak: the same, or one estimate per variable.
    diagnosis
        Whether the chains agree.
    level
        What intervals hold.
    """

    counts: CauseCounts
    alignment: Alignment
    parameters: dict[str, float | Estimate | dict[str, Estimate]]
    diagnosis: Diagnosis
    level: float

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data, ready for JSON."""
        return {
            "schema": SCHEMA,
            "n_causes": {
                "mode": self.counts.mode,
                "mean": self.counts.mean,
                "low": self.counts.low,
                "high": self.counts.high,
                "level": self.level,
                "distribution": self.counts.probability.tolist(),
            },
            "causes": [self._cause(k) for k in range(self.alignment.n_worth_telling)],
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "diagnostics": self._diagnostics(),
        }

    def _cause(self, k: int) -> dict[str, Any]:
        a = self.alignment
        columns = a.causes.draws.columns
        strongest = np.argsort(-np.nan_to_num(a.strength[:, k]) * a.link_probability[:, k], kind="stable")
        links = [
            {
                "variable": columns[i],
                "probability": float(a.link_probability[i, k]),
                "strength": _three(a.strength[i, k], a.strength_low[i, k], a.strength_high[i, k]),
            }
            for i in strongest
            if a.link_probability[i, k] >= LEAST_LINK_PROBABILITY
        ]
        return {
            "name": a.names[k],
            "status": a.status[k],
            "exists": float(a.exists[k]),
            "exists_by_chain": a.exists_by_chain[k].tolist(),
            "match": float(a.match[k]),
            "at_work": float(a.at_work[k]),
            "prevalence": _three(a.prevalence[k], a.prevalence_low[k], a.prevalence_high[k]),
            "single_variable": float(a.single[k]),
            "links": links,
        }

    def _diagnostics(self) -> dict[str, Any]:
        found, a = self.diagnosis, self.alignment
        return {
            "chains": found.n_chains,
            "draws": found.n_draws,
            "chains_agree": found.chains_agree,
            "worst_rhat": _quantity(found.worst_rhat),
            "fewest_effective": _quantity(found.fewest_effective),
            "quantities": [_quantity(q) for q in found.quantities if q.kind in TOLD_SINGLY],
            "causes_of_some_chains": [
                {"name": name, "exists_by_chain": list(shares)}
                for name, shares in found.causes_of_some_chains
            ],
            "rare_causes": a.n_aligned - a.n_worth_telling,
            "unmatched_causes_per_draw": a.left_over,
            "warnings": [{"class": kind.__name__, "message": text} for kind, text in found.messages()],
        }


def summarise(
    draws: Draws,
    *,
    alignment: Alignment | None = None,
    diagnosis: Diagnosis | None = None,
    level: float = LEVEL,
) -> Summary:
    """Summarise a run.

    Parameters
    ----------
    draws
        Draws from the posterior.
    alignment, diagnosis
        Where they are there already.
    level
        What intervals hold; an alignment has intervals of its own level.
    """
    aligned = align(draws, level=level) if alignment is None else alignment
    return Summary(
        counts=count_causes(draws, level=level),
        alignment=aligned,
        parameters=_parameters(draws, level),
        diagnosis=diagnose(draws, alignment=aligned) if diagnosis is None else diagnosis,
        level=level,
    )


def _parameters(draws: Draws, level: float) -> dict[str, float | Estimate | dict[str, Estimate]]:
    spec = draws.spec
    found: dict[str, float | Estimate | dict[str, Estimate]] = {}
    for name in ("concentration", "leak", "strength", "prevalence"):
        prior = getattr(spec, name)
        if not isinstance(prior, (Beta, Gamma)):
            found[name] = float(prior)
        elif name == "leak" and spec.leak_scope == "per_variable":
            found[name] = {
                column: estimate(draws.leak[..., i], level) for i, column in enumerate(draws.columns)
            }
        elif name == "concentration" or getattr(spec, f"{name}_scope") == "shared":
            found[name] = estimate(getattr(draws, name), level)
    return found


def _plain(value: float | Estimate | dict[str, Estimate]) -> Any:
    if isinstance(value, Estimate):
        return value.to_dict()
    if isinstance(value, dict):
        return [{"variable": name, **part.to_dict()} for name, part in value.items()]
    return {"fixed": value}


def _three(mean: float, low: float, high: float) -> dict[str, float]:
    return Estimate(float(mean), float(low), float(high)).to_dict()


def _quantity(found: QuantityDiagnosis) -> dict[str, Any]:
    """Return a quantity's diagnosis; null for what is not a number."""
    numbers = {name: getattr(found, name) for name in ("mean", "sd", "mcse", "ess_bulk", "ess_tail", "rhat")}
    return {"name": found.name} | {n: v if math.isfinite(v) else None for n, v in numbers.items()}
