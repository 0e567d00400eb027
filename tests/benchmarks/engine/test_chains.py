"""Chains that are looked at: when were the true causes there, and with what memory?"""

import json

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks.engine import __main__ as engine_command
from benchmarks.engine import effective, millions, report, side_by_side, truth
from benchmarks.engine.tables import Size, draw_problem
from benchmarks.engine.watch import watching
from benchmarks.engine.written_tables import written_table
from hiddencauses import DEFAULT_SPEC, sample
from tests.benchmarks.engine.drawn import fake_figure


@pytest.fixture(scope="module")
def problem():
    return draw_problem(Size(200, 8, 2, 0.5), seed=1)


def test_looking_changes_nothing(problem):
    given = {"draws": 4, "warmup": 6, "chains": 1, "seed": 5}
    plain = sample(problem.table, DEFAULT_SPEC, **given)
    with watching(problem.links, DEFAULT_SPEC) as watch:
        seen = sample(problem.table, DEFAULT_SPEC, **given)
    np.testing.assert_array_equal(plain.log_joint, seen.log_joint)
    assert len(watch.found) == 10
    assert watch.n_causes[-4:] == seen.n_total[0].tolist()
    true = {column.tobytes() for column in problem.links.T.copy()}
    for draw in range(4):
        present = {column.tobytes() for column in seen.links(0, draw).T.copy()}
        assert sum(watch.found[6 + draw]) == len(true & present)


def test_a_chain_ends_when_all_causes_are_there_or_its_time_is_over(problem):
    with watching(problem.links, DEFAULT_SPEC, end=True, limit=30.0) as watch:
        sample(problem.table, DEFAULT_SPEC, draws=1, warmup=100_000, chains=1, seed=5)
    assert watch.processor_seconds > 0
    assert watch.sweeps_to(1.0) == len(watch.found) == len(watch.ended)
    assert watch.seconds_to(1.0) == watch.ended[-1] >= watch.seconds_to(0.5)
    assert all(watch.found[-1])
    with watching(1 - problem.links, DEFAULT_SPEC, limit=0.0) as watch:
        sample(problem.table, DEFAULT_SPEC, draws=1, warmup=100_000, chains=1, seed=5)
    assert watch.processor_seconds is None
    assert watch.seconds_to(1.0) is None
    assert len(watch.found) == 1


def test_tables_are_written_once(tmp_path):
    size = Size(70, 6, 2, 0.5)
    path, links = written_table(size, 3, tmp_path)
    expected = draw_problem(size, 3)
    np.testing.assert_array_equal(links, expected.links)
    np.testing.assert_array_equal(np.load(path), expected.table.codes())
    written = path.stat().st_mtime_ns
    assert written_table(size, 3, tmp_path)[0].stat().st_mtime_ns == written
    assert len(list(tmp_path.iterdir())) == 2


def test_a_million_rows_in_small(tmp_path, capsys):
    asked = ["--rows", "150", "--variables", "8", "--causes", "2", "--links", "0.5", "--seed", "1"]
    asked += ["--warmup", "6", "--draws", "4", "--tables", str(tmp_path / "tables")]
    assert millions.main([*asked, "--prepare"]) == 0
    assert capsys.readouterr().out.strip().endswith(".npy")
    out = tmp_path / "engine"
    assert millions.main([*asked, "--out", str(out)]) == 0
    found = json.loads((out / "millions-150x8x2-1.json").read_text(encoding="utf-8"))
    assert len(found["found by sweep"]) == 10
    assert 0 <= found["found in most draws"] <= 2
    assert sum(found["causes of kept draws"].values()) == pytest.approx(1)
    assert found["peak megabytes"] > 10
    assert found["setting"]["warmup"] == 6
    assert engine_command.main(["--page", "--out", str(out)]) == 0
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    assert "## A million rows" in page
    assert "| 150 × 8 × 2 | 1 |" in page


def test_where_the_truth_was_not_reached_the_table_says_so():
    told = {"table": "t", "seed": 0, "causes": 4}
    found = [
        told | {"method": "auto", "seconds": 2.0, "found": 4, "all": True},
        told | {"method": "gibbs", "seconds": 10.0, "found": 1, "all": False},
    ]
    assert truth.table(found)[-2:] == ["| auto | 2 s |", "| gibbs | > 10 s (> 5.0×), 25% of causes |"]


def test_side_by_side_in_quick(monkeypatch, tmp_path):
    """What `python -m benchmarks --quick` does, but for the libraries of the extra."""
    monkeypatch.setattr(
        effective,
        "effective_quantities",
        lambda draws: {name: float(draws.n_draws) for name in effective.QUANTITIES},
    )
    monkeypatch.setattr(side_by_side, "figure", fake_figure)
    out = tmp_path / "engine"
    assert command.main(["--quick", "--seed", "1", "--out", str(out)]) == 0
    assert {path.name for path in out.iterdir()} == {
        "sweep_time.json",
        "truth.json",
        "effective.json",
        "side_by_side.svg",
    }
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    for part in report.SHOWN.values():
        assert f"## {part.TITLE}" in page
    assert "A quick run" in page
    methods = {each["method"] for each in json.loads((out / "truth.json").read_text())["found"]}
    assert {"auto", "gibbs", "twin"} <= methods


def test_parts_can_be_run_one_by_one(tmp_path, capsys):
    out = tmp_path / "engine"
    assert engine_command.main(["--quick", "--part", "sweeps", "--out", str(out)]) == 0
    assert "beside the baseline" in capsys.readouterr().out
    assert json.loads((out / "sweeps.json").read_text())["setting"]["quick"]
