"""Alignment where it is known which causes are the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddencauses import ModelSpec, sample
from hiddencauses.datasets import load_simulation
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.matching import NOBODY
from tests.posterior.known_draws import KnownDraws, world

ROWS = 60
LINKS = np.array([[1, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]])


def activity(rng, k=3):
    """Activity in half of the rows, a third, a sixth."""
    return np.stack([rng.permutation(ROWS) < ROWS * (3 - j) // 6 for j in range(k)], axis=1)


def permuted_draws(seed, draws=20, chains=2, drop=0.0):
    """Worlds of three causes, the last with a single variable, in different orders, some without one."""
    rng = np.random.default_rng(seed)
    truth = activity(rng)
    worlds, orders = [], []
    for _ in range(chains):
        worlds.append([])
        for _ in range(draws):
            order = rng.permutation(3)[: 3 - int(rng.random() < drop)]
            noise = rng.random(truth.shape) < 0.05
            strength = rng.uniform(0.6, 0.9, LINKS.shape)
            one = world(LINKS[:, order], (truth ^ noise)[:, order], strength[:, order])
            worlds[-1].append(one)
            orders.append(order)
    return KnownDraws(worlds), np.concatenate(orders)


@given(seed=st.integers(0, 2**32 - 1), drop=st.sampled_from([0.0, 0.3]))
@settings(max_examples=25, deadline=None)
def test_any_order_of_causes_is_undone(seed, drop):
    draws, orders = permuted_draws(seed, drop=drop)
    aligned = align(draws)
    assert aligned.n_aligned == 3 and aligned.left_over == 0.0
    # established causes come most prevalent first, and truth is made in that order
    np.testing.assert_array_equal(aligned.label, orders)
    np.testing.assert_allclose(aligned.exists * 40, np.bincount(orders, minlength=3))
    np.testing.assert_array_equal(aligned.link_probability, LINKS)
    assert aligned.names[2] == "x6" and aligned.single[2] == 1.0
    assert (aligned.match > 0.97).all()


def test_without_alignment_causes_are_mixed_up():
    # negative control: the average of the causes that come first, second and third in each draw
    draws, _ = permuted_draws(1)
    by_place = np.mean([w.links for chain in draws.worlds for w in chain], axis=0)
    assert np.abs(by_place - LINKS).max() > 0.3


def test_two_causes_with_the_same_links_stay_two():
    rng = np.random.default_rng(1)
    truth = activity(rng, 2)
    links = np.ones((4, 2))
    worlds = []
    for _ in range(30):
        order = rng.permutation(2)
        noisy = truth ^ (rng.random(truth.shape) < 0.05)
        worlds.append(world(links, noisy[:, order]))
    aligned = align(KnownDraws([worlds]))
    assert aligned.n_aligned == 2 and (aligned.exists == 1.0).all()
    assert len(set(aligned.names)) == 2
    assert (np.abs(aligned.activity() - truth).mean(axis=0) < 0.1).all()


def test_a_cause_of_few_draws_is_told_as_such():
    rng = np.random.default_rng(2)
    truth = activity(rng, 2)
    common = [world(LINKS[:, :1], truth[:, :1]) for _ in range(96)]
    more = [world(LINKS[:, :2], truth) for _ in range(4)]
    aligned = align(KnownDraws([common + more]))
    assert aligned.status == ("established", "rare")
    np.testing.assert_allclose(aligned.exists, [1.0, 0.04])
    np.testing.assert_array_equal(aligned.link_probability, LINKS[:, :2])
    assert aligned.activity().shape == (ROWS, 1)
    assert aligned.n_established == aligned.n_worth_telling == 1


def test_what_is_seen_once_belongs_to_nobody():
    rng = np.random.default_rng(3)
    truth = activity(rng, 2)
    worlds = [world(LINKS[:, :1], truth[:, :1]) for _ in range(299)] + [world(LINKS[:, :2], truth)]
    aligned = align(KnownDraws([worlds]))
    assert aligned.n_aligned == 1
    assert (aligned.label == NOBODY).sum() == 1
    assert aligned.left_over == pytest.approx(1 / 300)


def test_a_part_of_a_cause_is_not_averaged_into_it():
    rng = np.random.default_rng(4)
    y = activity(rng, 1)
    whole = [world(np.ones((4, 1)), y) for _ in range(30)]
    halves = [world([[1, 0], [1, 0], [0, 1], [0, 1]], np.hstack([y, y])) for _ in range(20)]
    aligned = align(KnownDraws([whole + halves]))
    np.testing.assert_allclose(np.sort(aligned.exists), [0.4, 0.4, 0.6])
    np.testing.assert_array_equal(np.sort(aligned.link_probability.sum(axis=0)), [2, 2, 4])


def test_a_weak_link_more_makes_no_other_cause():
    rng = np.random.default_rng(5)
    y = activity(rng, 1)
    worlds = []
    for n in range(40):
        links, strength = np.array([[1], [1], [n % 2], [0]]), np.array([[0.9], [0.8], [0.2], [0.5]])
        worlds.append(world(links, y, strength))
    aligned = align(KnownDraws([worlds]))
    assert aligned.names == ("x1 + x2",)
    np.testing.assert_allclose(aligned.link_probability[:, 0], [1, 1, 0.5, 0])
    np.testing.assert_allclose(aligned.strength[:, 0], [0.9, 0.8, 0.2, np.nan])


@pytest.mark.parametrize("n_draws", [1, 3])
def test_no_cause_at_all(n_draws):
    aligned = align(KnownDraws([[world(np.zeros((4, 0)), np.zeros((ROWS, 0)))] * n_draws]))
    assert aligned.n_aligned == aligned.n_established == 0
    assert aligned.activity().shape == (ROWS, 0)
    assert aligned.to_frame().num_rows == aligned.links_to_frame().num_rows == 0
    assert aligned.left_over == 0.0


def test_chains_started_in_permuted_states_of_the_truth():
    simulation = load_simulation("blocks")
    options = {"spec": simulation.spec, "draws": 60, "warmup": 10, "chains": 1, "sampler": "gibbs"}
    truth = simulation.truth
    runs = [
        sample(simulation.table, init=truth.permuted(causes=order), seed=seed, **options)
        for seed, order in enumerate(([0, 1, 2], [2, 0, 1]))
    ]
    together = KnownDraws([[run.world(0, d) for d in range(60)] for run in runs], spec=simulation.spec)
    aligned = align(together)
    assert aligned.n_established == 3
    assert (aligned.exists_by_chain[:3] > 0.9).all()
    order = np.argsort(-truth.activity.mean(axis=0))
    np.testing.assert_array_equal(aligned.link_probability[:, :3] > 0.5, truth.links[:, order])
    told = aligned.activity()[:, :3]
    assert ((told > 0.5) == truth.activity[:, order]).mean() > 0.97


def test_finite_model_with_causes_without_links():
    spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.3)
    idle = world([[1, 0], [1, 0], [0, 0]], np.ones((ROWS, 2)))
    aligned = align(KnownDraws([[idle] * 5], spec=spec))
    assert aligned.n_aligned == 1
    np.testing.assert_array_equal(aligned.activity(), np.ones((ROWS, 1)))
