"""Each kind of bad file: one clear line that names the place."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hiddencauses import Table, read_table
from hiddencauses.data.writers import write_table
from hiddencauses.errors import InputError

TABLE = Table.from_array(
    np.tile([[0.0, 1.0, np.nan], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]], (27, 1)), columns=["a", "b", "c"]
)


def refusal(folder: Path, name: str, data: bytes | None, **options: object) -> str:
    path = folder / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_table(path, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message.removeprefix(str(path)).lstrip(":, ")


TEXT = {
    "empty": (b"", "is empty; a table has a header"),
    "only blank lines": (b"\n\n\r\n", "is empty; a table has a header"),
    "only a mark": (b"\xef\xbb\xbf", "is empty; a table has a header"),
    "header only": (b"a,b\n", "the table has no rows"),
    "short row": (b"a,b\n1,0\n\n1\n", "row 2: has 1 cell where the header has 2; every row is as long"),
    "long row": (b"a,b\n1,0\n1,0,1\n", "row 2: has 3 cells where the header has 2"),
    "R's row names": (b"a,b\nu,1,0\nv,1,1\n", "the header must have a name for it too"),
    "same name twice": (b"a,b,a\n1,0,1\n", "'a' is the name of 2 columns (the first two are 1 and 3)"),
    "no header": (b"0,1,1\n1,0,1\n", "put a line of names above it"),
    "unnamed": (b"a,,b\n1,0,1\n", "column 2 has no name"),
    "not a cell": (b"a,b\n1,0\n1,maybe\n", "row 2, column 'b': 'maybe' is not a yes/no value; cells are 0/1"),
    "a number": (b"a,b\n1,0\n1,17.5\n", "--carry b"),
    "ids": (b"id,b\nu1,0\nv1,1\nw1,1\n", "row 1, column 'id': 'u1' is not a yes/no value"),
    "the last of many": (b"a,b\n" + b"1,0\n" * 70_000 + b"1,2\n", "row 70001, column 'b': '2'"),
    "UTF-16": ("a,b\n1,0\n".encode("utf-16"), "is UTF-16 text; text tables are UTF-8; save it as UTF-8"),
    "UTF-16 without mark": ("a,b\n1,0\n".encode("utf-16-le"), "is UTF-16LE text"),
    "UTF-32": ("a,b\n1,0\n".encode("utf-32"), "is UTF-32 text"),
    "Latin-1": (b"a,b\n1,0\n1,n\xe4\n", "line 3 holds the byte 0xE4, which is not UTF-8"),
    "Latin-1 far down": (b"a,b\n" + b"1,0\n" * 900_000 + b"\xe4,0\n", "line 900002 holds the byte 0xE4"),
    "zero byte": (b"a,b\n1,0\n1,\0\n", "line 3 holds a zero byte, so this is not plain text"),
    "an open quote": (b'a,b\n1,0\n1,"0\n1,0\n', "is not a yes/no value"),
    "junk": (bytes(range(256)) * 10, "holds a zero byte"),
    "Parquet": (b"PAR1\x15\x04\x15\0\0", "looks like a Parquet file"),
    "Excel": (b"PK\x03\x04\x14\0\0", "looks like a zip, Excel or npz file"),
}


@pytest.mark.parametrize("kind", list(TEXT))
def test_bad_text(tmp_path: Path, kind: str) -> None:
    data, said = TEXT[kind]
    assert said in refusal(tmp_path, "t.csv", data)
    assert said in refusal(tmp_path, "t.csv.gz", gzip.compress(data))


def test_too_wide_a_header_and_too_long_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hiddencauses.data.readers.header.HEADER_LIMIT", 1 << 20)
    assert "the first line is longer than 1 MB" in refusal(tmp_path, "t.csv", b"ab" * (1 << 22))
    assert "200,001 variables" in refusal(tmp_path, "t.csv", b"," * 200_000 + b"\n1\n")
    assert "a row is longer than" in refusal(tmp_path, "t.csv", b'a,b\n1,"' + b"0\n" * (1 << 22))


def test_no_file_a_folder_and_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(tmp_path, "t.csv", None) == "no such file; check the path"
    (tmp_path / "d.csv").mkdir()
    assert refusal(tmp_path, "d.csv", None) == "is a folder, not a file; give the file in it"

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="may not be read by you; check its permissions"):
        read_table(tmp_path / "p.csv")


def test_a_web_address_is_told_apart() -> None:
    with pytest.raises(InputError, match="download it first"):
        read_table("https://example.org/t.csv")


def test_damaged_compression(tmp_path: Path) -> None:
    whole = gzip.compress(b"a,b\n" + np.random.default_rng(0).bytes(30_000).hex(",").encode())
    assert "the compressed data end early" in refusal(tmp_path, "t.csv.gz", whole[: len(whole) // 2])
    assert "the compressed data are damaged" in refusal(
        tmp_path, "t.csv.gz", whole[:500] + b"?" * 9 + whole[509:]
    )
    assert "is not gzip-compressed although its name ends in .gz" in refusal(
        tmp_path, "t.csv.gz", b"a,b\n1,0\n"
    )
    assert "compressed twice" in refusal(tmp_path, "t.csv.gz", gzip.compress(whole))
    assert "is not gzip-compressed" in refusal(tmp_path, "t.mtx.gz", b"%%MatrixMarket")


@pytest.mark.parametrize("ending", ["parquet", "feather", "npz", "npy", "mtx", "xlsx", "dta", "sav"])
@pytest.mark.parametrize("damage", ["cut", "empty", "other", "header"])
def test_truncated_and_foreign_files(tmp_path: Path, ending: str, damage: str) -> None:
    whole = sound(tmp_path, ending)
    data = {"cut": whole[: len(whole) * 2 // 3], "empty": b"", "other": b"a,b\n1,0\n", "header": whole[:16]}[
        damage
    ]
    said = refusal(tmp_path, f"bad.{ending}", data)
    assert "cannot be read as a" in said
    assert "copy or download it again" in said


def sound(folder: Path, ending: str) -> bytes:
    path = folder / f"sound.{ending}"
    frame = pd.DataFrame(TABLE.to_array(), columns=list(TABLE.columns))
    if ending == "npy":
        np.save(path, TABLE.to_array())
    elif ending == "mtx":
        path.write_text("%%MatrixMarket matrix array real general\n3 3\n" + "1\n0\nnan\n0\n1\n1\n1\n0\n0\n")
    elif ending == "xlsx":
        frame.to_excel(path, index=False)
    elif ending in ("dta", "sav"):
        import pyreadstat

        (pyreadstat.write_dta if ending == "dta" else pyreadstat.write_sav)(frame, path)
    else:
        write_table(TABLE, path)
    read_table(path)
    return path.read_bytes()


def test_ids_must_be_there_and_differ(tmp_path: Path) -> None:
    data = b"who,a\nu,1\nv,0\nu,1\n"
    said = refusal(tmp_path, "t.csv", data, id_column="who")
    assert said == (
        "'u' is the id of 2 rows (the first two are 1 and 3); row ids must differ; "
        "make them unique, or carry the column along instead"
    )
    assert "row 2: the row has no id" in refusal(tmp_path, "t.csv", b"who,a\nu,1\n,0\n", id_column="who")


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    data = b"patient,fever,cough\nu,1,0\n"
    said = refusal(tmp_path, "t.csv", data, id_column="pateint")
    assert said == "there is no column 'pateint'; did you mean 'patient'?"
    said = refusal(tmp_path, "t.csv", data, carry=["zzz"])
    assert said == "there is no column 'zzz'; the columns are 'patient', 'fever', 'cough'"
    assert "one role" in refusal(tmp_path, "t.csv", data, id_column="patient", carry=["patient"])


def test_only_ids_leave_no_variables(tmp_path: Path) -> None:
    assert "the table has no variables" in refusal(tmp_path, "t.csv", b"who\nu\n", id_column="who")


def test_a_delimiter_for_a_file_without_one(tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / "t.parquet")
    assert "only text tables have one" in refusal(tmp_path, "t.parquet", None, delimiter=";")
