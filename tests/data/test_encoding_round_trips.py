"""Round trips: encodings through TOML and JSON, tables through text, and mappings to new data."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddencauses.data.encoding import (
    Binary,
    Carry,
    Category,
    Drop,
    Encoding,
    FittedEncoding,
    Graded,
    Id,
    Numeric,
    Sided,
    apply_encoding,
    parse_encoding,
    read_encoding,
)
from hiddencauses.data.encoding.words import code_key, looks_like_date
from hiddencauses.errors import InputError, UserError
from tests.data.raw_sources import text_source

NA = -1

code = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
    .map(str.strip)
    .filter(lambda s: s and "\n" not in s and not looks_like_date(s))
)
codes = st.lists(code, min_size=4, max_size=8, unique_by=code_key)
name = st.none() | code


@st.composite
def rules(draw):
    words = draw(codes)
    kind = draw(st.sampled_from(["binary", "graded", "sided", "category", "numeric", "carry", "drop"]))
    missing = words[3:]
    if kind == "binary":
        return Binary(
            yes=words[:1], no=words[1:3], reverse=draw(st.booleans()), name=draw(name), missing=missing
        )
    if kind == "graded":
        thresholds = draw(st.sampled_from([True, False, tuple(words[1:2])]))
        return Graded(levels=words[:3], thresholds=thresholds, reverse=draw(st.booleans()), missing=missing)
    if kind == "sided":
        return Sided(
            left=words[:1], right=words[1:2], both=[], none=words[2:3], missing=missing, name=draw(name)
        )
    if kind == "category":
        return Category(levels=words[:3], reference=draw(st.none() | st.just(words[0])), missing=missing)
    if kind == "numeric":
        numbers = st.floats(-1e9, 1e9) | st.integers(-1000, 1000)
        return Numeric(
            thresholds=draw(st.lists(numbers, min_size=1, max_size=3, unique=True)), missing=missing
        )
    return Carry(name=draw(name), missing=missing) if kind == "carry" else Drop()


@st.composite
def encodings(draw):
    columns = draw(st.dictionaries(code, rules(), min_size=1, max_size=4))
    try:
        return Encoding(
            columns, missing=draw(codes), others=draw(st.sampled_from(["refuse", "drop", "binary"]))
        )
    except UserError:  # two columns that would get one name
        return Encoding({"x": Binary()})


@settings(max_examples=150, deadline=None)
@given(encodings())
def test_encodings_survive_toml_json_and_pickle(encoding):
    assert parse_encoding(encoding.to_toml()) == encoding
    assert Encoding.from_dict(encoding.to_dict(in_full=True)) == encoding
    assert pickle.loads(pickle.dumps(encoding)) == encoding
    variables = encoding.variables()
    if variables:
        fitted = FittedEncoding(encoding, variables, (), "raw.csv", 3)
        assert FittedEncoding.from_json(fitted.to_json()) == fitted


cells = st.lists(st.tuples(*[st.sampled_from([0, 1, NA])] * 4), min_size=1, max_size=80)


@settings(max_examples=80, deadline=None)
@given(cells, st.integers(1, 30))
def test_cells_written_as_raw_values_come_back(rows, rows_per_batch):
    """Spell each cell as raw codes; encoding gives the cells back, however the rows come in batches."""
    answers = {1: "Yes", 0: "absent", NA: ""}
    sides = {(0, 0): "none", (1, 0): "left", (0, 1): "right", (1, 1): "BOTH"}
    columns = {
        "plain": [answers[row[0]] for row in rows],
        "turned": [answers[row[1] if row[1] == NA else 1 - row[1]] for row in rows],
        "sided": [sides.get((row[2], row[3]), "not seen") for row in rows],
    }
    encoding = Encoding(
        {"sided": Sided(missing=["not seen"]), "turned": Binary(reverse=True, name="t"), "plain": Binary()}
    )
    made = apply_encoding(
        text_source(columns, rows_per_batch=rows_per_batch), encoding, drop_unexpressed=False
    )
    known = [(row[2], row[3]) if NA not in row[2:] else (NA, NA) for row in rows]
    expected = [[*side, row[1], row[0]] for row, side in zip(rows, known, strict=True)]
    np.testing.assert_array_equal(made.table.codes(), expected)


def signs():
    """Give 38 raw signs of 50 patients, 18 sided and some graded, like the paper's: 42 of 56 occur."""
    rng = np.random.default_rng(2006)
    columns = {"patient": [f"p{i}" for i in range(50)]}
    sections = ['[columns.patient]\nkind = "id"']
    for i in range(18):
        # Six sided signs are never seen on the right, one never at all.
        words = (
            ["none", "none", "left"] if i < 6 else ["none"] if i == 6 else ["none", "left", "right", "both"]
        )
        columns[f"sided{i}"] = [*words, *rng.choice(words, 50 - len(words))]
        sections.append(f'[columns.sided{i}]\nkind = "sided"')
    for i in range(8):
        words = ["none", "mild", "severe"] if i > 1 else ["none"]
        columns[f"graded{i}"] = [*words, *rng.choice(words, 50 - len(words))]
        sections.append(f'[columns.graded{i}]\nkind = "graded"\nlevels = ["none", "mild", "severe"]')
    for i in range(12):
        words = ["yes", "no"] if i > 3 else ["no"]
        columns[f"plain{i}"] = [*words, *rng.choice(words, 50 - len(words))]
        sections.append(f'[columns.plain{i}]\nkind = "binary"')
    return columns, "\n".join(sections)


def test_thirty_eight_signs_make_fifty_six_variables_of_which_forty_two_occur():
    columns, text = signs()
    made = apply_encoding(text_source(columns), parse_encoding(text, "signs.toml"))
    assert (made.report.raw_columns - 1, made.report.made, len(made.report.kept)) == (38, 56, 42)
    assert made.table.shape == (50, 42)
    assert "sided0_right" in made.report.dropped
    assert "never expressed (14)" in made.report.lines()[1]
    assert (made.table.ones_per_column() > 0).all()


def test_a_fitted_encoding_gives_new_data_the_same_columns():
    columns, text = signs()
    fitted = apply_encoding(text_source(columns), parse_encoding(text)).fitted
    fitted = FittedEncoding.from_json(fitted.to_json(), "signs.csv.encoding.json")
    new = {key: values[:3] for key, values in reversed(columns.items())}
    new["sided0"] = ["right", "none", "none"]
    del new["plain0"]  # never expressed, so nothing that was kept comes from it
    made = apply_encoding(text_source(new), fitted)
    assert made.table.columns == fitted.kept
    assert made.report.newly_expressed == ("sided0_right",)
    assert any("expressed here" in line for line in made.report.lines())
    assert made.fitted == fitted
    del new["plain9"]
    with pytest.raises(InputError, match="'plain9': is in the encoding but not in the table"):
        apply_encoding(text_source(new), fitted)
    with pytest.raises(InputError, match=r"'trace' is not a value.*recode it"):
        apply_encoding(text_source({**new, "plain9": ["no"] * 3, "graded5": ["trace"] * 3}), fitted)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "x"}, "not a saved encoding"),
        ({"kept": ["b"]}, "not the variables"),
        ({"kept": []}, "not the variables"),
        ({"kept": 3}, "list of names"),
        ({"rows": 0}, "at least 1"),
        ({"encoding": 3}, "there are no columns"),
        ({"more": 1}, "unknown key"),
    ],
)
def test_a_damaged_mapping_is_refused(change, said):
    import json

    fitted = FittedEncoding(Encoding({"a": Binary(), "i": Id()}), ("a",), (), "raw.csv", 3)
    with pytest.raises(UserError, match=said):
        FittedEncoding.from_json(json.dumps({**fitted.to_dict(), **change}), "m.json")
    with pytest.raises(UserError, match="is not JSON"):
        FittedEncoding.from_json("{", "m.json")


def test_encoding_files(tmp_path):
    path = tmp_path / "e.toml"
    with pytest.raises(UserError, match="no such file; draft one"):
        read_encoding(path)
    with pytest.raises(UserError, match="is a folder"):
        read_encoding(tmp_path)
    path.write_bytes('[columns.é]\nkind = "binary"'.encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8"):
        read_encoding(path)
    path.write_bytes(b"\xef\xbb\xbf[columns.x]\nkind = 'binary'")
    assert read_encoding(path) == Encoding({"x": Binary()})
