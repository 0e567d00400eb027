"""Point estimates and the number of causes, against their definitions written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.cause_counts import count_causes
from hiddencauses.posterior.collection import collect
from hiddencauses.posterior.point_estimates import consensus_structure, highest_structure, median_structure
from hiddencauses.posterior.structure_errors import (
    expected_structure_errors,
    shared_causes,
    structure_error,
)
from tests.posterior.known_draws import KnownDraws, random_world, world


def random_draws(seed, n=12, log_joint=None):
    rng = np.random.default_rng(seed)
    return KnownDraws([[random_world(rng, 6, 5, rng.integers(0, 4)) for _ in range(n)]], log_joint=log_joint)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_expected_errors_are_means_of_errors(seed):
    draws = random_draws(seed)
    links = [w.links for w in draws.worlds[0]]
    written_out = [np.mean([structure_error(one, other) for other in links]) for one in links]
    causes = collect(draws)
    np.testing.assert_allclose(expected_structure_errors(shared_causes(causes)), written_out)
    best = consensus_structure(align(draws))
    assert written_out[best.draw] == pytest.approx(min(written_out))
    assert structure_error(best.links, links[best.draw]) == 0


def test_error_by_hand():
    # x1 and x2 share two causes and one; x1 and x3 none and one
    assert structure_error([[1, 1], [1, 1], [0, 0]], [[1, 0], [1, 0], [1, 0]]) == 1 + 1 + 1


def test_highest_is_the_draw_with_the_largest_density():
    density = np.zeros((1, 12))
    density[0, 5] = 1.0
    draws = random_draws(3, log_joint=density)
    found = highest_structure(align(draws))
    assert (found.chain, found.draw) == (0, 5)
    assert structure_error(found.links, draws.links(0, 5)) == 0


def test_causes_of_a_structure_come_most_prevalent_first():
    y = np.array([[0, 1], [0, 1], [1, 1]])
    draws = KnownDraws([[world([[1, 0], [0, 1]], y)]])
    np.testing.assert_array_equal(highest_structure(align(draws)).links, [[0, 1], [1, 0]])


def test_median_structure_has_the_links_of_more_than_half_of_the_draws():
    y = np.ones((6, 1))
    with_third = [world([[1], [1], [1]], y, strength=[[0.9], [0.9], [0.3]])] * 6
    without = [world([[1], [1], [0]], y)] * 5
    links = median_structure(align(KnownDraws([with_third + without]))).links
    np.testing.assert_array_equal(links, [[1], [1], [1]])
    links = median_structure(align(KnownDraws([with_third + without * 2]))).links
    np.testing.assert_array_equal(links, [[1], [1], [0]])


def test_no_cause_at_all():
    draws = KnownDraws([[world(np.zeros((3, 0)), np.zeros((6, 0)))] * 5])
    for found in (highest_structure(align(draws)), consensus_structure(align(draws))):
        assert found.links.shape == (3, 0)
    assert median_structure(align(draws)).links.shape == (3, 0)
    counts = count_causes(draws)
    assert (counts.mode, counts.low, counts.high, counts.mean) == (0, 0, 0, 0.0)


def test_number_of_causes():
    shares = np.array([0.0, 0.05, 0.5, 0.3, 0.1, 0.05])

    class Draws:
        def n_causes_distribution(self):
            return shares

    counts = count_causes(Draws(), level=0.9)
    assert (counts.mode, counts.low, counts.high) == (2, 2, 4)
    assert counts.mean == pytest.approx(2.6)
    assert count_causes(Draws(), level=0.5).high == 2
    assert counts.to_frame().to_pydict()["probability"] == shares.tolist()
