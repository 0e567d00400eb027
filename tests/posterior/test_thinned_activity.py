"""Runs of many rows keep the activity of some draws only; those are the draws that are used."""

import numpy as np
import pytest

from hiddencauses import Table
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.new_rows import apply
from hiddencauses.posterior.point_estimates import consensus_structure, highest_structure
from hiddencauses.posterior.sensitivity import prior_sensitivity
from hiddencauses.posterior.summary import summarise
from tests.posterior.known_draws import KnownDraws, random_world

EVERY = 3


class Thinned(KnownDraws):
    """Draws that refuse the activity of all but every third."""

    def has_activity(self, draw):
        return draw % EVERY == 0

    def world(self, chain, draw):
        assert self.has_activity(draw)
        return super().world(chain, draw)


def worlds(seed=1):
    rng = np.random.default_rng(seed)
    return [[random_world(rng, 8, 5, rng.integers(0, 3)) for _ in range(31)] for _ in range(2)]


def test_draws_without_activity_are_left_out():
    density = np.random.default_rng(2).normal(size=(2, 31))
    thinned = Thinned(worlds(), log_joint=density)
    kept = KnownDraws([chain[::EVERY] for chain in worlds()], log_joint=density[:, ::EVERY])
    one, other = align(thinned), align(kept)
    np.testing.assert_array_equal(one.exists, other.exists)
    np.testing.assert_array_equal(one.exists_by_chain, other.exists_by_chain)
    np.testing.assert_array_equal(one.activity(), other.activity())
    table = Table.from_array([[1, 0, 1, np.nan, 1]])
    np.testing.assert_array_equal(apply(thinned, table).on, apply(kept, table).on)
    for mine, theirs in zip(prior_sensitivity(thinned), prior_sensitivity(kept), strict=True):
        np.testing.assert_array_equal(mine.after, theirs.after)


def test_what_needs_no_activity_is_told_of_all_draws():
    thinned = Thinned(worlds())
    told = summarise(thinned)
    np.testing.assert_array_equal(told.counts.probability, thinned.n_causes_distribution())
    count = next(q for q in told.diagnosis.quantities if q.name == "number of causes")
    assert count.mean == pytest.approx(thinned.n_causes.mean())


def test_structures_say_which_draw_they_are():
    density = np.zeros((2, 31))
    density[1, 30], density[0, 1] = 1.0, 2.0  # the larger is of a draw that is left out
    aligned = align(Thinned(worlds(), log_joint=density))
    found = highest_structure(aligned)
    assert (found.chain, found.draw) == (1, 30)
    found = consensus_structure(aligned)
    expected = worlds()[found.chain][found.draw].links
    np.testing.assert_array_equal(found.links @ found.links.T, expected @ expected.T)
