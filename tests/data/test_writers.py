"""Whatever is written reads back as it was, and appears whole or not at all."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hiddencauses import Table, read_table
from hiddencauses.data.writers import write_table
from hiddencauses.errors import OutputError
from hiddencauses.files import atomic_write

pytestmark = pytest.mark.filterwarnings("ignore::hiddencauses.errors.HiddenCausesWarning")

ENDINGS = ["csv", "tsv", "txt", "csv.gz", "parquet", "feather", "npz"]
ODD = [
    "a,b",
    'say "x"',
    "two\nlines",
    "a\r\nb",
    "\r",
    "=1+1",
    " ",
    "NA",
    "ö 😀",
    "a;b",
    "\t",
    "|",
    "\ufeffx",
    "'",
    "PAR1",
    "0",
]
names = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
)
names = names.filter(lambda name: bool(name.strip()))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    n_rows, n_columns = draw(st.integers(1, 70)), draw(st.integers(1, 4))
    seed, gaps = draw(st.integers(0, 999)), draw(st.sampled_from([0.0, 0.3, 1.0]))
    random = np.random.default_rng(seed)
    cells = np.where(
        random.random((n_rows, n_columns)) < gaps, np.nan, random.integers(0, 2, (n_rows, n_columns))
    )
    columns = draw(st.lists(names, min_size=n_columns, max_size=n_columns, unique=True))
    ids = None
    if draw(st.booleans()):
        odd = draw(st.lists(names, max_size=5, unique=True))[:n_rows]
        ids = [*odd, *(f"row {i}" for i in range(n_rows - len(odd)))]
    return Table.from_array(cells, columns=columns, row_ids=ids)


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=tables())
@example(table=Table.from_array([[np.nan]], columns=["x"]))
@example(table=Table.from_array([[1.0], [np.nan]], columns=["a;b"]))
def test_a_table_reads_back_the_same(ending: str, table: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        again = read_table(write_table(table, Path(folder) / f"t.{ending}"))
    assert (again.columns, again.row_ids) == (table.columns, table.row_ids)
    assert again.fingerprint() == table.fingerprint()


CARRIED = pa.table(
    {
        "age": pa.array([3, None, 5]),
        "dose": pa.array([0.1, 2.0, None]),
        "site": pa.array(["a,b", None, 'q"\n']),
        "code": pa.array(["007", "1", "2"]),
        "row_id": pa.array([9, 8, 7]),
    }
)


def with_carried(carried: pa.Table = CARRIED) -> Table:
    table = Table.from_array([[1, 0], [0, 1], [1, 1]], columns=["x", "y"], row_ids=["u", "v", "w"])
    return Table(table.ones, None, 3, table.columns, table.row_ids, carried)


@pytest.mark.parametrize("ending", ENDINGS)
def test_carried_columns_read_back_the_same(tmp_path: Path, ending: str) -> None:
    path = write_table(with_carried(), tmp_path / f"t.{ending}")
    text = ending.startswith(("csv", "tsv", "txt"))
    again = read_table(path, carry=CARRIED.column_names if text else ())
    assert again.fingerprint() == with_carried().fingerprint()
    assert again.carried is not None
    assert again.carried.to_pydict() == CARRIED.to_pydict()
    assert again.carried.schema.types == CARRIED.schema.types


def test_binary_formats_keep_any_type_and_text_says_what_it_cannot(tmp_path: Path) -> None:
    odd = with_carried(
        pa.table(
            {"list": pa.array([[1], None, [2, 3]]), "kind": pa.array(["a", "b", "a"]).dictionary_encode()}
        )
    )
    for ending in ("parquet", "feather", "npz"):
        again = read_table(write_table(odd, tmp_path / f"t.{ending}")).carried
        assert again is not None
        assert again.to_pydict() == {"list": [[1], None, [2, 3]], "kind": ["a", "b", "a"]}
    with pytest.raises(OutputError, match="a carried column cannot be written in this format"):
        write_table(odd, tmp_path / "t.csv")
    assert not list(tmp_path.glob("*csv*"))


def test_equal_tables_make_equal_files(tmp_path: Path) -> None:
    for ending in ENDINGS:
        one, two = (write_table(with_carried(), tmp_path / f"{name}.{ending}") for name in "ab")
        assert one.read_bytes() == two.read_bytes()


def test_text_is_plain(tmp_path: Path) -> None:
    table = Table.from_array([[1, np.nan], [0, 1]], columns=["a", "b"], row_ids=["u", "v"])
    assert write_table(table, tmp_path / "t.csv").read_text() in (
        ",a,b\nu,1,\nv,0,1\n",
        ',a,b\n"u",1,\n"v",0,1\n',
    )


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    table = with_carried()
    write_table(table, tmp_path / "t.csv")
    with pytest.raises(OutputError, match="exists already"):
        write_table(table, tmp_path / "t.csv")
    write_table(table, tmp_path / "t.csv", force=True)
    with pytest.raises(OutputError, match="is not a folder"):
        write_table(table, tmp_path / "none" / "t.csv")
    with pytest.raises(OutputError, match=r"ending that tables are not written in; use one of \.csv"):
        write_table(table, tmp_path / "t.mtx")
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(OutputError, match=r"d\.csv is a folder"):
        write_table(table, tmp_path / "d.csv", force=True)


def test_a_full_disk_is_one_line_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "t.csv").write_text("old")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(
        OutputError, match=r"t\.csv cannot be written: no space left on device; nothing was left"
    ):
        write_table(with_carried(), tmp_path / "t.csv", force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    assert (tmp_path / "t.csv").read_text() == "old"


def test_a_full_device_is_one_line(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no such device here")
    (tmp_path / "t.csv").symlink_to("/dev/full")
    with pytest.raises(OutputError, match="no space left on device"):
        write_table(with_carried(), tmp_path / "t.csv", force=True)


def test_atomic_writing(tmp_path: Path) -> None:
    target = tmp_path / "f"
    with pytest.raises(KeyboardInterrupt), atomic_write(target) as stream:
        stream.write(b"half")
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())
    with atomic_write(target) as stream:
        stream.write(b"one")
        assert not target.exists()
    target.chmod(0o640)
    (tmp_path / "link").symlink_to(target)
    with atomic_write(tmp_path / "link", force=True) as stream:
        stream.write(b"two")
    assert (tmp_path / "link").is_symlink()
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"two", 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f", "link"]
