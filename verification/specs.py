"""Small sets of combinations in which every level of every factor, and every pair of levels, occurs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from hiddencauses import (
    Beta,
    Finite,
    FixedCount,
    Gamma,
    Geometric,
    Infinite,
    ModelSpec,
    TruncatedPoisson,
    UniformCount,
)

__all__ = ["MODEL_FACTORS", "pairwise", "pairwise_specs"]

#: The model's factors with levels that make small tables informative and sums over causes short.
MODEL_FACTORS: dict[str, list[Any]] = {
    "strength": [0.8, Beta(2.0, 1.0)],
    "leak": [0.1, Beta(1.0, 3.0)],
    "prevalence": [0.3, Beta(1.0, 1.5)],
    "concentration": [0.9, Gamma(1.5, 1.5)],
    "strength_scope": ["shared", "per_cause", "per_link"],
    "leak_scope": ["shared", "per_variable"],
    "prevalence_scope": ["shared", "per_cause"],
    "causes": [
        Infinite(),
        Finite(Geometric(0.5)),
        Finite(TruncatedPoisson(1.5)),
        Finite(UniformCount(3)),
        Finite(FixedCount(2)),
    ],
}


def pairwise(
    factors: Mapping[str, Sequence[Any]],
    *,
    allowed: Callable[[dict[str, Any]], bool] = lambda combination: True,
    together: Sequence[tuple[str, ...]] = (),
) -> list[dict[str, Any]]:
    """Choose combinations greedily until every pair of levels has occurred that can occur.

    Parameters
    ----------
    factors
        Levels of each factor.
    allowed
        Which combinations make sense.
    together
        Larger groups of factors whose levels are to occur in every combination, too.
    """
    names = list(factors)
    sizes = [len(factors[name]) for name in names]
    every = np.array(list(product(*(range(size) for size in sizes))), dtype=np.int64)

    def combination(row: np.ndarray) -> dict[str, Any]:
        return {name: factors[name][level] for name, level in zip(names, row, strict=True)}

    every = every[[allowed(combination(row)) for row in every]]
    groups = [*combinations(range(len(names)), 2), *(tuple(map(names.index, group)) for group in together)]
    # number the joint levels of each group, all groups one after the other
    ids, first = np.empty((len(every), len(groups)), dtype=np.int64), 0
    for g, group in enumerate(groups):
        shape = [sizes[member] for member in group]
        ids[:, g] = first + np.ravel_multi_index([every[:, member] for member in group], shape)
        first += int(np.prod(shape))
    is_open = np.zeros(first, dtype=bool)
    is_open[ids] = True
    chosen = []
    while is_open.any():
        best = int(is_open[ids].sum(axis=1).argmax())
        is_open[ids[best]] = False
        chosen.append(combination(every[best]))
    return chosen


def pairwise_specs() -> list[ModelSpec]:
    """Return specs that cover every pair of levels of the model's factors."""
    return [ModelSpec(**combination) for combination in pairwise(MODEL_FACTORS)]
