"""Damage files of every format and read them: a table or one clear line, never anything else.

    python -m verification.fuzz_readers --files 100000 --seed 1

Every case is a file that was sound, damaged in a way that (seed, number) decide. Reading it must give a
`Table` or raise a `UserError` within the time limit and the memory limit. Cases run in a worker process,
so that a crash or a hang of a library is seen and counted. `--only NUMBER` replays one case, and
`--keep FOLDER` stores the files that failed.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from hiddencauses import Table, read_table
from hiddencauses.errors import HiddenCausesWarning, UserError
from verification.damage import damaged
from verification.sound_files import sound_files

SECONDS_PER_FILE = 5
MEMORY = 6 << 30
LAYOUTS: tuple[dict[str, object], ...] = (
    {},
    {},
    {"drop_constant": True},
    {"id_column": "id"},
    {"count_column": "n", "carry": ["age"]},
    {"id_column": "id", "carry": ["kind"]},
    {"carry": ["age", "site"]},
    {"layout": "events"},
    {"layout": "events", "carry": ["age"]},
    {"delimiter": ";"},
)


@dataclass
class Outcome:
    """What came of the cases so far."""

    done: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)


def make_case(sound: dict[str, bytes], seed: int, number: int) -> tuple[str, bytes, dict[str, object]]:
    """Return the name, the bytes and the options of a case; nothing but (seed, number) decides them."""
    random = Random(f"{seed}:{number}")
    name = random.choice(sorted(sound))
    damage = random.random() < 0.98  # a few stay sound
    data = damaged(sound[name], random, list(sound.values())) if damage else sound[name]
    fitting = _fitting(name, sound[name])
    return name, data, random.choice(fitting if random.random() < 0.9 else LAYOUTS)


@cache
def _fitting(name: str, data: bytes) -> tuple[dict[str, object], ...]:
    """Find the options under which the sound file is a table; all of them if there is none."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", HiddenCausesWarning)
        fitting = [how for how in LAYOUTS if read_case(Path(folder), name, data, how) == "Table"]
    return tuple(fitting) or LAYOUTS


def read_case(folder: Path, name: str, data: bytes, options: dict[str, object]) -> str:
    """Read a damaged file; return what came of it, or raise what must not be raised."""
    path = folder / f"case{name[name.index('.') :]}"
    path.write_bytes(data)
    try:
        table = read_table(path, **options)  # type: ignore[arg-type]
    except UserError as error:
        if "\n" in str(error):
            raise AssertionError(f"the message has several lines: {error}") from error
        return type(error).__name__
    if not isinstance(table, Table):
        raise AssertionError(f"read_table returned {type(table).__name__}")
    return "Table"


def run(files: int, seed: int, *, start: int = 0, keep: Path | None = None) -> Outcome:
    """Run cases `start` to `files`, each batch in a worker that is replaced when it dies."""
    sound, outcome = sound_files(), Outcome()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while start < files:
            start = _watch_worker(sound, seed, start, files, folder, outcome)
    if keep is not None and outcome.failures:
        keep.mkdir(parents=True, exist_ok=True)
        for line in outcome.failures:
            number = int(line.split()[1].rstrip(":"))
            case, data, _ = make_case(sound, seed, number)
            (keep / f"{seed}-{number}-{case}").write_bytes(data)
    return outcome


def _watch_worker(
    sound: dict[str, bytes], seed: int, start: int, files: int, folder: Path, outcome: Outcome
) -> int:
    """Fork a worker, note what it reports, and return the number of the case to go on with."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of other threads: pyarrow's know how to fork
        child = os.fork()
    if child == 0:
        os.close(reading)
        _work(sound, seed, start, files, folder, writing)
        os._exit(0)
    os.close(writing)
    current = start
    with os.fdopen(reading, encoding="utf-8", errors="replace") as reports:
        for report in reports:
            kind, number, detail = report.rstrip("\n").split(" ", 2)
            current = int(number)
            if kind == "begin":
                continue
            outcome.done += 1
            if kind == "bad":
                outcome.failures.append(f"case {current}: {detail}")
            else:
                seconds, what = detail.split(" ", 1)
                outcome.slowest = max(outcome.slowest, float(seconds))
                outcome.kinds[what] += 1
    _, status = os.waitpid(child, 0)
    if status == 0:
        return files
    signal_number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    why = signal.Signals(signal_number).name if signal_number else f"exit status {status >> 8}"
    what = f"no end within {SECONDS_PER_FILE} s" if signal_number == signal.SIGALRM else f"crash ({why})"
    outcome.done += 1
    outcome.failures.append(f"case {current}: {what}")
    return current + 1


def _work(sound: dict[str, bytes], seed: int, start: int, files: int, folder: Path, pipe: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends the worker, even inside a library
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", HiddenCausesWarning)
    for number in range(start, files):
        os.write(pipe, f"begin {number} -\n".encode())
        name, data, options = make_case(sound, seed, number)
        begun = time.perf_counter()
        signal.alarm(SECONDS_PER_FILE)
        try:
            what = read_case(folder, name, data, options)
            report = f"ok {number} {time.perf_counter() - begun:.3f} {name[name.index('.') :]} {what}"
        except BaseException as error:  # noqa: BLE001 - anything at all that is not a UserError is a finding
            place = traceback.extract_tb(error.__traceback__)[-1]
            said = " ".join(str(error).split())[:200]
            report = (
                f"bad {number} {name} {options} {type(error).__name__}: {said} ({place.name}:{place.lineno})"
            )
        signal.alarm(0)
        os.write(pipe, (report + "\n").encode("utf-8", errors="replace"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when anything failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only", type=int, help="replay one case in this process, with its traceback")
    parser.add_argument("--keep", type=Path, help="folder for the files that failed")
    options = parser.parse_args(arguments)
    if options.only is not None:
        with tempfile.TemporaryDirectory() as folder:
            name, data, how = make_case(sound_files(), options.seed, options.only)
            if options.keep is not None:
                (options.keep / f"{options.seed}-{options.only}-{name}").write_bytes(data)
            try:
                said = read_case(Path(folder), name, data, how)
            except UserError as error:
                said = str(error)
            sys.stdout.write(f"{name} {how}: {said}\n")
        return 0
    begun = time.perf_counter()
    outcome = run(options.files, options.seed, start=options.start, keep=options.keep)
    for kind, count in sorted(outcome.kinds.items()):
        sys.stdout.write(f"{count:8d} {kind}\n")
    sys.stdout.write(
        f"seed {options.seed}: {outcome.done} files, {len(outcome.failures)} failures, "
        f"slowest {outcome.slowest:.2f} s, {time.perf_counter() - begun:.0f} s in all\n"
    )
    for line in outcome.failures:
        sys.stdout.write(line + "\n")
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main())
