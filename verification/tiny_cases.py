"""Tiny tables with specs, samplers and starts: every pair of levels occurs, and what interacts, jointly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hiddencauses import Finite, Geometric, ModelSpec
from verification.specs import MODEL_FACTORS, pairwise

__all__ = ["WIDE", "TinyCase", "tiny_cases"]

NONE = float("nan")
#: Rows of tables of 1 to 4 rows and 1 to 3 variables, and the same with a cell missing.
TABLES = {
    "1 × 3": ([[1, 1, 0]], [[1, NONE, 1]]),
    "2 × 2": ([[1, 1], [1, 0]], [[1, NONE], [1, 1]]),
    "3 × 2": ([[1, 1], [0, 0], [1, 1]], [[1, 1], [NONE, 0], [1, 1]]),
    "4 × 1": ([[1], [1], [0], [1]], [[1], [NONE], [0], [1]]),
    "4 × 3": ([[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0]], [[1, 1, NONE], [1, 1, 0], [0, 0, 1], [0, 0, 0]]),
}
#: Wide enough to matter. The default, 0.1, would be the same code in a chain a hundred times as slow: tables
#: as small as these hardly keep the number of causes from wandering.
WIDE = Finite(Geometric(0.25))

#: Turned round, because ties are settled by the first level: rather what is free than what is fixed.
FACTORS: dict[str, list[Any]] = {
    **{name: levels[::-1] for name, levels in MODEL_FACTORS.items()},
    "causes": [*MODEL_FACTORS["causes"], WIDE],
    "sampler": ["gibbs", "reversible_jump", "single_link_births", "auto"],
    "missing": [False, True],
    "start": ["empty", "prior", "random:2"],
    "table": list(TABLES),
}
#: What a sampler does to links and new causes depends on these together.
TOGETHER = (
    ("strength", "strength_scope", "sampler"),
    ("prevalence", "prevalence_scope", "sampler"),
    ("strength", "prevalence", "strength_scope", "prevalence_scope"),
)


@dataclass(frozen=True, slots=True)
class TinyCase:
    """A tiny table, its model, and how it is to be sampled."""

    number: int
    cells: list[list[float]]
    spec: ModelSpec
    sampler: str
    start: str

    @property
    def name(self) -> str:
        """Everything about the case in one line."""
        spec = self.spec
        causes = spec.causes.prior_on_k if isinstance(spec.causes, Finite) else "infinite"
        parts = [
            f"{len(self.cells)}×{len(self.cells[0])}{'?' if str(self.cells).count('nan') else ''}",
            f"{self.sampler} from {self.start}, {causes}",
            f"λ {spec.strength} {spec.strength_scope}, ε {spec.leak} {spec.leak_scope}",
            f"p {spec.prevalence} {spec.prevalence_scope}, α {spec.concentration}",
        ]
        return "; ".join(parts)


def _allowed(combination: dict[str, Any]) -> bool:
    """Tell whether sampler, prior on K and start fit each other, and the oracle stays quick."""
    causes, sampler = combination["causes"], combination["sampler"]
    if sampler != "auto" and (sampler == "gibbs") == isinstance(causes, Finite):
        return False
    return causes != WIDE or combination["table"] != "4 × 3"


def tiny_cases() -> list[TinyCase]:
    """Return the cases, always the same ones in the same order."""
    model = list(MODEL_FACTORS)
    return [
        TinyCase(
            number,
            TABLES[chosen["table"]][int(chosen["missing"])],
            ModelSpec(**{name: chosen[name] for name in model}),
            chosen["sampler"],
            chosen["start"],
        )
        for number, chosen in enumerate(pairwise(FACTORS, allowed=_allowed, together=TOGETHER))
    ]
