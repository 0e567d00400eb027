"""Compiled code on disk: never older than its source, never needed."""

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import caching

import hiddencauses
from hiddencauses import compiled, compiled_cache
from hiddencauses.compiled import compiled_door

PACKAGE = Path(hiddencauses.__file__).parent

LEAF = """
from hiddencauses.compiled import compiled

@compiled
def leaf(x):
    return x + {number}
"""
DOOR = """
from hiddencauses.compiled import compiled_door
from leaf import leaf

@compiled_door
def door(x):
    return leaf(x)

print(door(1), sum(door.stats.cache_hits.values()))
"""
#: The same with numba's own cache.
PLAIN_LEAF = "import numba\n\n@numba.njit\ndef leaf(x):\n    return x + {number}\n"
PLAIN_DOOR = DOOR.replace(
    "from hiddencauses.compiled import compiled_door", "from numba import njit"
).replace("@compiled_door", "@njit(cache=True)")


def run(folder, script, *, command=(), **environment):
    """Run a script, warnings being errors, and return the words it prints; None takes a variable away."""
    settings = os.environ | {"NUMBA_CACHE_DIR": str(Path(folder) / "cache")} | environment
    done = subprocess.run(
        [*command, sys.executable, "-W", "error", str(script)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={name: value for name, value in settings.items() if value is not None},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def cached_files(folder):
    return sorted(path.name for path in (folder / "cache").rglob("*.nb[ic]"))


@pytest.fixture(name="program")
def _program(tmp_path):
    """A folder with a door and, in another file, the function that it calls."""
    (tmp_path / "leaf.py").write_text(LEAF.format(number=1))
    (tmp_path / "door.py").write_text(DOOR)
    return tmp_path


def test_the_second_start_compiles_nothing(program):
    assert run(program, program / "door.py") == ["2", "0"]
    assert run(program, program / "door.py") == ["2", "1"]


def test_only_doors_are_kept_on_disk(program):
    # what fails first when a numba has other parts: see compiled_parts.py
    assert compiled.PartCompiler is not None
    run(program, program / "door.py")
    assert {name.partition(".")[0] for name in cached_files(program)} == {"door"}


def test_parts_compile_without_the_shortcut(program):
    whole = "import sys\nsys.modules['hiddencauses.compiled_parts'] = None\nimport door\n"
    (program / "main.py").write_text(whole)
    assert run(program, program / "main.py") == ["2", "0"]


def test_a_change_in_another_file_is_noticed_and_the_old_code_dropped(program):
    assert run(program, program / "door.py") == ["2", "0"]
    old = cached_files(program)
    (program / "leaf.py").write_text(LEAF.format(number=10))
    assert run(program, program / "door.py") == ["11", "0"]
    assert run(program, program / "door.py") == ["11", "1"]
    assert len(cached_files(program)) == len(old)
    assert not set(cached_files(program)) & set(old)


def test_numba_itself_would_run_the_old_code(tmp_path):
    # why there is a cache of our own; when this fails it can go
    (tmp_path / "leaf.py").write_text(PLAIN_LEAF.format(number=1))
    (tmp_path / "door.py").write_text(PLAIN_DOOR)
    module = "import door"
    (tmp_path / "main.py").write_text(module)
    assert run(tmp_path, tmp_path / "main.py") == ["2", "0"]
    (tmp_path / "leaf.py").write_text(PLAIN_LEAF.format(number=10))
    assert run(tmp_path, tmp_path / "main.py") == ["2", "1"]


def test_a_changed_kernel_is_noticed(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "hiddencauses", ignore=shutil.ignore_patterns("__pycache__"))
    door = tmp_path / "elsewhere" / "door.py"
    door.parent.mkdir()
    door.write_text(
        "import numpy as np\n"
        "from hiddencauses.compiled import compiled_door\n"
        "from hiddencauses.kernels.streams import open_stream, uniform\n"
        "@compiled_door\n"
        "def first(seed):\n"
        "    return uniform(open_stream(seed, 0, 0, 0, 0))\n"
        "print(first(np.uint64(1)), sum(first.stats.cache_hits.values()))\n"
    )
    before = run(tmp_path, door, PYTHONPATH=str(tmp_path))
    assert run(tmp_path, door, PYTHONPATH=str(tmp_path)) == [before[0], "1"]
    kernel = tmp_path / "hiddencauses" / "kernels" / "streams.py"
    text = kernel.read_text()
    assert "0x9E3779B97F4A7C15" in text
    kernel.write_text(text.replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"))
    after = run(tmp_path, door, PYTHONPATH=str(tmp_path))
    assert after[0] != before[0]
    assert after[1] == "0"


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_files_that_were_cut_off_are_compiled_anew(program, kind):
    run(program, program / "door.py")
    for path in (program / "cache").rglob(f"*.{kind}"):
        path.write_bytes(b"")
    assert run(program, program / "door.py")[0] == "2"
    assert run(program, program / "door.py") == ["2", "1"]


def door_in(folder):
    """A freshly defined door whose source lies in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "made.py").write_text("def made(x):\n    return x + 1\n")
    spec = importlib.util.spec_from_file_location("made", folder / "made.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return compiled_door(module.made)


def test_a_full_disk_is_no_error(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "_save_data", full)
    assert door_in(tmp_path / "source")(1) == 2


def test_a_cache_that_cannot_be_read_is_no_error(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))

    def denied(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(caching.IndexDataCacheFile, "_load_index", denied)
    assert door_in(tmp_path / "source")(1) == 2


def test_nothing_is_cached_without_a_source(tmp_path):
    made = {}
    exec(compile("def made(x):\n    return x\n", str(tmp_path / "gone" / "made.py"), "exec"), made)
    assert compiled_cache.cache_of(made["made"]) is None
    assert compiled_door(made["made"])(3) == 3


def test_another_numba_is_no_error(monkeypatch):
    def other(_):
        raise AttributeError("no such part")

    monkeypatch.setattr(compiled_cache, "_Cache", other)
    assert compiled_cache.cache_of(other) is None


def without_rights():
    """A command under which even the superuser cannot write where permissions forbid it."""
    if os.name != "posix":
        pytest.skip("permissions of folders are those of POSIX")
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("the superuser can write everywhere, and setpriv is not there to prevent it")
    command = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
    if subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        pytest.skip("the superuser can write everywhere, and may not give that right up here")
    return command


def test_read_only_package_and_no_writable_cache(tmp_path):
    command = without_rights()
    home = tmp_path / "library"
    shutil.copytree(PACKAGE, home / "hiddencauses", ignore=shutil.ignore_patterns("__pycache__"))
    script = tmp_path / "work" / "use.py"
    script.parent.mkdir()
    script.write_text(
        "import tempfile\n"
        "from pathlib import Path\n"
        "import numpy as np\n"
        "import hiddencauses\n"
        "try:\n"
        "    tempfile.TemporaryFile(dir=Path(hiddencauses.__file__).parent).close()\n"
        "except PermissionError:\n"
        "    pass\n"
        "else:\n"
        "    raise SystemExit('the package folder can be written, so this would prove nothing')\n"
        "cells = np.array([[1, 0], [1, 1], [0, 1]])\n"
        "found = hiddencauses.sample(cells, draws=3, warmup=2, chains=1, seed=1)\n"
        "print(hiddencauses.__file__, found.log_joint.shape, np.isfinite(found.log_joint).all())\n"
    )
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        # "~" stands for the home folder of somebody who has none
        out = run(
            script.parent,
            script,
            command=command,
            NUMBA_CACHE_DIR=None,
            XDG_CACHE_HOME=None,
            HOME="~",
            PYTHONPATH=str(home),
        )
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert out == [str(home / "hiddencauses" / "__init__.py"), "(1,", "3)", "True"]
    assert [path.name for path in script.parent.iterdir()] == ["use.py"]
    assert not list(home.rglob("*.nb[ic]"))
