"""The recovery suite: what counts as found, and what is kept and reported."""

import json

import numpy as np
import pytest

from benchmarks.recovery import __main__ as command
from benchmarks.recovery.chains import run_chain
from benchmarks.recovery.judge import found_at_any_cut, found_at_half, succeeds
from benchmarks.recovery.report import report
from benchmarks.recovery.rivals import RIVALS, Rival
from benchmarks.recovery.store import Results
from benchmarks.recovery.tables import LINES, Problem
from hiddencauses import ModelSpec, simulate

BY_NAME = {line.name: line for line in LINES}


def same(one, other):
    return np.array_equal(one.codes(), other.codes())


def easy_problem(seed=3):
    """A table whose causes are seen in a few sweeps."""
    links = np.kron(np.eye(2, dtype=np.int8), np.ones((4, 1), dtype=np.int8))
    spec = ModelSpec.paper().with_fixed(strength=0.9, leak=0.01, prevalence=0.3)
    truth = simulate(rows=120, variables=8, spec=spec, links=links, seed=seed)
    return Problem(truth.table, truth.truth, np.ones(2, dtype=np.bool_))


@pytest.mark.parametrize("line", [line for line in LINES if line.name != "large"], ids=lambda line: line.name)
def test_tables_follow_from_the_seed_and_are_of_the_kind_said(line):
    one, again, other = line.make(5), line.make(5), line.make(6)
    assert same(one.table, again.table)
    assert one.table.n_rows == 2000
    assert one.links.any(axis=0).all()
    assert len(one.main) == one.links.shape[1]
    assert (line.asked == "none") == (one.links.shape[1] == 0)
    if line.asked != "none" or line.name == "columns":
        assert not same(one.table, other.table)


def test_misspecified_rows_are_a_tenth():
    plain, flipped = BY_NAME["common"].make(1).table.codes(), BY_NAME["flipped"].make(1).table.codes()
    rows = (plain != flipped).any(axis=1)
    assert 0.07 < rows.mean() < 0.13
    assert (plain != flipped)[rows].sum(axis=1).tolist() == [16] * int(rows.sum())


def test_a_chain_tells_what_it_found():
    problem = easy_problem()
    found, draws = run_chain(problem, "auto", seed=1, warmup=40, draws=60)
    assert found["found"] == [1, 1]
    assert found["mode"] == 2
    assert found["links_asked"] == 8
    assert 0 <= found["links_covered"] <= 8
    assert draws.n_draws == 60
    nearly = problem.truth.permuted()
    nearly.links[0] = 1 - nearly.links[0]  # one link more, one less: no longer exactly what is found
    found, _ = run_chain(Problem(problem.table, nearly, problem.main), "auto", seed=1, warmup=40, draws=60)
    assert found["found"] == [0, 0]


def test_rivals_find_a_cause_at_any_cut_of_a_component_but_not_across_components():
    links = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.int8)
    weights = np.array([[9.0, 0.0], [0.2, 0.0], [0.1, 5.0], [0.0, 0.0]])
    assert found_at_any_cut(weights, links) == [1, 0]
    assert found_at_any_cut(np.ones((4, 2)), links) == [0, 0]
    assert found_at_half(weights, links) == [0, 0]
    weights[1, 0], weights[3, 1] = 5.0, 2.6
    assert found_at_half(weights, links) == [1, 1]


def test_what_a_line_asks_for():
    main = np.array([True, True, False])
    most = {"found": [1, 1, 0], "mode": 3}
    assert succeeds(BY_NAME["rare"], most, main)
    assert not succeeds(BY_NAME["sets8"], most, main)
    assert succeeds(BY_NAME["sets8"], {"found": [1, 1, 1], "mode": 3}, main)
    assert not succeeds(BY_NAME["sets8"], {"found": [1, 1, 1], "mode": 4}, main)
    assert succeeds(BY_NAME["zeros"], {"found": [], "mode": 0}, main[:0])
    assert not succeeds(BY_NAME["zeros"], {"found": [], "mode": 1}, main[:0])
    assert succeeds(BY_NAME["lifelike"], most, main) is None


def test_results_are_kept_seed_by_seed_and_other_settings_begin_anew(tmp_path):
    results = Results(tmp_path, "sets8", "auto")
    results.keep(0, {"found": [1]}, {"draws": 5})
    results.keep(1, {"found": [0]}, {"draws": 5})
    again = Results(tmp_path, "sets8", "auto")
    assert 0 in again
    assert 2 not in again
    assert again.seeds == {"0": {"found": [1]}, "1": {"found": [0]}}
    again.keep(0, {"found": [1]}, {"draws": 6})
    assert list(Results(tmp_path, "sets8", "auto").seeds) == ["0"]


def test_a_rival_that_is_not_installed_says_how_to_install_it():
    missing = Rival("none", "Nothing", "no_such_module", "no-such-package", RIVALS[0].weights)
    assert "pip install no-such-package" in missing.why_not()


def test_the_command_runs_a_line_and_does_not_run_it_twice(tmp_path, capsys):
    asked = ["--line", "zeros", "--method", "auto", "--seeds", "0:2", "--warmup", "5", "--draws", "5"]
    assert command.main([*asked, "--out", str(tmp_path)]) == 0
    assert "zeros auto seed 1" in capsys.readouterr().out
    kept = json.loads((tmp_path / "recovery" / "zeros.auto.json").read_text())
    assert set(kept["seeds"]) == {"0", "1"}
    assert command.main([*asked, "--out", str(tmp_path)]) == 0
    assert "zeros auto seed" not in capsys.readouterr().out
    page = report(tmp_path / "recovery", ["auto"])
    assert "| zeros | 2,000 × 64, all zeros | 2 | seeds without a cause ≥ 95% | 100.0% |" in page
