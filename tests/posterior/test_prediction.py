"""Held-out cells and rows, leaving one out, checks by simulation, and priors made weaker and stronger."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import logsumexp

from hiddencauses import Beta, Gamma, ModelSpec, Table, sample, simulate
from hiddencauses.errors import UnreliableWeightsWarning, UserError
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.baselines import Mixture, independent
from hiddencauses.posterior.cause_counts import count_causes
from hiddencauses.posterior.collection import collect
from hiddencauses.posterior.comparison import compare
from hiddencauses.posterior.held_out import cell_folds, row_folds, with_hidden, with_rows
from hiddencauses.posterior.loo import khat_limit, leave_one_out, smoothed
from hiddencauses.posterior.scores import clustered_error, score_cells, score_rows
from hiddencauses.posterior.sensitivity import log_ratios, power_scaled, prior_sensitivity, scaled
from hiddencauses.posterior.table_check import check, check_prior
from tests.posterior.known_draws import SPEC, KnownDraws, random_world, world
from tests.posterior.runs import KNOWN, LINKS, free_run, known_run, known_simulation
from tests.posterior.test_explain import joint

NONE = world(np.zeros((2, 0)), np.zeros((3, 0)), leak=[0.2, 0.4])


# -- held-out cells and rows -----------------------------------------------------------------------


def test_row_scores_are_log_probabilities_of_the_mixture():
    rng = np.random.default_rng(1)
    worlds = [random_world(rng, 3, 4, k) for k in (2, 3, 0)]
    together = np.mean([joint(one) for one in worlds], axis=0)
    cells = np.array(list(np.ndindex(2, 2, 2, 2)))
    found = score_rows(KnownDraws([worlds]), Table.from_array(cells))
    np.testing.assert_allclose(np.exp(found.each), together.ravel())
    partly = cells.astype(float)
    partly[:, 1] = np.nan
    found = score_rows(KnownDraws([worlds]), Table.from_array(partly))
    np.testing.assert_allclose(np.exp(found.each), together.sum(axis=1)[tuple(cells[:, [0, 2, 3]].T)])


def test_cell_scores_are_log_chances_given_the_rest_of_the_row():
    rng = np.random.default_rng(2)
    worlds = [random_world(rng, 5, 4, k) for k in (2, 1)]
    truth = Table.from_array(rng.integers(0, 2, (5, 4)))
    held = np.zeros((5, 4), dtype=bool)
    held[[0, 0, 3], [1, 3, 2]] = True
    found = score_cells(KnownDraws([worlds]), with_hidden(truth, held), truth, held)
    codes = truth.codes()

    def chance(one, row, column):
        seen = tuple(slice(None) if h else c for c, h in zip(codes[row], held[row], strict=True))
        left = joint(one)[seen]  # axes of the hidden cells
        axis = int(held[row, :column].sum())
        return left.take(codes[row, column], axis=axis).sum() / left.sum()

    expected = [np.mean([chance(one, r, c) for one in worlds]) for r, c in ((0, 1), (0, 3), (3, 2))]
    np.testing.assert_allclose(np.exp(found.each), expected)
    assert list(found.group) == [0, 0, 3] and found.standard_error > 0


def test_cells_that_cannot_be_scored():
    truth = Table.from_array([[1, 0], [np.nan, 1], [0, 0]])
    draws, held = KnownDraws([[NONE]]), np.zeros((3, 2), dtype=bool)
    with pytest.raises(UserError, match="no cell is held out"):
        score_cells(draws, truth, truth, held)
    held[0, 0] = True
    with pytest.raises(UserError, match=r"row 1 and variable 1 .* was not hidden"):
        score_cells(draws, truth, truth, held)
    held[:] = False
    held[1, 0] = True
    with pytest.raises(UserError, match=r"row 2 and variable 1 .* is not known"):
        score_cells(draws, truth, truth, held)


def test_folds_hold_out_every_cell_and_row_once():
    table = known_simulation().table
    parts = cell_folds(table, 4, seed=1)
    np.testing.assert_array_equal(np.sum(parts, axis=0), table.codes() >= 0)
    assert np.ptp([part.sum() for part in parts]) <= 1
    shown = with_hidden(table, parts[0])
    np.testing.assert_array_equal(shown.codes(), np.where(parts[0], -1, table.codes()))
    rows = row_folds(table, 3, seed=1)
    np.testing.assert_array_equal(np.sort(np.concatenate(rows)), np.arange(250))
    np.testing.assert_array_equal(with_rows(table, rows[1]).codes(), table.codes()[rows[1]])


def test_errors_of_cells_of_one_row_go_together():
    rng = np.random.default_rng(3)
    values = rng.normal(size=2000)
    alone = clustered_error(values, np.arange(2000))
    assert alone == pytest.approx(values.std(ddof=1) / np.sqrt(2000))
    assert clustered_error(np.repeat(values, 2), np.repeat(np.arange(2000), 2)) == pytest.approx(alone)


# -- leaving one out -------------------------------------------------------------------------------


def test_leaving_one_out_is_what_fitting_without_it_gives():
    # posterior of one leak by a fine grid stands in for draws: Beta(1 + ones, 1 + zeros)
    cells = np.array([1, 0, 0, 1, 0, 0, 0, 1, 0, 0], dtype=float)[:, None]
    rng = np.random.default_rng(4)
    leaks = rng.beta(1 + 3, 1 + 7, 4000)
    none = [world(np.zeros((1, 0)), np.zeros((10, 0)), leak=[leak]) for leak in leaks]
    found = leave_one_out(KnownDraws([none]), Table.from_array(cells), draws_used=None)
    exact = np.log(np.where(cells[:, 0] == 1, (1 + 2) / (2 + 9), (1 + 6 + 0) / (2 + 9)))
    # a harmonic mean of 4000 draws: its standard error by the delta method is below 1 in 100
    np.testing.assert_allclose(found.each, exact, atol=0.04)
    assert (found.khat < found.limit).all() and len(found.unreliable) == 0
    found.warn()
    assert found.total == pytest.approx(exact.sum(), abs=0.2)


def test_rows_that_move_the_posterior_are_told():
    found = leave_one_out(known_run(), known_simulation().table)
    bad = replace(found, khat=np.where(np.arange(250) == 3, 0.9, found.khat))
    with pytest.warns(UnreliableWeightsWarning, match=r"1 of 250 rows .* 0\.9"):
        replace(bad, khat=np.where(np.arange(250) == 3, 0.9, -1.0)).warn()
    assert 3 in bad.unreliable


def test_smoothed_weights():
    flat, khat = smoothed(np.zeros((2, 50)))
    np.testing.assert_allclose(flat, -np.log(50))
    assert (khat == -np.inf).all()
    rng = np.random.default_rng(5)
    for heavy in (rng.normal(size=(1, 2000)) * 4, rng.standard_cauchy((1, 2000)) * 3):
        log_weight, khat = smoothed(heavy)
        assert khat[0] > khat_limit(2000) and logsumexp(log_weight) == pytest.approx(0.0)


# -- comparison ------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["cells", "rows"])
def test_comparison_finds_the_model_that_made_the_table(what, monkeypatch):
    monkeypatch.setitem(sys.modules, "stepmix", None)  # latent classes take long and are tested below
    monkeypatch.setattr("hiddencauses.posterior.baselines.find_spec", lambda _: None)
    wrong = KNOWN.with_fixed(strength=0.1, leak=0.4)
    found = compare(
        known_simulation().table,
        {"wrong": wrong, "right": KNOWN},
        what=what,
        folds=4,
        seed=3,
        draws=40,
        warmup=60,
        chains=1,
        sampler="gibbs",
    )
    assert found.names[0] == "right" and set(found.names) == {"right", "wrong", "independent variables"}
    frame = found.to_frame().to_pydict()
    assert frame["behind_best"][0] == 0.0
    behind, error = (
        dict(zip(frame["model"], frame[n], strict=True)) for n in ("behind_best", "behind_best_error")
    )
    assert behind["wrong"] > 3 * error["wrong"]
    n = (known_simulation().table.codes() >= 0).sum() if what == "cells" else 250
    assert found.each.shape == (3, n)


def test_bad_comparisons():
    cells = [[1, 0], [0, 1], [1, 1]]
    with pytest.raises(UserError, match="at most one part for each row"):
        compare(cells, {"a": KNOWN}, folds=4)
    with pytest.raises(UserError, match="specs must be a dictionary"):
        compare(cells, KNOWN)
    with pytest.raises(UserError, match="choose one of cells, rows"):
        compare(cells, {"a": KNOWN}, what="columns")


def test_mixtures_by_hand():
    mixture = Mixture(np.array([0.5, 0.5]), np.array([[0.9, 0.9], [0.2, 0.1]]))
    codes = np.array([[1, -1], [-1, -1]], dtype=np.int8)
    np.testing.assert_allclose(np.exp(mixture.log_density(codes)), [0.55, 1.0])
    np.testing.assert_allclose(mixture.chances(codes)[0, 1], (0.45 * 0.9 + 0.1 * 0.1) / 0.55)
    plain = independent(np.array([[1, 0], [1, -1], [0, 0]], dtype=np.int8), 1)
    np.testing.assert_allclose(plain.on, [[3 / 5, 1 / 4]])


def test_latent_classes_by_stepmix():
    pytest.importorskip("stepmix")
    from hiddencauses.posterior.baselines import latent_classes

    rng = np.random.default_rng(6)
    classes = rng.integers(0, 2, 400)
    codes = (rng.random((400, 6)) < np.where(classes, 0.9, 0.1)[:, None]).astype(np.int8)
    codes[rng.random(codes.shape) < 0.1] = -1
    found = latent_classes(codes, 1)
    assert len(found.weight) == 2
    np.testing.assert_allclose(np.sort(found.on.mean(axis=1)), [0.1, 0.9], atol=0.05)


# -- checks by simulation --------------------------------------------------------------------------


def test_a_model_that_fits_makes_such_tables():
    found = check(known_run(), known_simulation().table, tables=200)
    # intervals hold 95 %; numbers of one table go together, so several times the spread of independent ones
    assert found.outside.mean() < 0.2
    frame = found.to_frame().to_pydict()
    assert frame["kind"][:2] == ["variable rate"] * 2 and len(frame["kind"]) == 12 + 5 + 66
    codes = known_simulation().table.codes()
    assert frame["observed"][0] == pytest.approx((codes[:, 0] == 1).sum() / (codes[:, 0] >= 0).sum())
    assert found.kinds_to_frame().column("kind").to_pylist() == [
        "variable rate",
        "row sum",
        "distinct rows",
        "co-occurrence",
    ]


def test_a_model_that_does_not_fit_is_found_out():
    # negative control: the same draws, said to be of a table whose variables go together differently
    codes = known_simulation().table.codes()
    rng = np.random.default_rng(9)
    mixed = np.stack([rng.permutation(column) for column in codes.T], axis=1).astype(float)
    mixed[mixed < 0] = np.nan
    found = check(known_run(), Table.from_array(mixed), tables=100)
    kinds = found.kinds_to_frame().to_pydict()
    outside = dict(zip(kinds["kind"], kinds["outside"], strict=True))
    assert outside["co-occurrence"] >= 15  # of the 18 pairs that share a cause
    extreme = np.minimum(found.p_value, 1 - found.p_value) < 0.02
    assert extreme.sum() >= 15


def test_checks_are_repeatable_and_work_without_causes():
    table = Table.from_array([[1, np.nan], [0, 0], [1, 1]])
    draws = KnownDraws([[NONE] * 3])
    one, other = check(draws, table, tables=20), check(draws, table, tables=20)
    np.testing.assert_array_equal(one.simulated, other.simulated)
    assert len(one.simulated) == 20
    prior = check_prior(KNOWN, table, tables=10, seed=1)
    assert prior.simulated.shape == one.simulated[:10].shape
    # a fixed leak of 0.1 alone, or with causes of strength 0.7: variables are on more often than 1 in 20
    assert prior.simulated[:, :2].mean() > 0.05


# -- priors ----------------------------------------------------------------------------------------


def test_power_scaled_priors_are_powers_up_to_a_constant():
    x = np.array([0.1, 0.3, 0.8])
    for prior in (Beta(3, 2), Gamma(2, 3)):
        ratio = power_scaled(prior, 0.7).log_density(x) - 0.7 * prior.log_density(x)
        np.testing.assert_allclose(ratio, ratio[0])
    assert scaled(SPEC, "concentration", 2.0).concentration == Gamma(1, 2)


def test_weights_give_what_the_changed_prior_would():
    # one leak and no cause: posterior Beta(a + ones, b + zeros), with the prior raised to a power as well
    prior, power, ones, zeros = Beta(4, 6), 1.25, 5, 15
    rng = np.random.default_rng(10)
    leaks = rng.beta(prior.a + ones, prior.b + zeros, 4000)
    spec = replace(SPEC, leak=prior, leak_scope="shared", concentration=1.0)

    draws = KnownDraws(
        [[world(np.zeros((1, 0)), np.zeros((20, 0)), leak=[leak]) for leak in leaks]], spec=spec
    )
    draws.leak = leaks[None, :]
    log_weight, khat = smoothed(log_ratios(collect(draws), spec, "leak", power)[None, :])
    assert khat[0] < khat_limit(4000)
    changed = power_scaled(prior, power)
    a, b = changed.a + ones, changed.b + zeros
    error = np.sqrt(a * b / (a + b) ** 2 / (a + b + 1) / 4000)
    assert np.exp(log_weight[0]) @ leaks == pytest.approx(a / (a + b), abs=5 * error)


def test_sensitivity_of_a_run():
    found = prior_sensitivity(free_run())
    assert {one.prior for one in found} == {"strength", "leak", "prevalence", "concentration"}
    for one in found:
        assert one.to_frame().num_rows == len(one.names)
        if one.prior in ("leak", "prevalence"):  # flat: no power changes them
            assert one.khat == -np.inf and one.is_reliable
            np.testing.assert_allclose(one.after, one.before)
    assert not prior_sensitivity(known_run())


@pytest.mark.parametrize("scope", ["shared", "per_cause", "per_link"])
def test_sensitivity_in_every_scope_of_strength(scope):
    spec = ModelSpec(strength=Beta(2, 2), strength_scope=scope, prevalence=Beta(0.1, 2))
    cells = [[1, 1, 1]] * 10 + [[0, 0, 0]] * 20
    draws = sample(cells, spec, draws=50, warmup=20, chains=2, seed=1, sampler="gibbs")
    found = prior_sensitivity(draws, powers=(0.5, 2.0))
    # Beta(0.1, 2) to the power 2 has no finite integral
    assert [(one.prior, one.power) for one in found if one.prior == "prevalence"] == [("prevalence", 0.5)]
    # weights written out
    changed, causes = power_scaled(spec.strength, 2.0), collect(draws)
    for number, ratio in enumerate(log_ratios(causes, spec, "strength", 2.0)):
        values = draws.world(*divmod(number, 50)).parameters.strength
        values = values[~np.isnan(values)]
        expected = (changed.log_density(values) - spec.strength.log_density(values)).sum()
        assert ratio == pytest.approx(expected, abs=1e-9)


def test_weights_that_are_too_uneven_are_told():
    one = prior_sensitivity(free_run())[0]
    with pytest.warns(UnreliableWeightsWarning, match="fit again with scaled"):
        replace(one, khat=2.0).warn()
    replace(one, khat=0.1).warn()


def test_no_cause_at_all():
    draws = KnownDraws([[NONE] * 30] * 2)
    table = Table.from_array([[1, np.nan], [0, 0], [1, 1]])
    assert np.isfinite(leave_one_out(draws, table).each).all()
    assert np.isfinite(score_rows(draws, table).each).all()
    assert all(np.isfinite(one.after).all() for one in prior_sensitivity(draws))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: align(known_run(), level=2),
        lambda: count_causes(known_run(), level=0),
        lambda: score_rows(known_run(), known_simulation().table, draws_used=0),
        lambda: prior_sensitivity(free_run(), powers=(-1.0,)),
        lambda: cell_folds(known_simulation().table, 1, seed=1),
        lambda: row_folds(known_simulation().table, 251, seed=1),
        lambda: check(known_run(), known_simulation().table, tables=0),
        lambda: check(known_run(), with_rows(known_simulation().table, np.arange(5))),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(ask):
    with pytest.raises(UserError) as refused:
        ask()
    assert "\n" not in str(refused.value)


def test_simulated_rows_score_best_under_their_own_model():
    new = simulate(rows=400, links=LINKS, spec=KNOWN, seed=12).table
    found = score_rows(known_run(), new)
    baseline = independent(known_simulation().table.codes(), 1).log_density(new.codes())
    gain = found.each - baseline
    assert gain.mean() > 5 * gain.std() / np.sqrt(400)
    assert found.error is not None and (found.error < 0.2).all()
