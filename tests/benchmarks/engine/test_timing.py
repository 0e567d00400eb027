"""What is timed is the same for both sides; nothing here looks at how long it takes."""

import json
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.engine import first_version, moves, moves_child, scaling, startup, sweeps
from benchmarks.engine.contestants import engine_sweeps
from benchmarks.engine.tables import SIZES, SPECS, Size, draw_problem, in_spec
from benchmarks.engine.timing import milliseconds_a_sweep
from hiddencauses.kernels.state import COUNTERS
from hiddencauses.sampling.convert import world_of
from tests.benchmarks.engine.drawn import fake_figure


def test_tables_follow_from_the_seed_and_every_cause_has_a_link():
    one, again, other = (draw_problem(Size(80, 7, 5, 0.05), seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.table.codes(), again.table.codes())
    assert not np.array_equal(one.table.codes(), other.table.codes())
    assert one.links.any(axis=0).all()
    assert [size.name for size in SIZES] == ["150 × 10 × 4", "2,000 × 64 × 8", "20,000 × 200 × 20"]


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_truth_is_a_start_in_either_spec(spec):
    problem = draw_problem(Size(30, 6, 2, 0.5), 1)
    in_spec(problem.truth, spec).check(spec, table_shape=(30, 6))


def test_every_repeat_begins_anew_and_contestants_take_turns():
    log = []

    def maker(name):
        def make():
            log.append(f"make {name}")
            return lambda number: log.append(f"{name} {number}")

        return make

    told = milliseconds_a_sweep({"a": maker("a"), "b": maker("b")}, {"a": 3, "b": 5}, repeats=2)
    turn = ["make a", "a 3", "make b", "b 5"]
    assert log == ["make a", "a 1", "make b", "b 1", *turn, *turn]
    assert set(told) == {"a", "b"}


def test_sweeps_go_on_where_they_ended():
    """Two calls make the sweeps of one: what is timed is a chain."""
    problem = draw_problem(Size(40, 5, 2, 0.5), 1)
    spec = SPECS["shared"]
    told = []
    for numbers in ((4,), (1, 3)):
        run = engine_sweeps(problem.table, in_spec(problem.truth, spec), spec, seed=3)
        for number in numbers:
            run(number)
        held = dict(zip(run.__code__.co_freevars, run.__closure__, strict=True))
        assert held["done"].cell_contents == 4
        told.append(world_of(held["state"].cell_contents, spec))
    assert told[0].parameters.leak == told[1].parameters.leak
    np.testing.assert_array_equal(told[0].activity, told[1].activity)


def test_sweeps_beside_the_baseline():
    found = sweeps.run(1, quick=True)
    assert {(each["size"], each["spec"]) for each in found} == {
        (size.name, spec) for size in sweeps.QUICK_SIZES for spec in SPECS
    }
    assert all(each["baseline"] > 0 and each["engine"] > 0 for each in found)
    assert [each["asked"] for each in found] == [3, None, None, None]
    made_up = [{"size": "s", "spec": "shared", "asked": 10, "baseline": 30.0, "engine": 2.0}]
    assert sweeps.table(made_up)[-1] == "| s | shared | 30 | 2 | 15.0 | ≥ 10 |"


def test_a_move_is_told_by_what_it_counts():
    counters = np.zeros(len(COUNTERS), dtype=np.int64)
    assert moves_child._what(SimpleNamespace(counters=counters)) == ("", 0)
    counters[COUNTERS.index("merges_proposed")] = counters[COUNTERS.index("merges_accepted")] = 1
    counters[COUNTERS.index("own_proposed")] = 3
    assert moves_child._what(SimpleNamespace(counters=counters)) == ("merges", 1)


class FakeSide:
    """Every second move is a birth, the others propose nothing; joint draws of activity count nothing."""

    def __init__(self, milliseconds):
        self.milliseconds = milliseconds

    def move(self, kind, number):
        counted = kind != moves.REDRAWS and number // moves.KINDS % 2
        return "joint_births" if counted else "", 0, self.milliseconds


def test_moves_of_a_name_are_compared():
    found = moves._compare({"first": FakeSide(10.0), "now": FakeSide(2.0)}, Size(100, 5, 2, 0.5), 4)
    by_name = {each["move"]: each for each in found}
    assert by_name["joint births"]["moves"] == 8  # two of each of four kinds
    assert by_name["blind joint births"]["moves"] == 2
    assert by_name["joint births"]["total ratio"] == 5.0
    assert by_name["joint activity"]["moves"] == 4  # which is not counted, but always made
    assert by_name["all"]["moves"] == 8 + 2 + 4
    assert by_name["all"]["same decision"] == 1.0
    text = moves.table({"first": "abc", "moves": found})
    assert "| 100 × 5 × 2 | joint births | 8 | 10 | 2 | 5.0 | 5.0 | 100% |" in text


def test_without_its_history_the_comparison_of_moves_says_so(monkeypatch, tmp_path):
    def no_git(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(first_version, "FIRST", "0" * 40)
    with pytest.raises(first_version.NoHistoryError):
        first_version.extract_first_version(tmp_path)
    monkeypatch.setattr(subprocess, "run", no_git)
    found = moves.run(1, quick=True)
    assert found["moves"] == []
    assert "git is not installed" in moves.table(found)[0]


def test_exponents_by_hand(monkeypatch, tmp_path):
    monkeypatch.setattr(scaling, "figure", fake_figure)
    found = [
        {
            "series": "rows",
            "spec": "shared",
            "sampler": "gibbs",
            "rows": rows,
            "links": 3,
            "milliseconds": 2.0 * rows**1.5,
        }
        for rows in (10, 100, 1000, 10_000)
    ]
    over, whole, upper = scaling.exponent(found)
    assert over == "rows"
    assert whole == pytest.approx(1.5)
    assert upper == pytest.approx(1.5)
    assert "| 1.50 | 1.50 |" in scaling.table(found)[5]
    scaling.draw(found, tmp_path)
    assert (tmp_path / "scaling.svg").exists()


def test_scaling_runs():
    found = scaling.run(1, quick=True)
    assert [each["rows"] for each in found] == [50, 100, 200] * 2
    assert json.loads(json.dumps(found)) == found


def test_starting_is_measured_in_processes_of_their_own():
    (found,) = startup.run(1, quick=True)
    assert min(found["import"]) > 0
    assert "| default | – |" in startup.table([found])[-1]
