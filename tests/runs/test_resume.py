"""A run that was stopped, or got more draws later, is the same as one that was not."""

import json
import os
import signal
import threading

import pytest

from hiddencauses import Finite, ModelSpec, Run
from hiddencauses.errors import ChangedTableWarning, OtherVersionsWarning, RunError, UserError
from hiddencauses.runs import until
from hiddencauses.runs.convergence import Quantity
from hiddencauses.runs.until import is_reached, looks
from tests.runs.small_runs import NO_CAUSES, contents, save_always, small_run

FINITE = ModelSpec(strength_scope="per_cause", prevalence_scope="per_cause", causes=Finite())


@pytest.mark.parametrize(
    "options",
    [{}, {"spec": ModelSpec.paper()}, {"spec": FINITE}, {"spec": NO_CAUSES, "init": "empty"}],
    ids=["default", "paper", "finite", "no causes"],
)
def test_more_draws_are_as_if_asked_for_at_once(tmp_path, options):
    small_run(tmp_path / "once", draws=70, **options).wait()
    run = small_run(tmp_path / "twice", draws=1, **options).wait()
    run.resume(draws=33).wait()
    Run.open(run.folder).resume(draws=70).wait()
    assert contents(tmp_path / "once") == contents(tmp_path / "twice")


def test_a_run_that_was_stopped_again_and_again_is_the_same(tmp_path, monkeypatch):
    small_run(tmp_path / "once", spec=ModelSpec.paper(), draws=200, warmup=200).wait()
    save_always(monkeypatch)
    run = small_run(tmp_path / "often", spec=ModelSpec.paper(), draws=200, warmup=200)
    stops = 0
    while not run.finished:
        run.wait(0.1).stop()
        stops += 1
        run = Run.open(run.folder).resume()
    run.wait()
    assert stops > 1
    assert contents(tmp_path / "once") == contents(tmp_path / "often")


def test_an_interrupt_while_waiting_stops_the_run_and_keeps_its_draws(tmp_path):
    run = small_run(tmp_path / "run", warmup=1, draws=10**7)
    threading.Timer(1.0, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        run.wait()
    assert run.outcome == "stopped"
    assert run.draws().n_draws > 0


def test_a_stop_in_warm_up_leaves_no_draws_and_a_run_that_goes_on(tmp_path):
    run = small_run(tmp_path / "run", warmup=10**7)
    run.wait(0.3).stop()
    assert run.n_draws == 0
    with pytest.raises(RunError, match=r"has no draws yet \(it is in warm-up\)"):
        run.draws()


def test_minutes_end_a_run_and_change_no_draw(tmp_path):
    run = small_run(tmp_path / "run", draws=10**7, at_most_minutes=0.01).wait()
    assert run.outcome == "out of time"
    small_run(tmp_path / "asked", draws=run.n_draws).wait()
    # counters count what was drawn, and one chain may have been ahead
    found, asked = contents(run.folder), contents(tmp_path / "asked")
    assert {k: v for k, v in found.items() if "count" not in k} == {
        k: v for k, v in asked.items() if "count" not in k
    }


def test_until_stops_at_the_first_look_that_is_good_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(until, "FIRST_LOOK", 50)
    run = small_run(tmp_path / "until", until="rhat=1.5,ess=20", draws=None).wait()
    assert run.finished
    draws = run.n_draws
    assert draws in list(looks(20_000))
    assert is_reached({"rhat": 1.5, "ess": 20}, run.convergence())
    small_run(tmp_path / "asked", draws=draws).wait()
    assert contents(run.folder) == contents(tmp_path / "asked")


def test_until_that_was_stopped_ends_where_it_would_have(tmp_path, monkeypatch):
    goal = {"until": "ess=60", "spec": ModelSpec.paper(), "draws": 400}
    small_run(tmp_path / "once", **goal).wait()
    save_always(monkeypatch)
    run = small_run(tmp_path / "often", **goal)
    while not run.finished:
        run.wait(0.2).stop()
        run = Run.open(run.folder).resume()
    run.wait()
    assert contents(tmp_path / "once") == contents(tmp_path / "often")


def test_until_has_a_ceiling(tmp_path):
    run = small_run(tmp_path / "run", until={"ess": 1e9}, draws=120).wait()
    assert run.n_draws == 120
    assert run.finished
    run.resume(draws=130).wait()
    assert run.n_draws == 130
    assert run.settings.until is None


def test_looks_do_not_depend_on_the_ceiling():
    assert list(looks(1000))[:5] == [100, 150, 200, 250, 300]
    assert list(looks(1000))[-1] == 1000
    assert list(looks(60)) == [60]
    assert set(list(looks(1000))[:-1]) < set(looks(5000))


def test_every_quantity_must_be_good():
    good, bad = Quantity("a", 1.0, 500, 500), Quantity("b", 1.2, 500, 30)
    assert is_reached({"rhat": 1.01, "ess": 400}, [good])
    assert not is_reached({"rhat": 1.01}, [good, bad])
    assert not is_reached({"ess": 31}, [good, bad])


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("fast", "until has 'fast'; give rhat, ess or both, for example rhat=1.01,ess=400"),
        ("rhat=1", "until has rhat=1.0; it must be a number above 1"),
        ("ess=-3", "until has ess=-3.0"),
        ("rhat=1.1,rhat=1.2", "until names rhat twice"),
        ("mcse=1", "until is 'mcse=1'"),
        ({}, "until is {}"),
        (3, "until is 3"),
        ("ess=nan", "until has ess=nan"),
    ],
)
def test_until_is_checked_before_any_work(tmp_path, value, said):
    with pytest.raises(UserError) as error:
        small_run(tmp_path / "run", until=value)
    assert said in str(error.value)
    assert not (tmp_path / "run").exists()


def test_fewer_draws_than_there_are_cannot_be_asked_for(tmp_path):
    run = small_run(tmp_path / "run").wait()
    with pytest.raises(UserError, match="has 30 draws of a chain already and 10 are asked for"):
        run.resume(draws=10)
    assert run.resume().wait().n_draws == 30  # the lock was given back


def test_a_source_that_changed_is_told_and_the_run_goes_on_with_its_copy(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,1\n0,0\n1,0\n")
    run = small_run(tmp_path / "run", table).wait()
    table.write_text("a,b\n0,0\n0,0\n1,0\n")
    with pytest.warns(ChangedTableWarning, match="has changed since the fit"):
        run.resume(draws=40)
    run.wait()
    small_run(tmp_path / "once", run.table(), draws=40).wait()
    assert contents(run.folder) == contents(tmp_path / "once")


def test_other_versions_are_told(tmp_path):
    run = small_run(tmp_path / "run").wait()
    settings = json.loads((run.folder / "settings.json").read_text())
    settings["versions"]["numba"] = "0.1"
    (run.folder / "settings.json").write_text(json.dumps(settings))
    with pytest.warns(OtherVersionsWarning, match=r"numba 0\.1 then"):
        Run.open(run.folder).resume(draws=31).wait()


def test_names_of_rows_and_carried_columns_come_back(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("id,a,b,site\np1,1,1,x\np2,0,,y\np3,1,0,x\n")
    from hiddencauses import read_table

    read = read_table(table, id_column="id", carry=["site"])
    kept = small_run(tmp_path / "run", read).wait().table()
    assert kept.row_ids == ("p1", "p2", "p3")
    assert kept.carried.to_pydict() == {"site": ["x", "y", "x"]}
    assert kept.fingerprint() == read.fingerprint()
