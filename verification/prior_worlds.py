"""Independent worlds and tables from the joint distribution, as kernels see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hiddencauses import Beta, Finite, Gamma, Infinite, ModelSpec, TruncatedPoisson, UniformCount
from hiddencauses.kernels.state import Data, State
from hiddencauses.model.simulate import draw_table, draw_world
from hiddencauses.sampling.convert import state_of
from verification.cells import data_of

__all__ = ["JointModel", "joint_models", "prior_worlds"]

#: Priors with moderate tails, so that squares and products of statistics have variances to speak of.
PRIORS = {
    "strength": Beta(3.0, 2.0),
    "leak": Beta(2.0, 5.0),
    "prevalence": Beta(2.0, 3.0),
    "concentration": Gamma(3.0, 3.0),
}


@dataclass(frozen=True, slots=True)
class JointModel:
    """A model with all hyperparameters free, and the size of its tables.

    Attributes
    ----------
    name
        Short.
    spec
        The model.
    missing
        Cells, as (row, variable), that are always missing.
    """

    name: str
    spec: ModelSpec
    rows: int = 4
    variables: int = 3
    missing: tuple[tuple[int, int], ...] = ()


def joint_models() -> list[JointModel]:
    """Return the models: every scope, both kinds of prior on the number of causes, with missing cells."""
    own = {"strength_scope": "per_link", "leak_scope": "per_variable", "prevalence_scope": "per_cause"}
    per_cause = {"strength_scope": "per_cause", "prevalence_scope": "per_cause"}
    gaps = ((0, 1), (2, 0), (3, 2))
    poisson, uniform = Finite(TruncatedPoisson(2.0)), Finite(UniformCount(4))

    def model(name: str, missing: tuple[tuple[int, int], ...] = (), **choices: object) -> JointModel:
        return JointModel(name, ModelSpec(**{**PRIORS, **choices}), missing=missing)  # type: ignore[arg-type]

    return [
        model("infinite shared", causes=Infinite()),
        model("infinite own", gaps, causes=Infinite(), **own),
        model("infinite per cause", gaps, causes=Infinite(), **per_cause),
        model("finite shared", causes=poisson),
        model("finite own", gaps, causes=poisson, **own),
        model("finite per cause", causes=uniform, **per_cause),
    ]


def prior_worlds(model: JointModel, *, draws: int, seed: int, first: int = 0) -> Iterator[tuple[State, Data]]:
    """Go through independent worlds from the prior, each with a table drawn from it."""
    for replicate in range(first, first + draws):
        world = draw_world(
            model.spec, rows=model.rows, variables=model.variables, seed=seed, replicate=replicate
        )
        codes = draw_table(world, seed=seed, replicate=replicate).codes()
        for row, variable in model.missing:
            codes[row, variable] = -1
        yield state_of(world, model.spec), data_of(codes)
