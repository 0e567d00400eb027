"""What each kind of column makes of its values, by hand-worked cases."""

import numpy as np
import pyarrow as pa
import pytest

from hiddencauses.data.encoding import Encoding, apply_encoding, parse_encoding
from hiddencauses.errors import InputError, UserError
from tests.data.raw_sources import text_source, typed_source

NA = -1


def encoded(values, section, *, head="", **options):
    encoding = parse_encoding(
        f'{head}\n[columns.x]\n{section}\n[columns.always]\nkind = "binary"\n', "e.toml"
    )
    source = text_source({"x": values, "always": [1] * len(values)})
    table = apply_encoding(source, encoding, **options).table
    names = table.columns[:-1]
    return names, table.codes()[:, :-1].T.tolist()


@pytest.mark.parametrize(
    ("section", "values", "names", "cells"),
    [
        ('kind = "binary"', ["Yes", " no ", "1.0", "absent", "", "NA"], ("x",), [[1, 0, 1, 0, NA, NA]]),
        ('kind = "binary"\nyes = [1]\nno = [2]\nmissing = [9]', [1, 2, 9, 1], ("x",), [[1, 0, NA, 1]]),
        ('kind = "binary"\nreverse = true', ["yes", "no", ""], ("not_x",), [[0, 1, NA]]),
        ('kind = "binary"\nreverse = true\nname = "lame"', ["yes", "no"], ("lame",), [[0, 1]]),
        ('kind = "binary"\nyes = ["x"]\nno = [""]', ["x", "", "X", "NA"], ("x",), [[1, 0, 1, NA]]),
        (
            'kind = "graded"\nlevels = ["none", "mild", "severe"]',
            ["None", "mild", "severe", ""],
            ("x",),
            [[0, 1, 1, NA]],
        ),
        (
            'kind = "graded"\nlevels = ["none", "mild", "severe"]\nthresholds = true',
            ["none", "mild", "severe", ""],
            ("x>=mild", "x>=severe"),
            [[0, 1, 1, NA], [0, 0, 1, NA]],
        ),
        (
            'kind = "graded"\nlevels = [0, 1, 2, 3]\nthresholds = [2]\nreverse = true',
            [0, 1, 2, 3],
            ("x<2",),
            [[1, 1, 0, 0]],
        ),
        (
            'kind = "sided"',
            ["left", "R", "both", "none", "", "Bilateral"],
            ("x_left", "x_right"),
            [[1, 0, 1, 0, NA, 1], [0, 1, 1, 0, NA, 1]],
        ),
        (
            'kind = "category"\nlevels = ["north", "south"]',
            ["north", "South", ""],
            ("x=north", "x=south"),
            [[1, 0, NA], [0, 1, NA]],
        ),
        (
            'kind = "category"\nlevels = ["m", "f"]\nreference = "m"',
            ["m", "f", "f"],
            ("x=f",),
            [[0, 1, 1]],
        ),
        (
            'kind = "category"\nlevels = ["cough", "fever"]\nseparator = ";"\nnone = [""]',
            ["cough; fever", "fever", "", "cough;"],
            ("x=cough", "x=fever"),
            [[1, 0, 0, 1], [1, 1, 0, 0]],
        ),
        (
            'kind = "numeric"\nthresholds = [160, 140.5]\nmissing = [999]',
            ["140", "140.5", "200", "999", "", "999.0"],
            ("x>=140.5", "x>=160"),
            [[0, 1, 1, NA, NA, NA], [0, 0, 1, NA, NA, NA]],
        ),
        ('kind = "numeric"\nthresholds = 4\nreverse = true', ["3", "4"], ("x<4",), [[1, 0]]),
    ],
)
def test_kinds(section, values, names, cells):
    assert encoded(values, section, drop_unexpressed=False) == (names, cells)


def test_codes_for_missing_hold_in_every_column_unless_a_column_lists_them():
    head = 'missing = ["", "9"]'
    assert encoded(["1", "0", "9"], 'kind = "binary"', head=head)[1] == [[1, 0, NA]]
    assert encoded(["0", "3", "9"], 'kind = "graded"\nlevels = [0, 3, 9]', head=head)[1] == [[0, 1, 1]]
    assert encoded(["5", "12", "9"], 'kind = "numeric"\nthresholds = [7]', head=head)[1] == [[0, 1, NA]]


def test_typed_columns_read_like_text():
    columns = {
        "flag": pa.array([True, False, None]),
        "grade": pa.array([0.0, 2.0, float("nan")]),
        "side": pa.array(["left", "none", None]).dictionary_encode(),
        "size": pa.array([1, 5, None], pa.int16()),
    }
    encoding = parse_encoding(
        '[columns.flag]\nkind="binary"\n[columns.grade]\nkind="graded"\nlevels=[0,1,2]\n'
        '[columns.side]\nkind="sided"\n[columns.size]\nkind="numeric"\nthresholds=[3]\n'
    )
    table = apply_encoding(typed_source(columns), encoding).table
    assert table.columns == ("flag", "grade", "side_left", "size>=3")
    np.testing.assert_array_equal(table.codes(), [[1, 0, 1, 0], [0, 1, 0, 1], [NA, NA, NA, NA]])


def test_ids_counts_and_carried_columns():
    encoding = parse_encoding(
        '[columns.p]\nkind="id"\n[columns.n]\nkind="count"\n[columns.age]\nkind="carry"\nmissing=[999]\nname="years"\n'
        '[columns.x]\nkind="binary"\n[columns.note]\nkind="drop"'
    )
    source = text_source(
        {"note": ["a", "b"], "x": [1, 0], "p": ["u", "v"], "age": [61, 999], "n": [1, 2]}, rows_per_batch=1
    )
    made = apply_encoding(source, encoding)
    assert made.table.row_ids == ("u", "v.1", "v.2")
    assert made.table.codes().ravel().tolist() == [1, 0, 0]
    assert made.table.carried.to_pydict() == {"years": [61, None, None]}
    assert made.report.left_out == ("note",)


@pytest.mark.parametrize(
    ("others", "columns"), [("drop", ("x",)), ("binary", ("x", "y")), ("carry", ("x",)), ("refuse", None)]
)
def test_columns_without_a_section(others, columns):
    encoding = parse_encoding(f'others = "{others}"\n[columns.x]\nkind = "binary"')
    source = text_source({"y": [1, 0], "x": [1, 1]})
    if columns is None:
        with pytest.raises(InputError, match=r"raw.csv, column 'y': is not in the encoding"):
            apply_encoding(source, encoding)
        return
    table = apply_encoding(source, encoding).table
    assert table.columns == columns
    assert (table.carried is not None) == (others == "carry")


@pytest.mark.parametrize(
    ("value", "section", "said"),
    [
        ("2", 'kind = "binary"', "row 3, column 'x': '2' is not a value that kind 'binary' knows"),
        ("maybe", 'kind = "graded"\nlevels = ["no", "yes"]', "add it to levels or missing"),
        ("up", 'kind = "sided"', "add it to left, right, both, none or missing"),
        ("east", 'kind = "category"\nlevels = ["no", "yes"]', "levels are 'no', 'yes'"),
        ("5,2", 'kind = "numeric"\nthresholds = [1]', "numbers with a decimal point"),
        ("2021-03-04", 'kind = "binary"', "'2021-03-04' is a date; dates cannot be encoded"),
        ("he was seen in the clinic and told to come back soon", 'kind = "binary"', "is free text"),
    ],
)
def test_unknown_values_are_refused_with_place_and_way_out(value, section, said):
    known = "5" if "numeric" in section else "none" if "sided" in section else "no"
    encoding = parse_encoding(f"[columns.x]\n{section}", "e.toml")
    with pytest.raises(InputError) as caught:
        apply_encoding(text_source({"x": [known, "NA", value]}, rows_per_batch=2), encoding)
    assert said in str(caught.value)
    assert str(caught.value).startswith("raw.csv, row 3, column 'x'")
    assert "\n" not in str(caught.value)


def test_dates_of_a_typed_column_are_refused():
    import datetime

    encoding = parse_encoding('[columns.x]\nkind = "numeric"\nthresholds = [1]')
    with pytest.raises(InputError, match="is a date"):
        apply_encoding(typed_source({"x": [datetime.date(2020, 1, 2)]}), encoding)


def test_lists_are_refused():
    encoding = parse_encoding('[columns.x]\nkind = "binary"')
    with pytest.raises(InputError, match="not single values"):
        apply_encoding(typed_source({"x": [[1], [0]]}), encoding)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("columns = 3", "there are no columns"),
        ("[columns]", "there are no columns"),
        ("[columns.x", "is not TOML"),
        ('[columns.x]\nkind = "binary"\n[columns.x]\nkind = "drop"', "twice"),
        ('[columns.x]\nkind = "grded"', "kind is 'grded'; choose one of binary, graded"),
        ('[columns.x]\nkind = ["binary"]', "choose one of binary"),
        ("[columns.x]\nyes = [1]", "kind is missing"),
        ('[columns.x]\nkind = "binary"\nlevels = [1]', "unknown key 'levels'"),
        ('colums = 3\n[columns.x]\nkind = "binary"', "unknown key 'colums'"),
        ('schema = "other"\n[columns.x]\nkind = "binary"', "this version reads"),
        ('others = "keep"\n[columns.x]\nkind = "binary"', "others is 'keep'"),
        ('[columns]\nx = "binary"', "not a section"),
        ('[columns.a.b]\nkind = "binary"', "in quotes"),
        ('[columns.x]\nkind = "graded"', "levels is missing"),
        ('[columns.x]\nkind = "graded"\nlevels = "none"', "it must be a list"),
        ('[columns.x]\nkind = "graded"\nlevels = ["none"]', "at least 2"),
        ('[columns.x]\nkind = "graded"\nlevels = ["none", "mild", "Mild "]', "'Mild' twice"),
        (
            '[columns.x]\nkind = "graded"\nlevels = ["a", "b"]\nthresholds = ["a"]',
            "a threshold is one of the levels",
        ),
        ('[columns.x]\nkind = "graded"\nlevels = ["a", ""]', "the empty cell"),
        (
            '[columns.x]\nkind = "graded"\nlevels = ["a", "b"]\nmissing = ["B"]',
            "listed under levels and under missing",
        ),
        ('[columns.x]\nkind = "binary"\nyes = ["no"]', "listed under yes and under no"),
        ('[columns.x]\nkind = "binary"\nreverse = 1', "must be true or false"),
        ('[columns.x]\nkind = "binary"\nyes = ["2021-03-04"]', "dates cannot be encoded"),
        ('[columns.x]\nkind = "binary"\nyes = [2021-03-04]', "dates cannot be encoded"),
        (f'[columns.x]\nkind = "category"\nlevels = ["{"word " * 20}"]', "free text cannot be encoded"),
        (f'[columns.x]\nkind = "category"\nlevels = {list(range(200))}', "more than 100"),
        ('[columns.x]\nkind = "category"\nlevels = ["a", ""]', 'none = [""]'),
        ('[columns.x]\nkind = "category"\nlevels = ["a"]\nreference = "b"', "choose one of the levels"),
        ('[columns.x]\nkind = "category"\nlevels = ["a"]\nreference = "a"', "the only level"),
        ('[columns.x]\nkind = "category"\nlevels = ["a;b"]\nseparator = ";"', "holds the separator"),
        ('[columns.x]\nkind = "numeric"', "thresholds is missing"),
        ('[columns.x]\nkind = "numeric"\nthresholds = ["140"]', "give a number"),
        ('[columns.x]\nkind = "numeric"\nthresholds = [nan]', "give a number"),
        ('[columns.x]\nkind = "numeric"\nthresholds = [true]', "give a number"),
        ('[columns.x]\nkind = "numeric"\nthresholds = []', "at least one"),
        ('[columns.x]\nkind = "numeric"\nthresholds = [1, 1.0]', "none twice"),
        ('[columns.x]\nkind = "binary"\nname = ""', "not blank"),
        ('[columns.x]\nkind = "id"\n[columns.y]\nkind = "id"', "both of kind"),
        (
            '[columns.x]\nkind = "binary"\n[columns.y]\nkind = "binary"\nname = "x"',
            "would be the name of 2 columns",
        ),
        ('missing = ["a", "A"]\n[columns.x]\nkind = "binary"', "twice"),
    ],
)
def test_malformed_encodings_are_refused_in_one_line(text, said):
    with pytest.raises(UserError) as caught:
        parse_encoding(text, "e.toml")
    assert said in str(caught.value)
    assert str(caught.value).startswith("e.toml")
    assert "\n" not in str(caught.value)


def test_column_missing_from_the_table_names_the_nearest():
    encoding = parse_encoding('[columns.fevr]\nkind = "binary"\n[columns.x]\nkind = "binary"', "e.toml")
    with pytest.raises(InputError, match=r"raw.csv, column 'fevr': is in the encoding.*is it 'fever'"):
        apply_encoding(text_source({"fever": [1], "x": [1]}), encoding)


def test_undecided_columns_are_refused_all_at_once():
    encoding = parse_encoding('[columns.a]\nkind="undecided"\n[columns.b]\nkind="undecided"', "e.toml")
    with pytest.raises(InputError, match="2 columns are undecided: 'a', 'b'"):
        apply_encoding(text_source({"a": [1], "b": [1]}), encoding)


def test_an_encoding_without_variables_is_refused():
    encoding = Encoding.from_dict({"columns": {"a": {"kind": "drop"}}})
    with pytest.raises(InputError, match="no column makes a variable"):
        apply_encoding(text_source({"a": [1]}), encoding)


def test_nothing_expressed_is_refused():
    encoding = parse_encoding('[columns.a]\nkind="binary"')
    with pytest.raises(InputError, match="none of the 1 variables is 1 in any row"):
        apply_encoding(text_source({"a": [0, 0]}), encoding)
    assert apply_encoding(text_source({"a": [0, 0]}), encoding, drop_unexpressed=False).table.shape == (2, 1)
