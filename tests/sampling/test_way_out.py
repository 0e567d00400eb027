"""States that the paper's moves never leave, and the default sampler does."""

import numpy as np

from hiddencauses import ModelSpec, sample, simulate
from hiddencauses.model.world import Parameters, World

SPEC = ModelSpec.paper()


def table_with_three_causes():
    links = np.kron(np.eye(3, dtype=np.int8), np.ones((6, 1), dtype=np.int8))
    spec = SPEC.with_fixed(strength=0.9, leak=0.005, prevalence=0.15)
    return simulate(rows=400, variables=18, links=links, spec=spec, seed=2)


def doubled(world):
    """The same causes, each there twice with half of its rows, and half the prevalence."""
    rng = np.random.default_rng(0)
    first = (rng.random(world.activity.shape) < 0.5).astype(np.int8)
    activity = np.hstack([world.activity * first, world.activity * (1 - first)])
    halved = Parameters(np.asarray(0.9), np.asarray(0.005), np.asarray(0.075), 1.0)
    return World(np.hstack([world.links, world.links]), activity, halved)


def run(sampler, simulation, init, spec=SPEC):
    table = simulation.table
    return sample(table, spec, sampler=sampler, draws=40, warmup=120, chains=1, seed=1, init=init)


def test_causes_that_are_there_twice_are_merged_though_they_share_their_prevalence():
    simulation = table_with_three_causes()
    start = doubled(simulation.truth)
    assert (run("gibbs", simulation, start).n_causes == 6).mean() > 0.5  # this is hard
    found = run("auto", simulation, start)
    assert np.bincount(found.n_causes[0]).argmax() == 3


def test_causes_are_found_from_an_empty_start():
    simulation = table_with_three_causes()
    true = {column.tobytes() for column in simulation.truth.links.T.copy()}
    for spec in (SPEC, None):
        draws = run("auto", simulation, "empty", spec)
        exact = [
            true <= {column.tobytes() for column in draws.links(0, draw).T.copy()}
            for draw in range(draws.n_draws)
        ]
        assert np.mean(exact) > 0.5
