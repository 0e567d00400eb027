from __future__ import annotations

import gzip
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hiddencauses import Table, read_table
from hiddencauses.data.readers import open_raw
from hiddencauses.errors import InputError, UserError

pytestmark = pytest.mark.filterwarnings("ignore::hiddencauses.errors.HiddenCausesWarning")


def read(folder: Path, text: str | bytes, name: str = "t.csv", **options: object) -> Table:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_table(path, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("gz", [False, True])
def test_any_delimiter_line_end_mark_and_compression(
    tmp_path: Path, mark: str, end: str, bom: str, gz: bool
) -> None:
    text = (
        bom + end.join(mark.join(row) for row in (("a", "b"), ("1", "NA"), ("no", "True"), ("", " y "))) + end
    )
    data = gzip.compress(text.encode()) if gz else text.encode()
    table = read(tmp_path, data, "t.csv.gz" if gz else "t.csv")
    assert table.columns == ("a", "b")
    assert table.codes().tolist() == [[1, -1], [0, 1], [-1, 1]]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ('"a,b";c', ("a,b", "c")),
        ('"a;b","c;d"', ("a;b", "c;d")),
        ('"a\nb",c', ("a\nb", "c")),
        ('"say ""x""",c', ('say "x"', "c")),
        ('5" pipe,c', ('5" pipe', "c")),
        ("=1+1,ö ä", ("=1+1", "ö ä")),
        ("a b\tc;d", ("a b", "c;d")),
    ],
)
def test_a_quoted_or_odd_header_does_not_mislead(tmp_path: Path, header: str, names: tuple[str, ...]) -> None:
    mark = next(mark for mark in "\t,;" if mark in header.replace('"a,b"', "").replace('"c;d"', ""))
    table = read(tmp_path, f"{header}\n1{mark}0\n0{mark}1\n")
    assert table.columns == names
    assert table.codes().tolist() == [[1, 0], [0, 1]]


def test_a_delimiter_can_be_given(tmp_path: Path) -> None:
    assert read(tmp_path, "a,x:b\n1:0\n", delimiter=":").columns == ("a,x", "b")
    assert read(tmp_path, "a b\n1 0\n", delimiter="space").columns == ("a", "b")
    assert read(tmp_path, "a\tb\n1\t0\n", delimiter="tab").columns == ("a", "b")
    for wrong in ("", ",,", '"', "\n", "§", 3):
        with pytest.raises(UserError, match="must be one plain character"):
            read(tmp_path, "a\n1\n", delimiter=wrong)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("x\n1\n0", [1, 0]),
        ("x\n1\n0\n", [1, 0]),
        ("x\n1\n0\n\n", [1, 0]),
        ("x\n1\n\n0\n\n", [1, -1, 0]),
        ("x\n1\n\n\n", [1, -1]),
        ("x\r\n1\r\n\r\n0\r\n\r\n", [1, -1, 0]),
        ('x\n1\n""\n', [1, -1]),
        ("x\n\n1\n", [-1, 1]),
        ("\n\nx\n1\n", [1]),
    ],
)
def test_in_one_column_a_blank_line_is_a_missing_cell_but_not_a_last_one(
    tmp_path: Path, text: str, cells: list[int]
) -> None:
    assert read(tmp_path, text).codes()[:, 0].tolist() == cells


def test_blank_lines_among_several_columns_are_passed_over(tmp_path: Path) -> None:
    assert read(tmp_path, "a,b\n\n1,0\n\n0,1\n\n\n").shape == (2, 2)


def test_a_first_column_without_a_name_holds_row_ids(tmp_path: Path) -> None:
    table = read(tmp_path, ",a,b\nu,1,0\nv,0,1\n")
    assert (table.columns, table.row_ids) == (("a", "b"), ("u", "v"))
    table = read(tmp_path, '"","a","who"\n0,1,u\n1,0,v\n', id_column="who")
    assert (table.columns, table.row_ids) == (("a",), ("u", "v"))


def test_ids_keep_blanks_zeros_and_quotes(tmp_path: Path) -> None:
    assert read(tmp_path, 'id,a\n 007,1\n"x,""y",0\n', id_column="id").row_ids == (" 007", 'x,"y')


def test_a_long_table_and_a_wide_one_come_whole(tmp_path: Path) -> None:
    cells = np.random.default_rng(1).integers(0, 2, (200_000, 3))
    lines = io.BytesIO()
    np.savetxt(lines, cells, fmt="%d", delimiter=",", header="a,b,c", comments="")
    assert np.array_equal(read(tmp_path, lines.getvalue()).codes(), cells)
    wide = cells[:9, :1].repeat(20_000, axis=1)
    text = "\n".join(",".join(row) for row in [[f"v{i}" for i in range(20_000)], *wide.astype(str).tolist()])
    assert np.array_equal(read(tmp_path, text).codes(), wide)


def test_the_path_may_be_standard_input_or_a_pipe(tmp_path: Path) -> None:
    program = "from hiddencauses import read_table; assert repr(read_table('-')) == " + repr(
        "Table(2 rows × 2 variables, source='standard input')"
    )
    subprocess.run([sys.executable, "-c", program], input=b"a,b\n1,0\n0,1\n", check=True)


def test_the_raw_stream_gives_text(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("id,grade\nu,+2\nv,\n")
    raw = open_raw(tmp_path / "r.csv")
    assert raw.columns == ("id", "grade")
    assert [batch.to_pydict() for batch in raw.batches] == [{"id": ["u", "v"], "grade": ["+2", ""]}]


def test_other_endings_need_a_format(tmp_path: Path) -> None:
    assert read(tmp_path, "a\n1\n", "t.data", format="text").shape == (1, 1)
    with pytest.raises(InputError, match=r"unknown ending '\.data'; known endings are \.csv"):
        read(tmp_path, "a\n1\n", "t.data")
    with pytest.raises(InputError, match="has no ending"):
        read(tmp_path, "a\n1\n", "t")
