"""A folder that is no run, or no longer the run it was: one clear line each, and nothing lost."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from hiddencauses import Run
from hiddencauses.errors import (
    DamagedRunError,
    DiskSpaceWarning,
    FormatVersionError,
    NotARunError,
    OutputError,
    RunError,
    RunInUseError,
    RunStoppedError,
    UserError,
)
from hiddencauses.runs import room
from hiddencauses.runs.container import read_container, write_container
from tests.runs.small_runs import contents, save_always, small_run

ROOT = Path(__file__).parents[2]


@pytest.fixture(name="folder")
def _folder(tmp_path):
    return small_run(tmp_path / "run").wait().folder


def change_settings(folder, **changed):
    path = folder / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


# -- not a run -------------------------------------------------------------------------------------


def test_a_folder_without_settings_is_no_run(tmp_path):
    with pytest.raises(NotARunError, match=r"is not a run \(it has no settings.json\)"):
        Run.open(tmp_path)
    with pytest.raises(NotARunError, match="does not exist"):
        Run.open(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(NotARunError, match="is a file"):
        Run.open(tmp_path / "file")


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("not json", NotARunError, "cannot be read as the settings of a run"),
        ("[1]", NotARunError, "cannot be read as the settings of a run"),
        ('{"schema": "editor/1"}', NotARunError, "belongs to something else"),
        ('{"schema": "hiddencauses/run/0"}', FormatVersionError, "is a run in format 0 and this version of"),
        ('{"schema": "hiddencauses/run/1"}', DamagedRunError, "is damaged"),
    ],
)
def test_other_settings_are_refused(folder, text, error, said):
    (folder / "settings.json").write_text(text)
    with pytest.raises(error, match=said):
        Run.open(folder)


# -- files that changed ----------------------------------------------------------------------------


def test_a_damaged_checkpoint_is_told_and_nothing_else_is_touched(folder):
    before = contents(folder)
    path = folder / "chains" / "chain-1" / "checkpoint"
    whole = path.read_bytes()
    path.write_bytes(whole[:-40] + b"damaged!" + whole[-32:])
    with pytest.raises(DamagedRunError, match=r"chain-1.checkpoint is damaged"):
        Run.open(folder).resume(draws=40).wait()
    assert contents(folder) == before
    path.write_bytes(whole)
    assert Run.open(folder).resume(draws=40).wait().n_draws == 40


def test_a_checkpoint_of_another_run_or_chain_is_refused(folder, tmp_path):
    other = small_run(tmp_path / "other").wait().folder
    place = Path("chains") / "chain-1" / "checkpoint"
    own = (folder / place).read_bytes()
    shutil.copy(other / place, folder / place)
    with pytest.raises(DamagedRunError, match="is a checkpoint of another run"):
        Run.open(folder).resume(draws=40).wait()
    (folder / place).write_bytes(own)
    shutil.copy(folder / "chains" / "chain-0" / "checkpoint", folder / place)
    with pytest.raises(DamagedRunError, match="is the checkpoint of another chain"):
        Run.open(folder).resume(draws=40).wait()


def test_a_checkpoint_of_other_arrays_is_refused(folder):
    path = folder / "chains" / "chain-1" / "checkpoint"
    run = json.loads((folder / "settings.json").read_text())["run"]
    values, arrays = read_container(path, "checkpoint", run)
    for changed in ({"y": arrays["y"].astype(np.uint16)}, {"more": arrays["y"]}, {"y": arrays["y"][0]}):
        write_container(path, "checkpoint", run, values, arrays | changed)
        with pytest.raises(FormatVersionError, match="as another version of hiddencauses keeps it"):
            Run.open(folder).resume(draws=40).wait()


def test_a_changed_table_is_refused(folder, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("x1,x2,x3\n" + "1,1,0\n0,0,1\n1,0,1\n" * 3)
    other = small_run(tmp_path / "other", table).wait().folder
    run = json.loads((folder / "settings.json").read_text())["run"]
    shutil.copy(other / "table.bits", folder / "table.bits")
    with pytest.raises(DamagedRunError, match="is a table of another run"):
        Run.open(folder).resume(draws=40).wait()
    change_settings(other, run=run)
    kept = json.loads((folder / "settings.json").read_text())["table"] | {"fingerprint": "0" * 64}
    change_settings(other, run=json.loads((other / "settings.json").read_text())["run"], table=kept)
    with pytest.raises(DamagedRunError):
        Run.open(other).table()


def test_a_fingerprint_that_does_not_fit_is_refused(folder):
    settings = json.loads((folder / "settings.json").read_text())
    change_settings(folder, table=settings["table"] | {"fingerprint": "0" * 64})
    with pytest.raises(DamagedRunError, match="has changed since the fit"):
        Run.open(folder).table()
    (folder / "posterior.nc").unlink()
    with pytest.raises(DamagedRunError):
        Run.open(folder).resume(draws=40).wait()


def test_missing_draws_are_told(tmp_path, monkeypatch):
    save_always(monkeypatch)
    run = small_run(tmp_path / "run", draws=100_000)
    while run.n_draws < 3:
        time.sleep(0.01)
    monkeypatch.setattr("hiddencauses.runs.conductor.assemble", lambda *_: 0)
    run.stop()
    parts = sorted((run.folder / "chains" / "chain-0").glob("draws-*"))
    parts[1].unlink()
    with pytest.raises(DamagedRunError, match=r"draws \d+ to \d+ of chain 0 are missing"):
        Run.open(run.folder).draws()


def test_a_damaged_posterior_is_told(folder):
    path = folder / "posterior.nc"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(DamagedRunError, match=r"posterior\.nc is damaged or not the posterior"):
        Run.open(folder).draws()


# -- other processes -------------------------------------------------------------------------------


def test_a_second_process_is_refused_and_the_lock_dies_with_its_process(folder):
    script = (
        "import sys, time, pathlib\n"
        "from hiddencauses.runs.lock import FileLock\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        "lock = FileLock(folder / 'lock', folder)\n"
        "print('locked', flush=True)\n"
        "time.sleep(60)\n"
    )
    other = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "locked\n"
    with pytest.raises(RunInUseError, match="is being worked on by another process"):
        Run.open(folder).resume(draws=40)
    with pytest.raises(RunInUseError):
        small_run(folder, force=True)
    assert Run.open(folder).draws().n_draws == 30  # looking is always possible
    other.send_signal(signal.SIGKILL)
    other.wait()
    other.stdout.close()
    assert Run.open(folder).resume(draws=40).wait().n_draws == 40


def test_one_handle_does_not_run_twice(tmp_path):
    run = small_run(tmp_path / "run", warmup=10**6)
    try:
        with pytest.raises(RunError, match="is running already"):
            run.resume()
        with pytest.raises(RunInUseError):
            Run.open(run.folder).resume()
    finally:
        run.stop()


@pytest.mark.parametrize("how", ["removed", "moved", "replaced"])
def test_a_folder_that_goes_away_ends_the_run(tmp_path, monkeypatch, how):
    save_always(monkeypatch)
    run = small_run(tmp_path / "run", draws=100_000)
    while run.n_draws < 2:
        time.sleep(0.01)
    os.rename(run.folder, tmp_path / "elsewhere")  # noqa: PTH104
    if how == "removed":
        shutil.rmtree(tmp_path / "elsewhere")
    elif how == "replaced":
        shutil.copytree(tmp_path / "elsewhere", run.folder)
    with pytest.raises(RunStoppedError, match="was removed or moved while the run was going on"):
        run.wait()
    assert run.folder.exists() == (how == "replaced")
    if how == "moved":
        moved = Run.open(tmp_path / "elsewhere")
        goal = moved.n_draws + 5
        moved.resume(draws=goal).wait()
        small_run(tmp_path / "whole", draws=goal).wait()
        assert contents(moved.folder) == contents(tmp_path / "whole")


# -- making it -------------------------------------------------------------------------------------


def test_the_folder_is_its_owners_alone(folder):
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_run_is_not_overwritten_unless_asked(folder):
    before = contents(folder)
    with pytest.raises(OutputError, match="exists already"):
        small_run(folder)
    assert contents(folder) == before
    (folder / "mine.txt").write_text("mine")
    small_run(folder, seed=9, chains=1, force=True).wait()
    assert (folder / "mine.txt").read_text() == "mine"
    assert sorted(p.name for p in (folder / "chains").iterdir()) == ["chain-0"]
    assert Run.open(folder).draws().seed == 9
    assert [p.name for p in folder.parent.iterdir()] == ["run"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"chains": 0}, "chains is 0"),
        ({"draws": 0}, "draws is 0"),
        ({"workers": 0}, "workers is 0"),
        ({"at_most_minutes": -1}, "at_most_minutes is -1"),
        ({"sampler": "best"}, "sampler is 'best'"),
        ({"init": "nowhere"}, "init is 'nowhere'"),
    ],
)
def test_mistakes_leave_nothing_behind(tmp_path, changed, said):
    with pytest.raises(UserError) as error:
        small_run(tmp_path / "run", **changed)
    assert said in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_more_draws_than_disk_are_warned_of_first(tmp_path, monkeypatch):
    monkeypatch.setattr(room.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 5_000))
    with pytest.warns(DiskSpaceWarning, match=r"2 chains of 30 draws may need about .* has 5 kB free"):
        run = small_run(tmp_path / "run")
    run.wait()
    with pytest.warns(DiskSpaceWarning, match="2 chains of 50 draws"):
        run.resume(draws=50).wait()


def test_a_million_rows_are_estimated_below_a_gigabyte(tmp_path):
    run = small_run(tmp_path / "run").wait()
    from dataclasses import replace

    facts = replace(run.settings.table, rows=1_000_000, columns=tuple(f"x{i}" for i in range(24)))
    million = replace(run.settings, table=facts, chains=4, draws=1000, activity_every=31)
    assert room.estimated_octets(million) < 1e9
