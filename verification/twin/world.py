"""The twin's state: a list of causes, each with its links, its activity and what parameters are its own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from hiddencauses.model.spec import ModelSpec
from hiddencauses.model.world import Parameters, World


@dataclass
class Cause:
    """One hidden cause.

    `links[i]` is z_ik, `active[r]` is y_rk. `strengths[i]` is λ_ik: all alike unless strengths are per link,
    and then meaningful where there is a link.
    """

    links: list[int]
    active: list[int]
    strengths: list[float]
    prevalence: float

    @property
    def degree(self) -> int:
        """m_k, the number of links."""
        return sum(self.links)


@dataclass
class TwinState:
    """Everything the sampler changes, and the table and spec it does not."""

    cells: list[list[int]]  # x_ir as rows of variables: 0, 1, −1 for missing
    spec: ModelSpec
    causes: list[Cause]
    strength: float  # λ where it is shared
    prevalence: float  # p where it is shared
    leak: list[float]  # ε_i, all alike when shared
    concentration: float
    moved: dict[str, list[float]] = field(
        default_factory=lambda: {"strength": [0.0, 0.0], "leak": [0.0, 0.0]}
    )  # distance moved by slice steps, and how many there were, in warm-up

    @property
    def n_rows(self) -> int:
        """R."""
        return len(self.cells)

    @property
    def n_variables(self) -> int:
        """N."""
        return len(self.leak)

    def log_off(self, i: int, row: int, *, without: Cause | None = None) -> float:
        """Log P(x_i = 0) in a row, one cause left out: Eq. 3 with strengths and leaks of their own."""
        total = math.log1p(-self.leak[i])
        for cause in self.causes:
            if cause is not without and cause.links[i] and cause.active[row]:
                total += math.log1p(-cause.strengths[i])
        return total

    def own_causes(self, i: int) -> list[Cause]:
        """Causes that drive variable i and nothing else."""
        return [cause for cause in self.causes if cause.links[i] and cause.degree == 1]

    def remove(self, cause: Cause) -> None:
        """Take a cause out; the last one takes its place, as in the compiled state."""
        place = next(k for k, other in enumerate(self.causes) if other is cause)
        self.causes[place] = self.causes[-1]
        self.causes.pop()


def log_on(log_off: float) -> float:
    """Log P(x = 1) from log P(x = 0)."""
    return math.log(-math.expm1(log_off))


def cell_log_likelihood(cell: int, log_off: float) -> float:
    """Log P(x), 0 for a missing cell."""
    return 0.0 if cell < 0 else log_off if cell == 0 else log_on(log_off)


def twin_of(codes: np.ndarray, world: World, spec: ModelSpec) -> TwinState:
    """Make the twin's state from a world."""
    n_variables, k = world.links.shape
    par = world.parameters
    strength = np.broadcast_to(par.strength, (n_variables, k))
    # where there is no link a fixed strength is known all the same; a free one is drawn when it is needed
    strength = np.where(np.isnan(strength), _shared(par.strength, spec.strength), strength)
    prevalence = np.broadcast_to(par.prevalence, k)
    causes = [
        Cause(
            world.links[:, c].tolist(),
            world.activity[:, c].tolist(),
            strength[:, c].tolist(),
            float(prevalence[c]),
        )
        for c in range(k)
    ]
    return TwinState(
        cells=codes.tolist(),
        spec=spec,
        causes=causes,
        strength=_shared(par.strength, spec.strength),
        prevalence=_shared(par.prevalence, spec.prevalence),
        leak=np.broadcast_to(par.leak, n_variables).tolist(),
        concentration=par.concentration,
    )


def _shared(value: np.ndarray, given: object) -> float:
    """Return the one value of a shared or fixed parameter; any number where there is none."""
    if isinstance(given, float):
        return given
    return float(value) if value.ndim == 0 else 0.5


def world_of_twin(state: TwinState) -> World:
    """Turn the twin's state into a world."""
    spec, causes = state.spec, state.causes
    links = np.array([c.links for c in causes], dtype=np.int8).reshape(-1, state.n_variables).T
    activity = np.array([c.active for c in causes], dtype=np.int8).reshape(-1, state.n_rows).T
    strengths = np.array([c.strengths for c in causes]).reshape(-1, state.n_variables).T
    if spec.strength_scope == "shared":
        strength = np.asarray(state.strength)
    elif spec.strength_scope == "per_cause":
        strength = strengths[0]
    else:
        strength = np.where(links == 1, strengths, np.nan)
    own_prevalence = spec.prevalence_scope == "per_cause"
    return World(
        links,
        activity,
        Parameters(
            strength,
            np.asarray(state.leak[0] if spec.leak_scope == "shared" else state.leak),
            np.array([c.prevalence for c in causes]) if own_prevalence else np.asarray(state.prevalence),
            state.concentration,
        ),
    )
