"""`kill -9` at any moment loses nothing: the resumed run is bit-identical with one that was left alone."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from hiddencauses import Run
from tests.runs.small_runs import contents, small_run

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9")


def kill_trials(folder, trials):
    seed = time.time_ns() % 10**6
    command = [sys.executable, "-m", "tests.runs.kill_trials", str(folder), str(trials), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    moments = Counter(one["moment"] for one in found)
    same = sum(one["same"] for one in found)
    print(f"seed {seed}: {same} of {len(found)} bit-identical; killed {dict(moments)}")  # noqa: T201
    assert len(found) == trials
    assert [one for one in found if not one["same"] or one["leftovers"]] == []


def test_some_kills(tmp_path):
    kill_trials(tmp_path, 4)


@pytest.mark.long
def test_fifty_kills(tmp_path):
    kill_trials(tmp_path, 50)


def test_chains_in_processes_end_with_the_process_that_was_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from tests.runs.small_runs import small_run\n"
        "if __name__ == '__main__':\n"
        f"    small_run(__import__('pathlib').Path({str(tmp_path / 'run')!r}), draws=200, warmup=4000,"
        " processes=True).wait()\n"
    )
    fitting = subprocess.Popen(
        [sys.executable, str(script)], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    log = tmp_path / "run" / "run.log"
    while not (log.exists() and "started" in log.read_text()):
        time.sleep(0.05)
    time.sleep(0.7)
    fitting.send_signal(signal.SIGKILL)
    fitting.wait()
    run = Run.open(tmp_path / "run").resume().wait()
    small_run(tmp_path / "whole", draws=200, warmup=4000).wait()
    assert contents(run.folder) == contents(tmp_path / "whole")
