"""Simulation against what is known of the processes it draws from."""

import numpy as np
import pytest
from scipy import stats

from hiddencauses import Finite, FixedCount, ModelSpec, TruncatedPoisson, simulate
from hiddencauses.errors import UserError
from hiddencauses.model.link_priors import finite_column_log_masses, harmonic, left_ordered
from hiddencauses.model.simulate import (
    draw_links_buffet,
    draw_links_finite,
    draw_links_given_count,
    draw_links_given_count_by_rejection,
    draw_world,
)

PAPER = {"strength": 0.9, "leak": 0.01, "prevalence": 0.1, "concentration": 3.0}
# A correct simulator fails one of these tests once in about ten thousand seeds.
RARE = 1e-4


def pattern_counts(draws):
    """Count classes of matrices: equal up to column order."""
    counts = {}
    for links in draws:
        key = left_ordered(links).tobytes()
        counts[key] = counts.get(key, 0) + 1
    return counts


@pytest.mark.parametrize(("variables", "concentration"), [(3, 1.0), (10, 3.0)])
def test_buffet_has_the_moments_of_the_process(variables, concentration):
    rng = np.random.default_rng(5)
    draws = [draw_links_buffet(rng, variables, concentration) for _ in range(4000)]
    counts = np.array([links.shape[1] for links in draws])
    degrees = np.array([links.sum(axis=1) for links in draws])
    assert poisson_p(counts, concentration * harmonic(variables)) > RARE
    for variable in range(variables):  # exchangeable: every variable alike, whenever it entered
        assert poisson_p(degrees[:, variable], concentration) > RARE / variables


def poisson_p(sample, mean):
    """p value of a chi-square test against Poisson(mean), rare counts pooled."""
    top = int(stats.poisson.isf(0.01, mean))
    observed = np.bincount(np.minimum(sample, top), minlength=top + 1)
    expected = stats.poisson.pmf(np.arange(top + 1), mean)
    expected[top] = stats.poisson.sf(top - 1, mean)
    return stats.chisquare(observed, expected * len(sample)).pvalue


def test_wrong_buffet_would_be_noticed():
    # negative control: a buffet whose customers all try Poisson(α) new dishes
    rng = np.random.default_rng(5)
    counts = rng.poisson(1.0 * 3, size=4000)
    assert poisson_p(counts, 1.0 * harmonic(3)) < 1e-9


def test_given_the_count_direct_and_rejection_draws_agree():
    rng = np.random.default_rng(6)
    direct = pattern_counts(draw_links_given_count(rng, 3, 2) for _ in range(3000))
    rejected = pattern_counts(draw_links_given_count_by_rejection(rng, 3, 2, 1.0) for _ in range(3000))
    keys = sorted(set(direct) | set(rejected))
    table = np.array([[draws.get(key, 0) for key in keys] for draws in (direct, rejected)])
    table = table[:, table.sum(axis=0) > 10]
    assert stats.chi2_contingency(table).pvalue > RARE


def test_finite_columns_have_the_mass_of_equation_5():
    rng = np.random.default_rng(7)
    sizes = np.concatenate([draw_links_finite(rng, 4, 3, 2.0).sum(axis=0) for _ in range(3000)])
    masses = np.exp(finite_column_log_masses(4, 3, 2.0)) * stats.binom(4, 0.5).pmf(range(5)) * 16
    assert masses.sum() == pytest.approx(1.0)
    assert stats.chisquare(np.bincount(sizes, minlength=5), masses * len(sizes)).pvalue > RARE


def test_table_has_the_rates_of_the_noisy_or():
    links = np.array([[1, 0], [1, 1], [0, 0]])
    simulation = simulate(rows=100_000, links=links, spec=ModelSpec(**PAPER), seed=3)
    off = 0.99 * (1 - 0.1 * 0.9) ** links.sum(axis=1)
    rates = simulation.table.ones_per_column() / 100_000
    np.testing.assert_allclose(rates, 1 - off, atol=4 * np.sqrt(0.25 / 100_000))


def test_same_seed_same_everything_and_other_seed_other():
    spec = ModelSpec(strength_scope="per_link", prevalence_scope="per_cause", concentration=3.0)
    one, two, other = (
        simulate(rows=200, variables=7, spec=spec, missing_rate=0.1, seed=s) for s in (8, 8, 9)
    )
    assert one.table.fingerprint() == two.table.fingerprint() != other.table.fingerprint()
    np.testing.assert_array_equal(one.truth.activity, two.truth.activity)


def test_rows_do_not_change_when_more_are_asked_for():
    # Rows are drawn in blocks with a stream each: a longer table begins like a shorter one of whole blocks.
    short, long = (
        simulate(rows=n, variables=3, causes=2, spec=ModelSpec(**PAPER), seed=1) for n in (65_536, 70_000)
    )
    np.testing.assert_array_equal(short.table.codes(), long.table.codes(0, 65_536))


def test_missing_cells_come_at_their_rate_and_change_nothing_else():
    whole, holed = (
        simulate(rows=2000, variables=5, causes=2, spec=ModelSpec(**PAPER), missing_rate=rate, seed=2)
        for rate in (0.0, 0.25)
    )
    codes = holed.table.codes()
    missing = codes == -1
    assert stats.binomtest(int(missing.sum()), missing.size, 0.25).pvalue > RARE
    np.testing.assert_array_equal(codes[~missing], whole.table.codes()[~missing])


def test_number_of_causes_is_kept():
    assert simulate(rows=5, variables=6, causes=4, seed=1).truth.n_causes == 4
    assert simulate(rows=5, variables=6, causes=0, seed=1).truth.links.shape == (6, 0)
    finite = simulate(rows=5, variables=3, causes=9, spec=ModelSpec(causes=Finite()), seed=1).truth
    assert finite.n_total == 9
    assert (
        simulate(rows=5, variables=3, spec=ModelSpec(causes=Finite(FixedCount(2))), seed=1).truth.n_total == 2
    )


def test_truncated_poisson_draws_have_their_masses():
    prior, rng = TruncatedPoisson(1.3), np.random.default_rng(2)
    draws = np.array([prior.draw(rng) for _ in range(5000)])
    expected = np.exp([prior.log_mass(k) for k in range(1, 5)])
    expected = np.append(expected, 1 - expected.sum())
    assert stats.chisquare(np.bincount(np.minimum(draws, 5))[1:], expected * 5000).pvalue > RARE


def test_strength_per_link_is_nan_where_there_is_no_link():
    truth = simulate(rows=5, variables=6, causes=3, spec=ModelSpec(strength_scope="per_link"), seed=1).truth
    np.testing.assert_array_equal(np.isnan(truth.parameters.strength), truth.links == 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"rows": 0, "variables": 2}, "rows is 0"),
        ({"rows": 2, "variables": 0}, "variables is 0"),
        ({"rows": 2}, "neither variables nor links"),
        ({"rows": 2, "variables": 2, "causes": -1}, "causes is -1"),
        ({"rows": 2, "links": [[0], [0]]}, "cause 1 of links drives no variable"),
        ({"rows": 2, "links": [[2], [0]]}, "a link is 0 or 1"),
        ({"rows": 2, "links": [1, 0]}, "two-dimensional"),
        ({"rows": 2, "links": [[1]], "variables": 3}, "variables is 3 but links has 1"),
        ({"rows": 2, "variables": 2, "missing_rate": 1.0}, "missing_rate is 1.0"),
        ({"rows": 2, "variables": 2, "seed": -1}, "seed is -1"),
        ({"rows": 2.5, "variables": 2}, "rows is 2.5"),
        ({"rows": 2, "variables": 2, "spec": "paper"}, "give a ModelSpec"),
    ],
)
def test_mistakes_are_named(arguments, said):
    with pytest.raises(UserError, match=said):
        simulate(**arguments)


def test_world_from_prior_is_numbered_by_replicate():
    spec = ModelSpec(**PAPER)
    worlds = [draw_world(spec, rows=4, variables=4, seed=1, replicate=r) for r in (0, 0, 1)]
    np.testing.assert_array_equal(worlds[0].links, worlds[1].links)
    assert worlds[0].links.shape != worlds[2].links.shape or (worlds[0].activity != worlds[2].activity).any()
