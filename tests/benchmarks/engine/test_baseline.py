"""The baseline is a right sampler, or being faster than it would mean little."""

import numpy as np
import pytest
from scipy import stats

from benchmarks.engine.contestants import baseline_chain
from benchmarks.engine.tables import SPECS, Size, draw_problem, in_spec
from benchmarks.recovery.tables import Problem
from hiddencauses import Table, exact_posterior, sample
from hiddencauses.model.world import Parameters, World

BATCHES = 40


def batch_means(values):
    """Averages over consecutive parts of a chain."""
    return np.asarray(values, dtype=float).reshape(BATCHES, -1).mean(axis=1)


def agrees(one, other):
    """Whether two averages are within Monte-Carlo error of each other; one in a million is not, by chance."""
    return stats.ttest_ind(batch_means(one), batch_means(other), equal_var=False).pvalue > 1e-6


def baseline_draws(chain, sweeps, name):
    """Label-free quantities of every sweep: causes, links, active cells, leak, strength."""
    found = []
    for _ in range(sweeps):
        chain.sweeps(1)
        k = chain.n_causes
        linked = chain.z[:, :k] == 1
        leak, strength = (
            (chain.parameters[1], chain.parameters[0])
            if name == "shared"
            else (chain.leak.mean(), chain.strength[:, :k][linked].sum())
        )
        found.append((k, linked.sum(), chain.y[:k].sum(), leak, strength))
    return np.array(found, dtype=float).T


def our_draws(draws, name):
    found = []
    for d in range(draws.n_draws):
        world = draws.world(0, d)
        leak, strength = np.mean(world.parameters.leak), world.parameters.strength
        strength = float(strength) if name == "shared" else np.nansum(strength)
        found.append((world.n_causes, world.links.sum(), world.activity.sum(), leak, strength))
    return np.array(found, dtype=float).T


@pytest.mark.parametrize("name", SPECS)
def test_from_the_truth_it_draws_what_ours_draws(name):
    problem = draw_problem(Size(60, 6, 2, 0.6), seed=1)
    cells = problem.table.codes().astype(float)
    cells[::7, ::2] = np.nan  # missing cells are a part of it
    problem = Problem(Table.from_array(cells), problem.truth, problem.main)
    draws = sample(
        problem.table,
        SPECS[name],
        sampler="gibbs",
        draws=4000,
        warmup=200,
        chains=1,
        seed=1,
        init=in_spec(problem.truth, SPECS[name]),
    )
    chain = baseline_chain(problem, name, seed=2)
    chain.sweeps(200)
    for one, other in zip(baseline_draws(chain, 4000, name), our_draws(draws, name), strict=True):
        assert agrees(one, other)


@pytest.mark.parametrize("name", SPECS)
def test_on_a_tiny_table_it_agrees_with_the_exact_posterior(name):
    cells = np.array([[1, 1], [0, 1], [1, 1]], dtype=float)
    exact = exact_posterior(cells, SPECS[name])
    start = World(
        np.ones((2, 1), dtype=np.int8),
        np.ones((3, 1), dtype=np.int8),
        Parameters(np.array(0.5), np.array(0.5), np.array(0.5), 1.0),
    )
    chain = baseline_chain(Problem(Table.from_array(cells), start, np.ones(1, dtype=np.bool_)), name, seed=3)
    numbers, leaks, alphas = [], [], []
    for _ in range(40_000):
        chain.sweeps(1)
        numbers.append(chain.n_causes)
        leaks.append(chain.parameters[1] if name == "shared" else chain.leak.mean())
        alphas.append(chain.parameters[3] if name == "shared" else chain.concentration[0])
    expected = [
        (np.array(numbers) == 0, exact.n_causes[0]),
        (np.array(numbers) == 1, exact.n_causes[1]),
        (leaks, np.mean(exact.leak)),
        (alphas, exact.concentration),
    ]
    for drawn, value in expected:
        means = batch_means(drawn)
        error = means.std(ddof=1) / np.sqrt(BATCHES)
        assert stats.t.sf(abs(means.mean() - value) / error, BATCHES - 1) > 1e-6


def test_its_sums_are_those_from_scratch():
    problem = draw_problem(Size(50, 8, 3, 0.4), seed=4)
    shared = baseline_chain(problem, "shared", seed=1)
    shared.sweeps(50)
    k = shared.n_causes
    np.testing.assert_array_equal(shared.counts, shared.z[:, :k].astype(int) @ shared.y[:k])
    per_link = baseline_chain(problem, "per link", seed=1)
    per_link.sweeps(50)
    k = per_link.n_causes
    failures = np.where(per_link.z[:, :k] == 1, np.log1p(-per_link.strength[:, :k]), 0.0)
    np.testing.assert_allclose(
        per_link.log_off, np.log1p(-per_link.leak)[:, None] + failures @ per_link.y[:k], rtol=1e-9
    )
    np.testing.assert_array_equal(per_link.degree[:k], per_link.z[:, :k].sum(axis=0))
