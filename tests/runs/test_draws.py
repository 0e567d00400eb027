"""A run on disk has the draws that `sample` gives, whoever runs when and where."""

import numpy as np
import pytest

from hiddencauses import Run, sample
from tests.runs.small_runs import NO_CAUSES, OPTIONS, contents, save_always, small_run
from tests.sampling.settings import SPECS_AND_SAMPLERS, named, small_table, start_for


def assert_same_draws(found, expected):
    for name in ("n_causes", "n_total", "log_joint", "concentration", "leak"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name, counted in expected.counters.items():
        np.testing.assert_array_equal(found.counters[name], counted)
    for chain in range(expected.n_chains):
        for draw in range(expected.n_draws):
            one, other = found.world(chain, draw), expected.world(chain, draw)
            np.testing.assert_array_equal(one.links, other.links)
            np.testing.assert_array_equal(one.activity, other.activity)
            for name in ("strength", "leak", "prevalence", "concentration"):
                np.testing.assert_array_equal(getattr(one.parameters, name), getattr(other.parameters, name))


@pytest.mark.parametrize(
    ("spec", "sampler"), SPECS_AND_SAMPLERS, ids=lambda x: x if isinstance(x, str) else named(x)
)
def test_a_run_has_the_draws_of_sample(tmp_path, spec, sampler):
    options = {"spec": spec, "sampler": sampler, "init": start_for(spec), "draws": 12, "warmup": 10}
    run = small_run(tmp_path / "run", **options).wait()
    assert run.finished
    assert_same_draws(Run.open(tmp_path / "run").draws(), sample(small_table(), **OPTIONS | options))


@pytest.mark.parametrize("changed", [{"workers": 1}, {"workers": 5}, {"processes": True}], ids=str)
def test_who_runs_when_and_where_changes_nothing(tmp_path, changed):
    small_run(tmp_path / "plain", chains=3).wait()
    small_run(tmp_path / "other", chains=3, **changed).wait()
    assert contents(tmp_path / "plain") == contents(tmp_path / "other")


def test_how_often_is_saved_changes_nothing(tmp_path, monkeypatch):
    small_run(tmp_path / "plain").wait()
    save_always(monkeypatch)
    small_run(tmp_path / "often").wait()
    assert contents(tmp_path / "plain") == contents(tmp_path / "often")


def test_the_comparison_sees_a_difference(tmp_path):
    # negative control
    small_run(tmp_path / "one").wait()
    small_run(tmp_path / "other", seed=4).wait()
    one, other = contents(tmp_path / "one"), contents(tmp_path / "other")
    assert one.keys() == other.keys()
    assert one["causes/links"] != other["causes/links"]


def test_no_cause_at_all_is_stored_and_read(tmp_path):
    run = small_run(tmp_path / "run", spec=NO_CAUSES, init="empty").wait()
    draws = run.draws()
    assert not draws.n_causes.any()
    assert draws.links(1, 29).shape == (3, 0)
    assert draws.activity(1, 29).shape == (9, 0)
    run.resume(draws=40).wait()
    assert run.draws().n_draws == 40


def test_parts_that_are_in_the_posterior_are_removed(tmp_path, monkeypatch):
    save_always(monkeypatch)
    run = small_run(tmp_path / "run").wait()
    assert sorted(p.name for p in (run.folder / "chains" / "chain-0").iterdir()) == ["checkpoint", "lock"]
    assert len(list(run.folder.glob("**/*.nc"))) == 1


def test_a_run_can_be_looked_at_while_it_goes_on(tmp_path, monkeypatch):
    save_always(monkeypatch)
    run = small_run(tmp_path / "run", draws=100_000)
    try:
        while not run.n_draws:
            assert run.running
        seen = run.draws()
        phases = {chain.phase for chain in run.progress()}
    finally:
        run.stop()
    assert seen.n_draws >= 1
    assert phases <= {"warm-up", "drawing"}  # what is on disk may be ahead of what is told
    assert run.outcome == "stopped"
    assert not run.finished
    np.testing.assert_array_equal(run.draws().log_joint[:, : seen.n_draws], seen.log_joint)
