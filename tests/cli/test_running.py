"""Fits that are watched, interrupted, resumed: on a terminal, piped, quiet."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from hiddencauses import Run
from hiddencauses.cli import follow
from hiddencauses.cli.app import main
from hiddencauses.runs.run import ChainProgress

LONG = ["--chains", "2", "--warmup", "20", "--draws", "1000000", "--seed", "1"]
QUICK = ["--chains", "2", "--warmup", "20", "--draws", "30", "--seed", "1"]


def started(out, *more, **options):
    """Start a long fit in a process of its own, and wait until it draws (warm-up ends with a checkpoint)."""
    command = [sys.executable, "-m", "hiddencauses", "fit", "dataset:davis", "-o", str(out), *LONG, *more]
    process = subprocess.Popen(command, text=True, **options)
    while not out.exists() or any(chain.phase != "drawing" for chain in Run.open(out).progress()):
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)
    return process


def test_an_interrupt_keeps_the_draws_and_says_how_to_go_on(tmp_path, capsys):
    out = tmp_path / "run"
    process = started(out, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.send_signal(signal.SIGINT)
    said, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Number of causes" in said
    assert "stopping when every chain has saved its draws; Ctrl-C again leaves at once" in told
    assert f"continue with: hiddencauses resume {out}" in told.splitlines()[-1]
    kept = Run.open(out).n_draws
    assert kept > 0
    assert main(["resume", str(out), "--draws", str(kept + 5), "--quiet"]) == 0
    assert Run.open(out).draws().n_draws == kept + 5
    once = tmp_path / "once"
    fit = ["fit", "dataset:davis", "-o", str(once), *LONG[:4], "--draws", str(kept + 5), "--seed", "1"]
    capsys.readouterr()
    assert main([*fit, "--quiet"]) == 0
    expected = capsys.readouterr()
    assert expected.err == ""
    assert main(["resume", str(out)]) == 0
    assert f"{out} is finished: {kept + 5} draws of each of 2 chains" in capsys.readouterr().err
    assert (Run.open(out).draws().log_joint == Run.open(once).draws().log_joint).all()


def test_an_interrupt_of_all_processes_keeps_the_draws(tmp_path):
    # a terminal sends Ctrl-C to the chains' processes too
    out = tmp_path / "run"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    process = started(out, "--processes", start_new_session=True, **quiet)
    os.killpg(process.pid, signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert f"continue with: hiddencauses resume {out}" in told.splitlines()[-1]
    assert Run.open(out).draws().n_draws > 0


def test_a_second_interrupt_leaves_at_once_and_without_damage(tmp_path):
    out = tmp_path / "run"
    process = started(out, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert main(["resume", str(out), "--at-most-minutes", "0.005", "--quiet"]) == 0


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_a_terminal_gets_a_table(tmp_path):
    ours, theirs = os.openpty()
    process = started(tmp_path / "run", stdout=subprocess.DEVNULL, stderr=theirs)
    process.send_signal(signal.SIGINT)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait() == 130
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())
    for word in ("chain", "phase", "draws/s", "log joint", "time left", "drawing"):
        assert word in text


def test_piped_progress_is_plain_lines(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(follow, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(follow, "TABLE_SECONDS", 0.01)
    assert main(["fit", "dataset:davis", "-o", str(tmp_path / "run"), *QUICK]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert "\x1b" not in "".join(lines)
    assert any(line.startswith("chain 1: ") and "chain 2: " in line for line in lines)


def test_a_line_says_how_far_all_are():
    chains = [
        ChainProgress(0, "warm-up", 10, 0, 2, None, 5.0, 130.0),
        ChainProgress(1, "drawing", 30, 10, 3, -4.0, 5.0, 4020.0),
        ChainProgress(2, "starting", 0, 0, 0, None, 0.0, None),
    ]
    assert follow.plain_line(chains, 20, 40) == (
        "chain 1: warm-up 10/20, 2 causes; chain 2: 10/40, 3 causes; chain 3: starting; about 1 h 07 min left"
    )
    assert [follow.shown_time(s) for s in (7, 75, 3700)] == ["7 s", "1 min 15 s", "1 h 01 min"]


def test_until_and_its_ceiling_are_told(tmp_path, capsys):
    options = ["--chains", "2", "--warmup", "20", "--seed", "1", "--draws", "110", "--until", "ess=100000"]
    assert main(["fit", "dataset:davis", "-o", str(tmp_path / "run"), *options]) == 0
    assert "the ceiling of 110 draws was reached" in capsys.readouterr().err


def test_time_that_ends_in_warm_up_is_told(tmp_path, capsys):
    options = ["--warmup", "10000000", "--chains", "1", "--at-most-minutes", "0.005"]
    assert main(["fit", "dataset:davis", "-o", str(tmp_path / "run"), *options]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "out of time; saved in" in captured.err
    assert "no draws yet (it was in warm-up)" in captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["resume"], "missing argument 'RUN'"),
        (["resume", "."], "is not a run (it has no settings.json)"),
        (["resume", "nowhere"], "nowhere does not exist"),
        (["resume", "run", "--draws", "0"], "draws is 0"),
        (["resume", "run", "--draws", "3"], "has 30 draws of a chain already and 3 are asked for"),
        (["resume", "run", "--until", "x"], "until has 'x'"),
    ],
)
def test_mistakes_are_one_line(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    if "run" in arguments:
        assert main(["fit", "dataset:davis", "-o", "run", "--quiet", *QUICK]) == 0
    capsys.readouterr()
    assert main(arguments) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert said in told[0]
