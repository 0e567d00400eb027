"""Small runs that several tests look at, made once."""

from functools import cache

import numpy as np

from hiddencauses import DEFAULT_SPEC, ModelSpec, sample, simulate

LINKS = np.kron(np.eye(3, dtype=int), np.ones((4, 1), dtype=int))
KNOWN = ModelSpec(strength=0.7, leak=0.1, prevalence=0.3, concentration=1.0)


@cache
def known_simulation():
    """A table of three causes of four variables each, with missing cells; all parameters are known."""
    return simulate(rows=250, links=LINKS, spec=KNOWN, missing_rate=0.05, seed=7)


@cache
def known_run():
    """Draws given that table, started at the truth."""
    simulation = known_simulation()
    return sample(
        simulation.table,
        KNOWN,
        draws=100,
        warmup=20,
        chains=2,
        seed=1,
        init=simulation.truth,
        sampler="gibbs",
    )


@cache
def free_run():
    """Draws of the default model, all parameters free, given the same table."""
    return sample(known_simulation().table, DEFAULT_SPEC, draws=60, warmup=60, chains=2, seed=2)
