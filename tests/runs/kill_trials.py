"""Kill a fit with `kill -9` at random moments, resume it, and compare with one that was left alone.

`python -m tests.runs.kill_trials FOLDER TRIALS SEED` prints a line of JSON for each trial. Each fit is a
process of its own, forked from this one so that it has its kernels already and a trial takes a second.
Every sweep is saved, so that most of the time something is being written.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from hiddencauses import Run
from hiddencauses.runs import conductor, draw_files, new_folder, run, worker, workers  # noqa: F401
from hiddencauses.sampling import chain as chain_module
from tests.runs.small_runs import contents, small_run

FIT = {"warmup": 60, "draws": 90, "chains": 3}


def forked(task):
    """Run a task in a process of its own and return its id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        task()
        code = 0
    finally:
        os._exit(code)


def ended(child):
    """Wait for a process; its exit code, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def moment(folder):
    """Say in words where a fit was when it was killed."""
    if not folder.exists():
        return "before the folder"
    found = Run.open(folder)
    sweeps = draw_files.sweeps_done(folder, found.settings)
    if (folder / "posterior.nc").exists():
        return "after the posterior"
    if any(folder.glob(".posterior.nc.*.part")):
        return "in the posterior"
    writing = " while writing" if any(folder.glob("chains/*/.*.part")) else ""
    if min(sweeps) >= FIT["warmup"] + FIT["draws"]:
        return "before the posterior"
    return ("in warm-up" if min(sweeps) < FIT["warmup"] else "in draws") + writing


def trial(base, number, seconds, expected):
    """Kill a fit after some seconds, resume it in another process, compare."""
    folder = base / f"run{number}"
    child = forked(lambda: small_run(folder, **FIT).wait())
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    ended(child)
    found = {"seconds": round(seconds, 3), "moment": moment(folder)}
    if folder.exists():
        again = forked(lambda: Run.open(folder).resume().wait())
    else:
        again = forked(lambda: small_run(folder, **FIT).wait())
    found["resumed"] = ended(again) == 0
    found["same"] = found["resumed"] and contents(folder) == expected
    found["leftovers"] = [str(p.name) for p in folder.rglob(".*.part")]
    return found


def main(base, trials, seed):
    chain_module.PIECE_CELLS = 1
    worker.SLICE_SECONDS, worker.SAVE_SECONDS = 0.01, 0.0
    small_run(base / "whole", **FIT).wait()
    expected = contents(base / "whole")
    began = time.monotonic()
    assert ended(forked(lambda: small_run(base / "timed", **FIT).wait())) == 0
    lasts = time.monotonic() - began
    rng = np.random.default_rng(seed)
    for number in range(trials):
        print(json.dumps(trial(base, number, rng.uniform(0, lasts), expected)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
