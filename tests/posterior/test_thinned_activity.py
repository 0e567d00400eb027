"""Runs of many rows keep the activity of some draws only; links and parameters of all draws are used."""

import numpy as np
import pyarrow as pa
import pytest

from hiddencauses import Table, read_table
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.by_group import prevalence_by
from hiddencauses.posterior.diagnosis import diagnose
from hiddencauses.posterior.new_rows import apply
from hiddencauses.posterior.point_estimates import consensus_structure, highest_structure, median_structure
from hiddencauses.posterior.sensitivity import prior_sensitivity
from hiddencauses.posterior.summary import summarise
from hiddencauses.runs import blocks
from tests.posterior.known_draws import KnownDraws, random_world, world
from tests.runs.small_runs import small_run

EVERY = 3


class Thinned(KnownDraws):
    """Draws that refuse the activity of all but every third."""

    def has_activity(self, draw):
        return draw % EVERY == 0

    def activity(self, chain, draw):
        assert self.has_activity(draw)
        return self.worlds[chain][draw].activity

    def links(self, chain, draw):
        return self.worlds[chain][draw].links

    def parameters(self, chain, draw):
        return self.worlds[chain][draw].parameters

    def world(self, chain, draw):
        raise AssertionError("a draw need not have a whole world")


def worlds(seed=1):
    rng = np.random.default_rng(seed)
    return [[random_world(rng, 8, 5, rng.integers(0, 3)) for _ in range(31)] for _ in range(2)]


def test_what_needs_no_activity_is_told_of_all_draws():
    density = np.random.default_rng(2).normal(size=(2, 31))
    thinned = Thinned(worlds(), log_joint=density)
    whole = KnownDraws(worlds(), log_joint=density)
    told = summarise(thinned)
    np.testing.assert_array_equal(told.counts.probability, thinned.n_causes_distribution())
    assert align(thinned).causes.n_draws == 62
    # of each draw by itself, so the same whatever is said of activity
    found, expected = (highest_structure(align(draws)) for draws in (thinned, whole))
    assert (found.chain, found.draw) == (expected.chain, expected.draw)
    found, expected = (consensus_structure(align(draws)) for draws in (thinned, whole))
    assert (found.chain, found.draw) == (expected.chain, expected.draw)
    table = Table.from_array([[1, 0, 1, np.nan, 1]])
    np.testing.assert_array_equal(apply(thinned, table).on, apply(whole, table).on)
    for mine, theirs in zip(prior_sensitivity(thinned), prior_sensitivity(whole), strict=True):
        np.testing.assert_allclose(mine.after[:2], theirs.after[:2])  # numbers of causes and of links


def test_activity_is_that_of_the_draws_that_keep_it():
    # one cause in all draws, so that there is nothing to match
    rng = np.random.default_rng(3)
    y = rng.random((2, 31, 8, 1)) < 0.4
    known = [[world([[1], [1], [0]], y[chain, draw]) for draw in range(31)] for chain in range(2)]
    aligned = align(Thinned(known))
    kept = y[:, ::EVERY]
    np.testing.assert_allclose(aligned.activity()[:, 0], kept.mean(axis=(0, 1))[:, 0])
    assert aligned.at_work[0] == pytest.approx(kept.mean())
    common = [q for q in diagnose(Thinned(known)).quantities if q.kind == "common activity"]
    assert common and {q.n_draws for q in common} == {22}


def test_a_cause_in_no_draw_that_keeps_activity():
    with_it = world([[1], [1]], [[1], [0], [1]], prevalence=0.3)
    without = world(np.zeros((2, 0)), np.zeros((3, 0)))
    draws = Thinned([[without, with_it, with_it] * 5] * 2)
    aligned = align(draws)
    assert aligned.exists[0] == pytest.approx(2 / 3)
    assert aligned.at_work[0] == pytest.approx(0.3)  # its prevalence
    assert np.isnan(aligned.activity()).all() and aligned.activity().shape == (3, 1)
    summarise(draws).to_dict()
    table = read_table(pa.table({"x1": [1, 0, 1], "x2": [1, 0, 1], "site": ["a", "a", "b"]}), carry=["site"])
    told = prevalence_by(draws, table, "site").to_pylist()
    assert [line["prevalence"] for line in told] == [None, None]


def test_a_run_on_disk_that_is_thinned_answers_as_a_whole_one(tmp_path, monkeypatch):
    whole = small_run(tmp_path / "whole").wait()
    monkeypatch.setattr(blocks, "KEPT_BITS", 2)
    run = small_run(tmp_path / "thinned").wait()
    thinned = run.draws()
    assert thinned.activity_every == 5
    for draw in range(30):
        for name in ("strength", "leak", "prevalence", "concentration"):
            np.testing.assert_array_equal(
                getattr(thinned.parameters(1, draw), name),
                getattr(whole.draws().world(1, draw).parameters, name),
            )
    one, other = align(thinned), align(whole.draws())
    assert one.causes.n_draws == other.causes.n_draws == 60
    found, expected = apply(thinned, run.table()), apply(whole.draws(), run.table())
    np.testing.assert_array_equal(found.on, expected.on)
    for structure in (highest_structure, consensus_structure):
        found, expected = structure(one), structure(other)
        assert (found.chain, found.draw) == (expected.chain, expected.draw)
        assert sorted(found.links.T.tolist()) == sorted(expected.links.T.tolist())
    assert median_structure(one).links.shape[0] == 3
    summarise(thinned).to_dict()
