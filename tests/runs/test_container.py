"""A file that is not whole, not ours or of another version is told from one that is."""

import numpy as np
import pytest

from hiddencauses.errors import DamagedRunError, FormatVersionError, OutputError, UserError
from hiddencauses.runs.container import read_container, write_container

ARRAYS = {
    "words": np.arange(5, dtype=np.uint64),
    "reals": np.array([[0.5, -0.0], [np.inf, 1e-300]]),
    "bits": np.zeros((3, 0), dtype=np.uint8),
    "flags": np.array([[1, -1]], dtype=np.int8),
}


@pytest.fixture(name="path")
def _path(tmp_path):
    path = tmp_path / "file"
    write_container(path, "checkpoint", "run-1", {"sweep": 7}, ARRAYS)
    return path


def test_there_and_back(path):
    values, arrays = read_container(path, "checkpoint", "run-1")
    assert values == {"sweep": 7}
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].shape == array.shape
        assert arrays[name].tobytes() == array.tobytes()
        arrays[name][...] = 0  # a chain goes on in it


def test_some_arrays_only(path):
    assert list(read_container(path, "checkpoint", "run-1", only=["flags"]).arrays) == ["flags"]
    assert read_container(path, "checkpoint", "run-1", only=()).values == {"sweep": 7}


def test_every_single_changed_byte_is_noticed(path):
    whole = path.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 0x41
        path.write_bytes(changed)
        with pytest.raises((DamagedRunError, FormatVersionError)):
            read_container(path, "checkpoint", "run-1")


def test_every_cut_is_noticed(path):
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedRunError if length < 8 or length >= 20 else UserError):
            read_container(path, "checkpoint", "run-1")
    path.write_bytes(whole + b"\0")
    with pytest.raises(DamagedRunError):
        read_container(path, "checkpoint", "run-1")


@pytest.mark.parametrize(
    ("kind", "run", "said"),
    [
        ("checkpoint", "run-2", "is a checkpoint of another run"),
        ("table", "run-1", "is a checkpoint, not a table"),
    ],
)
def test_what_belongs_elsewhere_is_refused(path, kind, run, said):
    with pytest.raises(DamagedRunError, match=said):
        read_container(path, kind, run)


def test_another_version_is_told(path):
    whole = bytearray(path.read_bytes())
    whole[8] = 9
    path.write_bytes(whole)
    with pytest.raises(FormatVersionError, match="has version 9 of the format and this version"):
        read_container(path, "checkpoint", "run-1")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(DamagedRunError, match="nothing is missing"):
        read_container(tmp_path / "nothing", "checkpoint", "run-1")


def test_objects_cannot_be_smuggled_in(path):
    whole = path.read_bytes().replace(b'"<u8"', b'"|O8"')
    path.write_bytes(whole)
    with pytest.raises(DamagedRunError):
        read_container(path, "checkpoint", "run-1")


def test_what_cannot_be_written_leaves_what_was_there(path, monkeypatch):
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="no space left on device"):
        write_container(path, "checkpoint", "run-1", {"sweep": 8}, ARRAYS)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == ["file"]
