"""Formats other than text, and tables in memory."""

from __future__ import annotations

import gzip
import importlib
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr
from pyarrow import feather, parquet
from scipy import io as scipy_io
from scipy import sparse

from hiddencauses import Table, read_table
from hiddencauses.data.readers import open_raw
from hiddencauses.errors import InputError, MissingExtraError

NAN = np.nan
CELLS = np.array([[1, 0, NAN], [0, 1, 1], [1, 1, 0], [0, 0, 1]])
CODES = np.where(np.isnan(CELLS), -1, CELLS).astype(int).tolist()
WHOLE = np.array([[1, 0], [0, 1], [1, 1]])
FRAME = pd.DataFrame(CELLS, columns=["a", "b", "c"])


# -- data frames -----------------------------------------------------------------------------------

FRAMES = {
    "pandas": FRAME,
    "pandas nullable": FRAME.astype("Int8"),
    "pandas nullable boolean": FRAME.astype("boolean"),
    "pandas words": FRAME.map({1.0: "yes", 0.0: "No"}.get),
    "pandas mixed objects": FRAME.map({1.0: True, 0.0: "no"}.get).astype(object),
    "pandas categorical": FRAME.map({1.0: "y", 0.0: "n"}.get).astype("category"),
    "pandas arrow": FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.from_pandas(FRAME),
    "polars words": pl.from_pandas(FRAME.map({1.0: "t", 0.0: "f"}.get)),
    "polars lazy": pl.from_pandas(FRAME).lazy(),
    "pyarrow": pa.Table.from_pandas(FRAME),
    "pyarrow batch": pa.RecordBatch.from_pandas(FRAME),
}


@pytest.mark.parametrize("kind", list(FRAMES))
def test_data_frames(kind: str) -> None:
    table = read_table(FRAMES[kind])
    assert (table.columns, table.row_ids, table.source) == (("a", "b", "c"), None, "table")
    assert table.codes().tolist() == CODES


def test_a_pandas_index_names_the_rows() -> None:
    frame = FRAME.set_axis(list("wxyz"), axis=0)
    assert read_table(frame).row_ids == ("w", "x", "y", "z")
    assert read_table(frame.rename_axis("who")).row_ids == ("w", "x", "y", "z")
    assert read_table(FRAME.iloc[[3, 1]].drop(columns="c").assign(a=[0, 1])).row_ids == ("3", "1")
    assert read_table(frame.assign(other=[4, 3, 2, 1]), id_column="other").row_ids == ("4", "3", "2", "1")
    with pytest.raises(InputError, match=r"has an index of 2 levels; .*reset_index"):
        read_table(FRAME.set_index([["u"] * 4, list("wxyz")]))
    with pytest.raises(InputError, match="'w' is the id of 2 rows"):
        read_table(FRAME.set_axis(list("wwyz"), axis=0))


def test_columns_of_a_frame_need_not_be_words_but_must_differ() -> None:
    assert read_table(pd.DataFrame(WHOLE)).columns == ("0", "1")
    with pytest.raises(InputError, match="'a' is the name of 2 columns"):
        read_table(pd.DataFrame(WHOLE, columns=["a", "a"]))


def test_a_frame_with_something_else_in_it_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match=r"table, row 3, column 'b': 'x' is not a yes/no value"):
        read_table(FRAME.astype(object).set_axis(["a", "c", "b"], axis=1).replace({"b": {0: "x"}}))
    with pytest.raises(InputError, match=r"row 1, column 'd': datetime"):
        read_table(FRAME.assign(d=pd.Timestamp("2020-01-01")))


def test_carried_columns_of_a_frame_keep_their_type() -> None:
    frame = FRAME.assign(code=["1", "2", "3", None], born=pd.Timestamp("2020-01-01"))
    carried = read_table(frame, carry=["code", "born"]).carried
    assert carried is not None
    assert carried.column("code").to_pylist() == ["1", "2", "3", None]
    assert pa.types.is_timestamp(carried.column("born").type)


# -- arrays ----------------------------------------------------------------------------------------

ARRAYS = {
    "float": CELLS,
    "float32, other byte order": CELLS.astype(">f4"),
    "half": CELLS.astype(np.float16),
    "long double": CELLS.astype(np.longdouble),
    "fortran": np.asfortranarray(CELLS),
    "objects": FRAME.map({1.0: "yes", 0.0: 0}.get).to_numpy(dtype=object),
    "words": np.array([["1", "0", ""], ["f", "T", "y"], ["y", "1", "n"], ["no", "0", "true"]]),
    "masked": np.ma.masked_invalid(CELLS),
    "masked integers": np.ma.masked_array(np.nan_to_num(CELLS).astype(int), mask=np.isnan(CELLS)),
    "matrix": np.lib.stride_tricks.as_strided(CELLS, CELLS.shape, CELLS.strides),
}


@pytest.mark.parametrize("kind", list(ARRAYS))
def test_arrays(kind: str) -> None:
    table = read_table(ARRAYS[kind])
    assert table.columns == ("x1", "x2", "x3")
    assert table.codes().tolist() == CODES


def test_other_numbers_and_shapes_are_refused() -> None:
    assert read_table(WHOLE.astype(bool)).codes().tolist() == WHOLE.tolist()
    with pytest.raises(InputError, match="row 2, column 'x1': 2 is not a yes/no value"):
        read_table(WHOLE * [[1, 1], [1, 1], [1, 1]] + [[0, 0], [2, 0], [0, 0]])
    with pytest.raises(InputError, match="the array has 1 dimension; a table is rows × columns"):
        read_table(np.zeros(3))
    with pytest.raises(InputError, match="the array holds complex128"):
        read_table(WHOLE.astype(complex))
    with pytest.raises(InputError, match="the table has no rows"):
        read_table(np.empty((0, 3)))
    with pytest.raises(InputError, match="the array has 1 dimension"):
        read_table([[0, 1], [0]])
    with pytest.raises(InputError, match="a int is not a table"):
        read_table(1)


def test_rows_in_lists() -> None:
    assert read_table([["yes", "no"], [0, 1], [1, None]]).codes().tolist() == [[1, 0], [0, 1], [1, -1]]


def test_numpy_files(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", CELLS)
    np.savez(tmp_path / "one.npz", CELLS)
    np.savez(tmp_path / "named.npz", table=CELLS, other=np.zeros(9))
    for name in ("a.npy", "one.npz", "named.npz"):
        assert read_table(tmp_path / name).codes().tolist() == CODES
    np.savez(tmp_path / "two.npz", u=CELLS, v=CELLS)
    with pytest.raises(InputError, match=r"has 2 arrays \('u', 'v'\); the table is the array named 'table'"):
        read_table(tmp_path / "two.npz")
    np.save(tmp_path / "o.npy", np.array([[1, "x"]], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="cannot be read as a NumPy array"):
        read_table(tmp_path / "o.npy")


@pytest.mark.filterwarnings("ignore::hiddencauses.errors.HiddenCausesWarning")
def test_xarray() -> None:
    array = xr.DataArray(WHOLE, dims=("who", "what"), coords={"who": list("uvw"), "what": ["a", "b"]})
    table = read_table(array)
    assert (table.row_ids, table.columns) == (("u", "v", "w"), ("a", "b"))
    assert read_table(xr.DataArray(WHOLE)).columns == ("x1", "x2")
    with pytest.raises(InputError, match=r"is an xarray Dataset.*pass one of its arrays"):
        read_table(array.to_dataset(name="t"))
    with pytest.raises(InputError, match="the array has 1 dimension"):
        read_table(array[0])


# -- sparse ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"])
@pytest.mark.parametrize("container", [sparse.coo_matrix, sparse.coo_array])
def test_sparse_matrices(layout: str, container: type) -> None:
    assert read_table(container(WHOLE).asformat(layout)).codes().tolist() == WHOLE.tolist()


def test_sparse_entries_may_be_zero_or_missing_but_not_twice() -> None:
    matrix = sparse.coo_array(([1.0, 0.0, NAN, 1.0], ([0, 0, 1, 2], [0, 1, 0, 1])), shape=(3, 2))
    assert read_table(matrix).codes().tolist() == [[1, 0], [-1, 0], [0, 1]]
    with pytest.raises(InputError, match="row 1, column 'x2': has two entries; a cell is given once"):
        read_table(sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(2, 2)))
    with pytest.raises(InputError, match=r"row 2, column 'x1': 3.0 is not a yes/no value"):
        read_table(sparse.csr_array([[0, 1.0], [3.0, 0]]))


@pytest.mark.parametrize("kind", [">i4", ">f8", np.longdouble, np.bool_])
def test_sparse_values_of_any_kind_of_number(kind: object) -> None:
    matrix = sparse.coo_array(WHOLE)
    matrix.data = matrix.data.astype(kind)  # type: ignore[call-overload]
    assert read_table(matrix).codes().tolist() == WHOLE.tolist()


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_sparse_archives(tmp_path: Path, layout: str) -> None:
    sparse.save_npz(tmp_path / "s.npz", sparse.coo_array(WHOLE).asformat(layout))
    assert read_table(tmp_path / "s.npz").codes().tolist() == WHOLE.tolist()


def test_matrix_market(tmp_path: Path) -> None:
    data = io.BytesIO()
    scipy_io.mmwrite(data, sparse.coo_array(WHOLE), comment="a comment\n of two lines")
    (tmp_path / "s.mtx").write_bytes(data.getvalue())
    (tmp_path / "s.mtx.gz").write_bytes(gzip.compress(data.getvalue()))
    assert read_table(tmp_path / "s.mtx").codes().tolist() == WHOLE.tolist()
    assert read_table(tmp_path / "s.mtx.gz").codes().tolist() == WHOLE.tolist()


@pytest.mark.filterwarnings("ignore::hiddencauses.errors.HiddenCausesWarning")
@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("matrix array real general\n2 3\n1\n0\n0\n1\nnan\n 1 \n", [[1, 0, -1], [0, 1, 1]]),
        ("MATRIX ARRAY integer symmetric\n% note\n\n2 2\n1\n0\n1\n", [[1, 0], [0, 1]]),
        ("matrix array real symmetric\n3 3\n1\n0\n1\n0\n1\n0\n", [[1, 0, 1], [0, 0, 1], [1, 1, 0]]),
        ("matrix coordinate pattern general\r\n2 2 1\r\n  2   1\r\n", [[0, 0], [1, 0]]),
        ("matrix coordinate real symmetric\n2 2 2\n2 1 1e0\n2 2 NaN\n", [[0, 1], [1, -1]]),
        ("matrix coordinate pattern general\n1 2 0\n", [[0, 0]]),
    ],
)
def test_matrix_market_in_all_its_forms(tmp_path: Path, text: str, cells: list[list[int]]) -> None:
    (tmp_path / "m.mtx").write_bytes(b"%%MatrixMarket " + text.encode())
    assert read_table(tmp_path / "m.mtx").codes().tolist() == cells


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("matrix coordinate complex general\n1 1 1\n1 1 1 0\n", "it holds complex numbers"),
        ("matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n", "it is skew-symmetric"),
        ("matrix coordinate pattern general\n2 2 2\n1 1\n", "it holds 1 entries where 2 are announced"),
        ("matrix coordinate pattern general\n2 2 1\n3 1\n", "an entry lies outside the size announced"),
        ("matrix coordinate pattern general\n2 2 1\n0 1\n", "an entry lies outside the size announced"),
        ("matrix array real general\n2 2\n1\n0\n", "it holds 2 values where 4 are announced"),
        (
            "matrix array real general\n100000 100000\n1\n",
            "it holds 1 values where 10000000000 are announced",
        ),
        ("matrix coordinate real general\n2 2 1\n1 1 x\n", "cannot be read as a Matrix Market file"),
        ("matrix coordinate pattern general\n9 999999999 0\n", "999,999,999 variables"),
        ("matrix coordinate pattern general\n999999999 9 0\n", "the table would have 999,999,999 rows"),
        ("vector coordinate\n", "its first line is not"),
    ],
)
def test_bad_matrix_market(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "m.mtx").write_bytes(b"%%MatrixMarket " + text.encode())
    with pytest.raises(InputError, match=said):
        read_table(tmp_path / "m.mtx")


# -- columnar files --------------------------------------------------------------------------------


def test_parquet_and_feather_of_other_programs(tmp_path: Path) -> None:
    words = FRAME.map({1.0: "yes", 0.0: "no"}.get).set_axis(list("wxyz"), axis=0)
    words.to_parquet(tmp_path / "t.parquet", row_group_size=2)
    feather.write_feather(pa.Table.from_pandas(words), str(tmp_path / "t.feather"), chunksize=2)
    with pa.OSFile(str(tmp_path / "t.ipc"), "wb") as sink:
        table = pa.Table.from_pandas(words)
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    for name in ("t.parquet", "t.feather", "t.ipc"):
        read = read_table(tmp_path / name)
        assert read.codes().tolist() == CODES
        assert (read.columns, read.row_ids) == (("a", "b", "c"), ("w", "x", "y", "z"))


def test_parquet_comes_in_batches(tmp_path: Path) -> None:
    cells = np.random.default_rng(0).integers(0, 2, (200_000, 2))
    parquet.write_table(pa.table({"a": cells[:, 0], "b": cells[:, 1]}), tmp_path / "t.parquet")
    assert max(batch.num_rows for batch in open_raw(tmp_path / "t.parquet").batches) <= 1 << 16
    assert np.array_equal(read_table(tmp_path / "t.parquet").codes(), cells)


# -- spreadsheets and statistics packages ----------------------------------------------------------


def test_excel(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": [101, 102, 103], "a": [1, None, 0], "b": ["yes", True, False]})
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        frame.to_excel(book, index=False, startrow=2, sheet_name="data")
        frame.to_excel(book, sheet_name="other")
    table = read_table(tmp_path / "t.xlsx", id_column="id")
    assert (table.row_ids, table.columns) == (("101", "102", "103"), ("a", "b"))
    assert table.codes().tolist() == [[1, 1], [-1, 1], [0, 0]]
    pd.DataFrame().to_excel(tmp_path / "e.xlsx", index=False)
    with pytest.raises(InputError, match="the first sheet is empty"):
        read_table(tmp_path / "e.xlsx")


def test_stata_and_spss(tmp_path: Path) -> None:
    import pyreadstat

    frame = FRAME.assign(who=["u", "v", "w", "x"])
    pyreadstat.write_dta(frame, tmp_path / "t.dta")
    pyreadstat.write_sav(frame, tmp_path / "t.sav")
    for name in ("t.dta", "t.sav"):
        table = read_table(tmp_path / name, id_column="who")
        assert table.row_ids == ("u", "v", "w", "x")
        assert table.codes().tolist() == CODES


def test_a_header_that_announces_absurdly_many_rows_is_refused_at_once(tmp_path: Path) -> None:
    import pyreadstat

    pyreadstat.write_sav(FRAME, tmp_path / "t.sav")
    data = bytearray((tmp_path / "t.sav").read_bytes())
    data[80:84] = (2**28).to_bytes(4, "little")  # the number of rows in the header
    (tmp_path / "t.sav").write_bytes(data)
    with pytest.raises(InputError, match="its header announces 268435456 rows; the file is too short"):
        read_table(tmp_path / "t.sav")


@pytest.mark.parametrize("how", [{}, {"row_compress": True}, {"compress": True}])
def test_every_compression_of_spss_and_a_header_without_a_row_count(
    tmp_path: Path, how: dict[str, bool]
) -> None:
    import pyreadstat

    cells = np.zeros((20_000, 3))
    cells[0] = 1
    pyreadstat.write_sav(pd.DataFrame(cells, columns=["a", "b", "c"]), tmp_path / "t.sav", **how)
    assert np.array_equal(read_table(tmp_path / "t.sav").codes(), cells)
    data = bytearray((tmp_path / "t.sav").read_bytes())
    data[80:84] = b"\xff" * 4  # −1: not known, as programs that stream write it
    (tmp_path / "t.sav").write_bytes(data)
    assert np.array_equal(read_table(tmp_path / "t.sav").codes(), cells)


@pytest.mark.parametrize("ending", ["xlsx", "dta", "sav"])
def test_a_missing_extra_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    (tmp_path / f"t.{ending}").write_bytes(b"x")
    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(MissingExtraError, match=r"install it with: pip install 'hiddencauses\[formats\]'"):
        read_table(tmp_path / f"t.{ending}")


def test_reading_text_imports_no_other_library(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,0\n0,1\n")
    program = (
        "import sys; from hiddencauses import read_table; read_table(sys.argv[1]); "
        "found = {'pandas', 'polars', 'scipy', 'xarray', 'narwhals'} & set(sys.modules); "
        "assert not found, found"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path / "t.csv"], check=True)


def test_a_table_comes_back_as_it_is() -> None:
    table = Table.from_array(CELLS)
    assert read_table(table) is table
