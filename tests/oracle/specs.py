"""A small set of specs in which every level of every factor, and every pair of levels, occurs."""

from itertools import combinations, product

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

FACTORS = {
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


def pairwise_specs() -> list[ModelSpec]:
    """Choose combinations greedily until every pair of levels of two factors has occurred."""
    names = list(FACTORS)
    everything = list(product(*(range(len(FACTORS[name])) for name in names)))
    open_pairs = {
        (i, a, j, b)
        for i, j in combinations(range(len(names)), 2)
        for a in range(len(FACTORS[names[i]]))
        for b in range(len(FACTORS[names[j]]))
    }

    def pairs(row):
        return {(i, row[i], j, row[j]) for i, j in combinations(range(len(names)), 2)}

    specs = []
    while open_pairs:
        best = max(everything, key=lambda row: len(pairs(row) & open_pairs))
        open_pairs -= pairs(best)
        specs.append(
            ModelSpec(**{name: FACTORS[name][level] for name, level in zip(names, best, strict=True)})
        )
    return specs
