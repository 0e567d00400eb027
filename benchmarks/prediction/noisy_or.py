"""Our lines: draws from the posterior given the training rows, each predicting the cells asked for."""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.prediction.activity_gibbs import chances
from benchmarks.prediction.splits import Task
from hiddencauses import DEFAULT_SPEC, Beta, ModelSpec, Table, sample
from hiddencauses.errors import ConstantColumnWarning

__all__ = ["SPECS", "Effort", "FittedDraws", "by_draw", "with_priors"]

Floats = NDArray[np.float64]

_FLAT = replace(DEFAULT_SPEC, strength=Beta(1, 1))

#: Variants of the model by the names of their lines, all with flat priors.
SPECS = {
    "noisy-or, paper": ModelSpec.paper(),
    "noisy-or, shared strength": replace(_FLAT, strength_scope="shared"),
    "noisy-or, strength per cause": replace(_FLAT, strength_scope="per_cause"),
    "noisy-or, strength per link, flat": _FLAT,
}


@dataclass(frozen=True, slots=True)
class Effort:
    """How long chains run, how many of their draws predict, and in how many sweeps each."""

    warmup: int = 200
    draws: int = 200
    chains: int = 2
    used: int = 40
    sweeps: int = 60


@dataclass(frozen=True, eq=False, slots=True)
class FittedDraws:
    """What the draws used say.

    Attributes
    ----------
    chances
        For each question: draws × asked cells.
    causes, links
        How many there are on average in a draw.
    """

    chances: tuple[Floats, ...]
    causes: float
    links: float


def with_priors(
    spec: ModelSpec, *, strength: Beta | None = None, prevalence: Beta | None = None
) -> ModelSpec:
    """Return a spec with other priors."""
    if strength is not None:
        spec = replace(spec, strength=strength)
    return spec if prevalence is None else replace(spec, prevalence=prevalence)


_last: dict[str, FittedDraws] = {}


def by_draw(task: Task, spec: ModelSpec, effort: Effort) -> FittedDraws:
    """Sample and predict; the last answer is kept, for the line that looks at its draws one by one."""
    key = _name(task, spec, effort)
    if key not in _last:
        found = _by_draw(task, spec, effort)
        _last.clear()
        _last[key] = found
    return _last[key]


def _by_draw(task: Task, spec: ModelSpec, effort: Effort) -> FittedDraws:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantColumnWarning)  # a split may leave a rare variable no one
        draws = sample(
            Table.from_array(task.train),
            spec,
            draws=effort.draws,
            warmup=effort.warmup,
            chains=effort.chains,
            seed=task.seed,
        )
    each = max(1, effort.used // effort.chains)
    chosen = np.unique(np.linspace(0, effort.draws - 1, each).round().astype(int))
    worlds = [draws.world(chain, int(draw)) for chain in range(effort.chains) for draw in chosen]
    rng = np.random.default_rng(task.seed)
    return FittedDraws(
        tuple(
            np.stack([chances(rng, world, q.cells, q.asked, sweeps=effort.sweeps) for world in worlds])
            for q in task.questions
        ),
        causes=float(draws.n_causes.mean()),
        links=float(np.mean([world.links.sum() for world in worlds])),
    )


def _name(task: Task, spec: ModelSpec, effort: Effort) -> str:
    digest = hashlib.sha256(json.dumps([spec.to_dict(), repr(effort), task.seed]).encode())
    for cells in (task.train, *(part for q in task.questions for part in (q.cells, q.asked))):
        digest.update(np.ascontiguousarray(cells).tobytes())
    return digest.hexdigest()
