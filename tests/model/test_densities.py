"""The from-scratch densities: hand-worked numbers, normalisation and symmetries."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddencauses import Finite, ModelSpec, TruncatedPoisson
from hiddencauses.errors import UserError
from hiddencauses.model.joint import log_joint
from hiddencauses.model.link_priors import (
    column_log_weights,
    harmonic,
    left_ordered,
    log_class_probability,
    log_finite_probability,
    log_labelled_probability,
)
from hiddencauses.model.noisy_or import log_likelihood
from hiddencauses.model.simulate import draw_table, draw_world
from hiddencauses.model.world import Parameters, World, adjacency
from tests.model.test_spec import specs


def world_of(links, activity, strength=0.9, leak=0.01, prevalence=0.1, concentration=3.0):
    return World(
        np.array(links, dtype=np.int8),
        np.array(activity, dtype=np.int8),
        Parameters(np.asarray(strength), np.asarray(leak), np.asarray(prevalence), concentration),
    )


# -- by hand ---------------------------------------------------------------------------------------


def test_likelihood_by_hand():
    # two variables, two causes; variable 1 has both, variable 2 the second
    world = world_of([[1, 1], [0, 1]], [[1, 1], [0, 1], [0, 0]])
    codes = np.array([[1, 0], [0, -1], [1, 1]], dtype=np.int8)
    expected = [
        1 - 0.99 * 0.1 * 0.1,  # on, two causes
        0.99 * 0.1,  # off, one cause
        0.99 * 0.1,  # off, one cause
        1.0,  # missing
        0.01,  # on by leak
        0.01,
    ]
    assert log_likelihood(codes, world) == pytest.approx(np.log(expected).sum())


def test_strengths_of_their_own_by_hand():
    world = world_of([[1, 1]], [[1, 1]], strength=[[0.5, 0.25]], leak=[0.2])
    assert log_likelihood(np.array([[0]], dtype=np.int8), world) == pytest.approx(math.log(0.8 * 0.5 * 0.75))


def test_labelled_and_class_probability_by_hand():
    # N = 2, causes {1,2} and {1}: each has weight 1/2; H_2 = 3/2
    links = np.array([[1, 1], [1, 0]], dtype=np.int8)
    labelled = 3.0**2 / 2 * math.exp(-3.0 * 1.5) * 0.25
    assert math.exp(log_labelled_probability(links, 3.0)) == pytest.approx(labelled)
    assert math.exp(log_class_probability(links, 3.0)) == pytest.approx(2 * labelled)
    twice = np.array([[1, 1], [1, 1]], dtype=np.int8)
    assert log_class_probability(twice, 3.0) == pytest.approx(log_labelled_probability(twice, 3.0))


def test_finite_probability_by_hand():
    # N = 2, K = 1, α = 1: a column is a Beta(1, 1) mixture: 1/3, 1/6, 1/6, 1/3
    masses = [
        math.exp(log_finite_probability(np.array([[a], [b]], dtype=np.int8), 1.0))
        for a, b in product((0, 1), repeat=2)
    ]
    np.testing.assert_allclose(masses, [1 / 3, 1 / 6, 1 / 6, 1 / 3])


# -- normalisation ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 5])
def test_column_weights_add_up_to_the_harmonic_number(n):
    weights = np.exp(column_log_weights(n))
    assert sum(math.comb(n, m) * weights[m] for m in range(1, n + 1)) == pytest.approx(harmonic(n))


def test_class_probabilities_add_up_to_one():
    # N = 2 has three kinds of columns; how many of each decides the class
    total = 0.0
    for counts in product(range(9), repeat=3):
        columns = [[1, 0]] * counts[0] + [[0, 1]] * counts[1] + [[1, 1]] * counts[2]
        links = np.array(columns, dtype=np.int8).reshape(-1, 2).T
        total += math.exp(log_class_probability(links, 0.7))
    assert total == pytest.approx(1.0, abs=1e-6)


def test_finite_probabilities_add_up_to_one():
    total = sum(
        math.exp(log_finite_probability(np.array(cells, dtype=np.int8).reshape(2, 3), 1.7))
        for cells in product((0, 1), repeat=6)
    )
    assert total == pytest.approx(1.0)


# -- symmetries and differences --------------------------------------------------------------------


def draw(spec, seed, rows=5, variables=4):
    # with 3 causes (some perhaps alike), so that there is something to permute
    world = draw_world(spec, rows=rows, variables=variables, causes=3, seed=seed)
    return world, draw_table(world, missing_rate=0.2, seed=seed).codes()


def mild(spec):
    """Keep priors from extremes where every number overflows: the algebra is what is tested."""
    return spec.with_fixed(leak=0.1, concentration=1.2)


@settings(deadline=None, max_examples=60)
@given(specs, st.integers(0, 1000), st.randoms(use_true_random=False))
def test_permutations_leave_the_density_unchanged(spec, seed, random):
    spec = mild(spec)
    world, codes = draw(spec, seed)
    before = log_joint(codes, world, spec).total
    causes, rows, variables = (random.sample(range(n), n) for n in (3, 5, 4))
    moved = world.permuted(causes=causes)
    strength = moved.parameters.strength
    moved = World(
        moved.links[variables],
        moved.activity[rows],
        Parameters(
            strength[variables] if strength.ndim == 2 else strength,
            moved.parameters.leak[variables] if moved.parameters.leak.ndim else moved.parameters.leak,
            moved.parameters.prevalence,
            moved.parameters.concentration,
        ),
    )
    after = log_joint(codes[rows][:, variables], moved, spec).total
    assert after == before or after == pytest.approx(before, rel=1e-10, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(specs, st.integers(0, 1000), st.integers(0, 4), st.integers(0, 2))
def test_difference_of_one_activity_is_that_of_its_row(spec, seed, row, cause):
    spec = mild(spec)
    world, codes = draw(spec, seed)
    flipped = world.activity.copy()
    flipped[row, cause] ^= 1
    other = World(world.links, flipped, world.parameters)

    def own(w):
        p = np.broadcast_to(w.parameters.prevalence, 3)[cause]
        one_row = World(w.links, w.activity[row : row + 1], w.parameters)
        mass = p if w.activity[row, cause] else 1 - p
        return log_likelihood(codes[row : row + 1], one_row) + np.log(mass)

    parts = [log_joint(codes, w, spec) for w in (other, world)]
    difference = (parts[0].likelihood + parts[0].activity) - (parts[1].likelihood + parts[1].activity)
    assert difference == pytest.approx(own(other) - own(world), rel=1e-9, abs=1e-8)


def test_alike_causes_have_fewer_orders():
    spec = ModelSpec(strength=0.9, leak=0.01, prevalence=0.1, concentration=3.0)
    codes = np.zeros((2, 2), dtype=np.int8)
    alike = world_of([[1, 1], [1, 1]], [[1, 1], [0, 0]])
    apart = world_of([[1, 1], [1, 1]], [[1, 0], [0, 1]])
    difference = log_joint(codes, apart, spec).links - log_joint(codes, alike, spec).links
    assert difference == pytest.approx(math.log(2))


def test_prevalence_integrated_out():
    spec = ModelSpec(strength=0.9, leak=0.01, concentration=3.0, prevalence_scope="per_cause")
    world = world_of([[1], [1]], [[1], [0], [0]], prevalence=[0.3])
    codes = np.zeros((3, 2), dtype=np.int8)
    integrated = log_joint(codes, world, spec, integrated_prevalence=True)
    assert integrated.activity == pytest.approx(math.log(1 / 12))  # B(2, 3) / B(1, 1)
    assert integrated.parameters == 0.0


# -- forms -----------------------------------------------------------------------------------------


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), max_size=6),
    st.randoms(use_true_random=False),
)
def test_left_ordered_form_does_not_depend_on_the_order(columns, random):
    def form(listed):
        return left_ordered(np.array(listed, dtype=np.int8).reshape(-1, 3).T)

    once = form(columns)
    np.testing.assert_array_equal(once, form(random.sample(columns, len(columns))))
    numbers = (once * np.array([[4], [2], [1]])).sum(axis=0)
    assert (np.diff(numbers) <= 0).all()


def test_adjacency_has_links_in_its_corner_and_zeros_elsewhere():
    links = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.int8)
    graph = adjacency(links)
    assert graph.shape == (5, 5)
    np.testing.assert_array_equal(graph[:3, 3:], links)
    assert graph.sum() == links.sum()


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (world_of([[1]], [[1, 0]]), "links have 1 causes and activity has 2"),
        (world_of([[2]], [[1]]), "other than 0 and 1"),
        (world_of([[0]], [[1]]), "a cause without a link"),
        (world_of([[1]], [[1]], leak=[0.1, 0.2]), "leak has shape"),
    ],
)
def test_worlds_that_do_not_fit_are_refused(world, said):
    with pytest.raises(UserError, match=said):
        log_joint(np.zeros((1, 1), dtype=np.int8), world, ModelSpec())


def test_unlinked_cause_is_welcome_in_the_finite_model():
    spec = ModelSpec(
        strength=0.9, leak=0.01, prevalence=0.1, concentration=3.0, causes=Finite(TruncatedPoisson(1))
    )
    assert math.isfinite(log_joint(np.zeros((1, 1), dtype=np.int8), world_of([[0]], [[1]]), spec).total)
