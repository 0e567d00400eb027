"""Row ids, carried columns, pattern tables and event lists."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from hiddencauses import Table, read_table
from hiddencauses.errors import AllMissingWarning, ConstantColumnWarning, InputError, UserError

pytestmark = pytest.mark.filterwarnings("ignore::hiddencauses.errors.HiddenCausesWarning")


def read(folder: Path, text: str, **options: object) -> Table:
    (folder / "t.csv").write_text(text)
    return read_table(folder / "t.csv", **options)  # type: ignore[arg-type]


def carried(table: Table) -> dict[str, list[object]]:
    assert table.carried is not None
    return dict(table.carried.to_pydict())


# -- carried columns -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "kind", "values"),
    [
        (["3", "NA", "-14"], pa.int64(), [3, None, -14]),
        (["3", "", "2.5e-3"], pa.float64(), [3.0, None, 0.0025]),
        (["03", "1", "2"], pa.string(), ["03", "1", "2"]),
        (["3", "x", "null"], pa.string(), ["3", "x", None]),
        (["99999999999999999999", "1", ""], pa.string(), ["99999999999999999999", "1", None]),
        (["2020-01-01", " spaced ", "NaN"], pa.string(), ["2020-01-01", " spaced ", None]),
        (["", "NA", "nan"], pa.string(), [None, None, None]),
    ],
)
def test_the_type_of_a_carried_column_is_told_from_its_words(
    tmp_path: Path, words: list[str], kind: pa.DataType, values: list[object]
) -> None:
    lines = "".join(f'{i % 2},"{word}"\n' for i, word in enumerate(words))
    table = read(tmp_path, "a,extra\n" + lines, carry=["extra"])
    assert table.columns == ("a",)
    assert carried(table) == {"extra": values}
    assert table.carried is not None
    assert table.carried.column("extra").type == kind


def test_one_carried_column_may_be_named_alone(tmp_path: Path) -> None:
    assert carried(read(tmp_path, "a,age\n1,3\n", carry="age")) == {"age": [3]}


# -- pattern tables --------------------------------------------------------------------------------


def test_counts_repeat_rows_with_what_belongs_to_them(tmp_path: Path) -> None:
    text = "k,a,b,n,age\nu,1,0,2,4\nv,0,1,0,7\nw,NA,yes,1,\n"
    table = read(tmp_path, text, count_column="n", id_column="k", carry=["age"])
    assert table.codes().tolist() == [[1, 0], [1, 0], [-1, 1]]
    assert table.row_ids == ("u.1", "u.2", "w")
    assert carried(table) == {"age": [4, 4, None]}


def test_many_counts_come_out_in_order(tmp_path: Path) -> None:
    counts = [100_003, 0, 1, 63, 64, 65, 7]
    lines = "".join(f"{i % 2},{(i + 1) % 3 % 2},{count}\n" for i, count in enumerate(counts))
    codes = read(tmp_path, "a,b,n\n" + lines, count_column="n").codes()
    expected = [[i % 2, (i + 1) % 3 % 2] for i, count in enumerate(counts) for _ in range(count)]
    assert codes.tolist() == expected


@pytest.mark.parametrize("count", ["-1", "1.5", "two", "", "NA", "1e3", "9" * 30])
def test_what_is_not_a_count_is_refused(tmp_path: Path, count: str) -> None:
    with pytest.raises(InputError, match=r"row 2, column 'n': .*is not a count; a count is a whole number"):
        read(tmp_path, f"a,n\n1,3\n0,{count}\n", count_column="n")


def test_absurd_totals_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the counts add up to more than 100,000,000 rows; every"):
        read(tmp_path, "a,n\n1,99999999\n0,2\n", count_column="n")
    with pytest.raises(InputError, match="more than 10,000,000 rows with ids or carried columns"):
        read(tmp_path, "a,n,id\n1,10000001,u\n", count_column="n", id_column="id")
    with pytest.raises(InputError, match="the table has no rows"):
        read(tmp_path, "a,n\n1,0\n", count_column="n")


# -- event lists -----------------------------------------------------------------------------------

EVENTS = "id,item,site\np2,fever,x\np1,cough,y\np2,fever,x\np2,ache,x\np3,,z\n"


def test_an_event_list_becomes_rows_and_columns(tmp_path: Path) -> None:
    table = read(tmp_path, EVENTS, layout="events", carry=["site"])
    assert table.row_ids == ("p2", "p1", "p3")
    assert table.columns == ("ache", "cough", "fever")
    assert table.codes().tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0]]
    assert carried(table) == {"site": ["x", "y", "z"]}


def test_the_columns_of_an_event_list_can_be_named(tmp_path: Path) -> None:
    table = read(
        tmp_path, "date,what,who\n1,a,u\n2,b,v\n", layout="events", id_column="who", item_column="what"
    )
    assert (table.row_ids, table.columns) == (("u", "v"), ("a", "b"))
    assert read(tmp_path, "date,what,who\n1,a,u\n", layout="events", item_column="who").row_ids == ("1",)
    assert read(tmp_path, ",who,what\n0,u,a\n1,u,b\n", layout="events").shape == (1, 2)
    assert read(tmp_path, ",what\nu,a\nu,b\n", layout="events").row_ids == ("u",)


def test_a_long_event_list_over_several_batches(tmp_path: Path) -> None:
    pairs = [(f"p{i * 7919 % 1013}", f"e{i * 104729 % 31}") for i in range(60_000)]
    table = read(tmp_path, "id,item\n" + "".join(f"{p},{e}\n" for p, e in pairs), layout="events")
    ids, items, codes = list(dict.fromkeys(p for p, _ in pairs)), sorted({e for _, e in pairs}), table.codes()
    assert (table.row_ids, table.columns) == (tuple(ids), tuple(items))
    assert {(ids[r], items[c]) for r, c in zip(*codes.nonzero(), strict=True)} == set(pairs)


def test_bad_event_lists(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="row 2, column 'id': the id is missing; every event belongs to an id"
    ):
        read(tmp_path, "id,item\nu,a\n,b\n", layout="events")
    with pytest.raises(InputError, match="the id 'u' has both 'x' and 'y'; a carried column says the same"):
        read(tmp_path, "id,item,site\nu,a,x\nu,b,y\n", layout="events", carry=["site"])
    with pytest.raises(InputError, match="has 1 column; an event list has"):
        read(tmp_path, "id\nu\n", layout="events")
    with pytest.raises(InputError, match="the table has no variables"):
        read(tmp_path, "id,item\nu,\n", layout="events")
    with pytest.raises(InputError, match="the table has no rows"):
        read(tmp_path, "id,item\n", layout="events")


def test_options_that_would_do_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="only event lists have one"):
        read(tmp_path, EVENTS, item_column="item")
    with pytest.raises(UserError, match="event lists have none"):
        read(tmp_path, EVENTS, layout="events", count_column="n")
    with pytest.raises(UserError, match="layout is 'wide'; choose one of"):
        read(tmp_path, EVENTS, layout="wide")
    table = Table.from_array([[0, 1]])
    with pytest.raises(UserError, match="any Table, has its row ids"):
        read_table(table, id_column="x")
    with pytest.raises(UserError, match="only files have one"):
        read_table(table.to_array(), delimiter=";")


# -- warnings --------------------------------------------------------------------------------------


def test_constant_columns_are_kept_with_one_warning_or_dropped(tmp_path: Path) -> None:
    text = "a,b,c,d\n1,0,1,0\n1,NA,0,\n"
    with pytest.warns(
        ConstantColumnWarning, match=r"3 of 4 columns \('a', 'b', 'd'\) are constant; kept"
    ) as seen:
        table = read(tmp_path, text)
    assert [Path(warning.filename).name for warning in seen] == [Path(__file__).name]
    assert table.columns == ("a", "b", "c", "d")
    assert read(tmp_path, text, drop_constant=True).columns == ("c",)
    assert read_table(table, drop_constant=True).columns == ("c",)
    with pytest.raises(InputError, match="dropping constant columns leaves none"):
        read(tmp_path, "a,b\n1,0\n1,\n", drop_constant=True)


def test_nothing_known_of_a_row_or_column_is_legal_with_one_warning(tmp_path: Path) -> None:
    with pytest.warns(AllMissingWarning, match="column 'b' is and row '2' is missing in every cell") as seen:
        table = read(tmp_path, "a,b\n1,\n,\n0,NA\n")
    assert len(seen) == 1
    assert table.codes().tolist() == [[1, -1], [-1, -1], [0, -1]]
