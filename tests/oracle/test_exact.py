"""The exact posterior against enumeration of worlds, importance sampling, and known numbers."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from hiddencauses import Beta, Finite, Gamma, ModelSpec, TruncatedPoisson, exact_posterior
from hiddencauses.errors import UserError
from hiddencauses.model.joint import log_joint
from hiddencauses.model.world import Parameters, World
from hiddencauses.oracle import quadrature
from hiddencauses.oracle.importance import importance_posterior
from hiddencauses.oracle.quantities import label_free_quantities
from verification.specs import pairwise_specs

FIXED = {"strength": 0.8, "leak": 0.1, "prevalence": 0.3, "concentration": 0.6}
MISSING = np.nan


def enumerate_worlds(codes, spec, most):
    """Every unordered set of up to `most` causes with its log joint: the definition, spelled out."""
    rows, variables = codes.shape
    kinds = [
        (z, y)
        for z in product((0, 1), repeat=variables)
        for y in product((0, 1), repeat=rows)
        if any(z) or isinstance(spec.causes, Finite)
    ]
    parameters = Parameters(
        *(np.asarray(FIXED[n]) for n in ("strength", "leak", "prevalence")), FIXED["concentration"]
    )
    for k in range(most + 1):
        if isinstance(spec.causes, Finite) and spec.causes.prior_on_k.log_mass(k) == -np.inf:
            continue
        for chosen in combinations_with_replacement(kinds, k):
            links = np.array([z for z, _ in chosen], dtype=np.int8).reshape(k, variables).T
            activity = np.array([y for _, y in chosen], dtype=np.int8).reshape(k, rows).T
            world = World(links, activity, parameters)
            yield world, log_joint(codes, world, spec).total


@pytest.mark.parametrize(
    ("cells", "causes", "most"),
    [
        ([[1], [1]], None, 12),
        ([[1], [MISSING]], None, 12),
        ([[1, 0]], None, 9),
        ([[1, 1]], Finite(TruncatedPoisson(0.4)), 7),
        ([[1], [0]], Finite(TruncatedPoisson(0.4)), 7),
    ],
)
def test_equals_the_sum_over_worlds(cells, causes, most):
    # Sets of more than `most` causes are left out here; their prior mass bounds the difference.
    spec = ModelSpec(**FIXED, **({} if causes is None else {"causes": causes}))
    codes = np.where(np.isnan(cells), -1, cells).astype(np.int8)
    exact = exact_posterior(cells, spec)
    evidence, sums = 0.0, {}
    for world, density in enumerate_worlds(codes, spec, most):
        weight = np.exp(density)
        evidence += weight
        for name, value in label_free_quantities(world, spec).items():
            sums[name] = sums.get(name, 0.0) + weight * value
    assert np.log(evidence) == pytest.approx(exact.log_evidence, abs=2e-6)
    for name in ("co_linkage", "co_activity", "active_links"):
        np.testing.assert_allclose(sums[name] / evidence, getattr(exact, name), atol=2e-5)
    counts = np.arange(len(exact.n_causes))
    assert sums["n_causes"] / evidence == pytest.approx(exact.n_causes @ counts, abs=2e-5)


def test_known_number_of_shared_causes():
    # Two variables on in the one row: the number was also found by running samplers (±.002).
    spec = ModelSpec(strength=0.8, leak=0.1, prevalence=0.3, concentration=1.0)
    assert exact_posterior([[1, 1]], spec).co_linkage[0, 1] == pytest.approx(1.166, abs=0.002)


def test_prior_is_returned_for_a_table_without_cells():
    spec = ModelSpec.paper()
    exact = exact_posterior([[MISSING, MISSING, MISSING]], spec)
    assert exact.log_evidence == pytest.approx(0.0, abs=1e-12)
    # α ~ Gamma(1, 1) and K | α ~ Poisson(α H_3): geometric.
    ratio = (11 / 6) / (1 + 11 / 6)
    np.testing.assert_allclose(exact.n_causes[:10], (1 - ratio) * ratio ** np.arange(10), atol=1e-12)
    assert exact.concentration == pytest.approx(1.0)
    assert exact.leak == pytest.approx(0.5)
    np.testing.assert_allclose(np.diag(exact.co_linkage), 1.0)  # row sums of Z are Poisson(α)


def test_finite_prior_is_returned_for_a_table_without_cells():
    prior = TruncatedPoisson(2.0)
    exact = exact_posterior(
        [[MISSING, MISSING, MISSING]] * 2, ModelSpec(concentration=1.5, causes=Finite(prior))
    )
    expected = [np.exp(prior.log_mass(k)) for k in range(5)]
    np.testing.assert_allclose(exact.n_total[:5], expected, atol=1e-12)


def test_quadrature_has_converged(monkeypatch):
    cells = [[1, 1], [1, 0]]
    spec = ModelSpec(strength=Beta(0.5, 2), concentration=Gamma(0.7, 2), causes=Finite(TruncatedPoisson(1.0)))
    coarse = exact_posterior(cells, spec)
    monkeypatch.setattr(quadrature, "BETA_NODES", 24)
    monkeypatch.setattr(quadrature, "GAMMA_NODES", 72)
    fine = exact_posterior(cells, spec)
    assert coarse.log_evidence == pytest.approx(fine.log_evidence, abs=1e-11)
    np.testing.assert_allclose(coarse.co_linkage, fine.co_linkage, atol=1e-10)


def test_probabilities_add_up_for_every_variant():
    for spec in pairwise_specs():
        exact = exact_posterior([[1, 0], [1, MISSING]], spec)
        assert exact.n_causes.sum() == pytest.approx(1.0, abs=1e-9)
        if exact.n_total is not None:
            assert exact.n_total.sum() == pytest.approx(1.0, abs=1e-9)


def compare_with_importance(spec, cells, draws, seed):
    """z-scores of everything the two roads have in common."""
    exact = exact_posterior(cells, spec)
    estimates = importance_posterior(cells, spec, draws=draws, seed=seed)
    found = {name: getattr(exact, name) for name in estimates if name not in ("evidence", "n_causes")}
    found["evidence"] = np.exp(exact.log_evidence)
    found["n_causes"] = exact.n_causes @ np.arange(len(exact.n_causes))
    scores = []
    for name, value in found.items():
        estimate = estimates[name]
        error = np.atleast_1d(estimate.error)
        difference = np.atleast_1d(estimate.mean - value)
        known = error > 1e-9  # fixed parameters have no error, and must agree exactly
        assert np.abs(difference[~known]).max(initial=0.0) < 1e-9, name
        scores.extend((difference[known] / error[known]).ravel())
    return np.array(scores)


def assert_scores_plausible(scores):
    """No z-score beyond what that many correlated normals reach once in ten thousand such tests."""
    from scipy.stats import norm

    assert np.abs(scores).max() < norm.isf(1e-4 / 2 / len(scores))


@pytest.mark.parametrize("number", range(4))
def test_agrees_with_importance_sampling(number):
    spec = pairwise_specs()[number * 4]
    assert_scores_plausible(compare_with_importance(spec, [[1, 0], [1, MISSING]], draws=3000, seed=number))


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(pairwise_specs())))
def test_agrees_with_importance_sampling_for_every_variant(number):
    spec = pairwise_specs()[number]
    for cells in ([[1, 0], [1, MISSING]], [[1, 1, 1]], [[1], [0], [1]]):
        assert_scores_plausible(compare_with_importance(spec, cells, draws=60_000, seed=number))


def test_comparison_would_notice_a_wrong_model():
    # negative control: the oracle of a slightly different model
    cells, spec = [[1, 1], [1, 0]], ModelSpec(strength=0.8, leak=0.1, prevalence=0.3, concentration=1.0)
    wrong = exact_posterior(cells, spec.with_fixed(leak=0.15))
    estimate = importance_posterior(cells, spec, draws=20_000, seed=1)["evidence"]
    assert abs(estimate.mean - np.exp(wrong.log_evidence)) > 6 * estimate.error


def test_large_tables_are_refused():
    with pytest.raises(UserError, match="up to 6 rows"):
        exact_posterior(np.zeros((7, 2)))
