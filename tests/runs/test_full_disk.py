"""A full disk ends a run with one clear line and loses nothing: with room again it goes on as before.

Three ways: "no space left" injected at every write in turn (at every seventh here, at all of them if marked
long); the system's limit on the size of a file (RLIMIT_FSIZE) for `posterior.nc`, which the HDF5 library
writes; and, marked long, a small file system that is really full, where one can be mounted.
"""

import errno
import pathlib
import subprocess

import pytest

from hiddencauses import Run
from hiddencauses.errors import DiskSpaceWarning, OutputError, RunStoppedError
from tests.runs.small_runs import contents, save_always, small_run

SHORT = {"warmup": 1, "draws": 2, "chains": 1}


class CountedWrites:
    """Lets a number of writes pass, and then has no space left, as long as it is told so."""

    def __init__(self):
        self.left, self.done, self.failed = None, 0, 0

    def opened(self, path, mode="r", *rest, **options):
        stream = open_before(path, mode, *rest, **options)
        return _Counted(stream, self) if "x" in mode else stream

    def write(self, stream, data):
        if self.left is not None and self.done >= self.left:
            self.failed += 1
            stream.write(bytes(data)[:3])
            raise OSError(errno.ENOSPC, "No space left on device")
        self.done += 1
        return stream.write(data)


class _Counted:
    def __init__(self, stream, writes):
        self._stream, self._writes = stream, writes

    def write(self, data):
        return self._writes.write(self._stream, data)

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stream.close()


open_before = pathlib.Path.open


@pytest.fixture(name="writes")
def _writes(monkeypatch):
    writes = CountedWrites()
    monkeypatch.setattr(pathlib.Path, "open", lambda path, *a, **k: writes.opened(path, *a, **k))
    return writes


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
def test_no_space_at_every_write_in_turn(tmp_path, monkeypatch, writes, step):
    save_always(monkeypatch)
    small_run(tmp_path / "whole", **SHORT).wait()
    total, expected = writes.done, contents(tmp_path / "whole")
    ended = {"before": 0, "after": 0}
    for left in range(0, total, step):
        folder = tmp_path / f"run{left}"
        writes.left, writes.done, writes.failed = left, 0, 0
        try:
            small_run(folder, **SHORT).wait()
        except RunStoppedError as error:
            ended["after"] += 1
            assert "no space left on device" in str(error)
            assert f"continue with hiddencauses resume {folder}" in str(error)
        except OutputError as error:
            ended["before"] += 1
            assert "space left on device" in str(error)
            assert not folder.exists()
            assert not list(tmp_path.glob(f".{folder.name}.*"))
        assert writes.failed
        writes.left = None
        if folder.exists():
            assert not list(folder.rglob("*.part"))
            Run.open(folder).resume().wait()
            assert contents(folder) == expected
    assert total > 60
    assert min(ended.values()) >= 10 // step
    print(f"{len(range(0, total, step))} of {total} writes failed in turn: {ended}")  # noqa: T201


def test_a_posterior_that_cannot_be_written(tmp_path):
    resource = pytest.importorskip("resource")
    whole = small_run(tmp_path / "whole").wait().folder
    expected, size = contents(whole), (whole / "posterior.nc").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in range(9_000, size, (size - 9_000) // 12):
        folder = tmp_path / f"run{limit}"
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            with pytest.raises(RunStoppedError, match=r"posterior\.nc cannot be written: file too large"):
                small_run(folder).wait()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        run = Run.open(folder)
        assert run.n_draws == 30
        assert not run.finished
        assert not list(folder.glob("*.nc"))
        run.resume().wait()
        assert contents(folder) == expected


@pytest.mark.long
def test_a_disk_that_is_really_full(tmp_path, monkeypatch):
    save_always(monkeypatch)
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "none", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        with pytest.warns(DiskSpaceWarning):
            run = small_run(disk / "run", draws=3000)
        with pytest.raises(RunStoppedError, match="no space left on device"):
            run.wait()
        kept = run.n_draws
        assert kept > 5
        with pytest.raises(RunStoppedError, match="no space left on device"):
            Run.open(run.folder).resume().wait()
        subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
        goal = Run.open(run.folder).n_draws + 50
        Run.open(run.folder).resume(draws=goal).wait()
        small_run(tmp_path / "whole", draws=goal).wait()
        assert contents(run.folder) == contents(tmp_path / "whole")
    finally:
        subprocess.run(["umount", str(disk)], check=False)
