"""Drafts: what is guessed, what is left to the user, and that a draft can be applied."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddencauses.data.encoding import apply_encoding, draft_encoding, parse_encoding
from hiddencauses.errors import InputError
from tests.data.raw_sources import text_source, typed_source


def drafted(values, name="sign"):
    """Return the section that the draft gives a column."""
    text = draft_encoding(text_source({name: values}))
    return parse_encoding(text).to_dict()["columns"][name], text


@pytest.mark.parametrize(
    ("values", "section"),
    [
        (["yes", "No", "", "NA"], {"kind": "binary"}),
        (["1", "0", "1.0"], {"kind": "binary"}),
        (["0", "0"], {"kind": "binary"}),
        (["positive", "negative"], {"kind": "binary", "yes": ["positive"], "no": ["negative"]}),
        (["yes", "no", "unknown", "?"], {"kind": "binary", "missing": ["unknown", "?"]}),
        (["left", "none", "Both", "R"], {"kind": "sided"}),
        (["l", "r", "n"], {"kind": "sided"}),
        (["severe", "none", "mild"], {"kind": "graded", "levels": ["none", "mild", "severe"]}),
        (["mild", "severe"], {"kind": "graded", "levels": ["none", "mild", "severe"]}),
        (["0", "1+", "2+"], {"kind": "graded", "levels": ["0", "1+", "2+"]}),
        (["3", "0", "1", "2"], {"kind": "graded", "levels": ["0", "1", "2", "3"]}),
        (["140", "150", "120", "130", "135"], {"kind": "numeric", "thresholds": [135]}),
        (["1", "1", "1", "3", "5"], {"kind": "numeric", "thresholds": [3]}),
        (["a", "b", "a", "b", "a"], {"kind": "category", "levels": ["a", "b"], "reference": "a"}),
        (["a", "b", "c"] * 2, {"kind": "category", "levels": ["a", "b", "c"]}),
        (["a;b", "b;c", "a"], {"kind": "category", "levels": ["a", "b", "c"], "separator": ";"}),
        (["2021-03-04", "2021-03-05"], {"kind": "drop"}),
        (["4 May 2020", "12 Jun 2021"], {"kind": "drop"}),
        (["he came late and was not seen by anyone at all today"] * 3, {"kind": "drop"}),
        ([f"code{i}" for i in range(30)], {"kind": "drop"}),
        (["5,2", "6,1", "7,25"], {"kind": "drop"}),
        (["", "NA"], {"kind": "drop"}),
    ],
)
def test_guesses(values, section):
    assert drafted(values)[0] == section


@pytest.mark.parametrize(
    ("values", "offered"),
    [
        (["0", "1", "2"], 'kind = "binary"  missing = ["2"]'),
        (["0", "1", "2"], 'kind = "graded"  levels = ["0", "1", "2"]'),
        (["1", "2"], 'kind = "binary"  yes = ["1"]  no = ["2"]'),
        (["0", "1", "9"], 'kind = "binary"  missing = ["9"]'),
        (["0", "1", "2", "3", "9"], 'kind = "graded"  levels = ["0", "1", "2", "3"]  missing = ["9"]'),
        (["140", "130", "120", "999"], 'kind = "numeric"  thresholds = [130]  missing = ["999"]'),
        (["14", "13", "12", "-1"], 'kind = "numeric"  thresholds = [13]  missing = ["-1"]'),
        (["14", "13", "12", "high"], 'missing = ["high"]'),
        (["x", "", ""], 'kind = "binary"  yes = ["x"]  no = [""]'),
        (["yes", ""], 'kind = "binary"  yes = ["yes"]  no = [""]'),
    ],
)
def test_codes_that_only_the_user_knows_are_left_undecided(values, offered):
    section, text = drafted(values)
    assert section == {"kind": "undecided"}
    assert offered in text


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("patient", ["a", "b"], "id"),
        ("patient", ["a", "a"], "carry"),
        ("Age", ["61", "72"], "carry"),
        ("sex", ["0", "1"], "carry"),
        ("count", ["4", "1"], "undecided"),
    ],
)
def test_names_tell_what_is_no_sign(name, values, kind):
    assert drafted(values, name)[0]["kind"] == kind


def test_only_one_column_names_the_rows():
    text = draft_encoding(text_source({"patient_id": ["a", "b"], "record": ["1", "2"], "x": [0, 1]}))
    assert parse_encoding(text).of_kind("id") == ("patient_id",)


def test_the_draft_shows_what_was_seen_and_survives_odd_names():
    names = ["a.b", 'quo"te', "new\nline", "#", "é", "[x]"]
    text = draft_encoding(text_source({name: ["yes", "no", "ye\ts"] for name in names}, name="odd\nname.csv"))
    assert tuple(parse_encoding(text).columns) == tuple(names)
    assert "3 rows; values 'yes' (1)" in text


def test_typed_columns_are_drafted():
    import datetime

    columns = {
        "when": [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)],
        "flag": [True, None],
        "parts": [[1], [2]],
        "kind": pa.array(["left", "right"]).dictionary_encode(),
    }
    encoding = parse_encoding(draft_encoding(typed_source(columns)))
    assert [rule.kind for rule in encoding.columns.values()] == ["drop", "undecided", "drop", "sided"]


def test_many_values_are_counted_up_to_a_bound():
    values = [str(i / 7) for i in range(5000)]
    section, text = drafted(values)
    assert section["kind"] == "numeric"
    assert "more than 2000 different values" in text


def test_empty_tables_are_refused():
    with pytest.raises(InputError, match="no rows"):
        draft_encoding(text_source({"x": []}))


POOLS = (
    ["yes", "no", "Y", "n", "1", "0", "", "NA"],
    ["left", "right", "both", "none", "L", "r", ""],
    ["none", "mild", "Moderate", "severe", "very severe", "", "unknown", "-"],
    ["0", "1", "2", "3", "9", "99", "-1", ""],
    ["120", "135.5", "140", "999", "1e3", "-7", "NA", "", "<5"],
    ["north", "South", "east", "a;b", "b;c", "a|b", "x, y", ""],
    ["2020-01-02", "3/4/2020", "x", "", "20200102"],
    ["x", "", "✓", "word " * 12],
)
column = st.one_of([st.lists(st.sampled_from(pool), min_size=12, max_size=12) for pool in POOLS]) | st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6),
    min_size=12,
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["age", "id", "a", "a_left", "a=x", "count", "b", "not_a"]), column, min_size=1
    )
)
def test_a_draft_parses_and_applies_to_the_table_it_was_drafted_from(columns):
    text = draft_encoding(text_source(columns))
    encoding = parse_encoding(text)
    assert tuple(encoding.columns) == tuple(columns)
    assert parse_encoding(encoding.to_toml()) == encoding
    if encoding.of_kind("undecided") or not encoding.variables():
        return
    made = apply_encoding(text_source(columns, rows_per_batch=5), encoding, drop_unexpressed=False)
    assert made.table.shape == (12, len(encoding.variables()))
