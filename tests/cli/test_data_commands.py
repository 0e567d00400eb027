"""`inspect`, `encode` and `datasets`: what they print, where, and what they refuse."""

import json

import pytest

from hiddencauses.cli import main
from hiddencauses.data.readers import read_table

RAW = """patient,age,weakness,speech,fever,seen
p1,61,left,none,yes,2021-03-01
p2,72,both,mild,no,2021-03-02
p3,44,none,severe,unknown,2021-03-03
p4,39,left,none,no,2021-03-04
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raw.csv").write_text(RAW)
    return tmp_path


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def refused(outcome, *words):
    code, out, err = outcome
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    for word in words:
        assert word in err


@pytest.mark.filterwarnings("ignore::hiddencauses.errors.ConstantColumnWarning")
def test_raw_columns_to_a_table_and_to_new_data(folder, run):
    code, out, err = run("inspect", "raw.csv", "--draft", "e.toml")
    assert (code, out) == (0, "")
    assert "wrote e.toml" in err
    code, out, err = run("encode", "raw.csv", "--encoding", "e.toml", "-o", "t.csv")
    assert (code, out) == (0, "")
    assert "6 raw columns made 4 yes/no variables, of which 4 are kept, in 4 rows" in err
    assert "raw columns left out (1): seen" in err
    assert "hiddencauses inspect t.csv --carry age" in err
    table = read_table("t.csv", carry=["age"])
    assert table.columns == ("weakness_left", "weakness_right", "speech", "fever")
    assert table.row_ids == ("p1", "p2", "p3", "p4")
    (folder / "new.csv").write_text("fever,weakness,patient,age,speech\nno,none,p9,50,none\n")
    code, out, _ = run(
        "encode", "new.csv", "--encoding", "t.csv.encoding.json", "--out", "n.parquet", "--json"
    )
    assert code == 0
    assert json.loads(out)["kept"] == list(table.columns)
    again = read_table("n.parquet")
    assert again.columns == table.columns
    assert again.codes().tolist() == [[0, 0, 0, 0]]


def test_what_encode_drops_is_said(folder, run):
    (folder / "e.toml").write_text(
        'others = "drop"\n[columns.weakness]\nkind = "sided"\n[columns.speech]\nkind = "graded"\n'
        'levels = ["none", "mild", "severe", "mute"]\nthresholds = true'
    )
    code, _, err = run("encode", "raw.csv", "--encoding", "e.toml", "-o", "t.csv")
    assert code == 0
    assert "dropped, never expressed (1): speech>=mute" in err
    code, _, err = run("encode", "raw.csv", "--encoding", "e.toml", "-o", "all.csv", "--keep-unexpressed")
    assert "dropped" not in err
    saved = json.loads((folder / "t.csv.encoding.json").read_text())
    assert saved["dropped"] == ["speech>=mute"]


def test_mistakes_of_encode(folder, run):
    run("inspect", "raw.csv", "--draft", "e.toml")
    refused(run("inspect", "raw.csv", "--draft", "e.toml"), "exists already", "--force")
    assert run("inspect", "raw.csv", "--draft", "e.toml", "--force")[0] == 0
    refused(
        run("inspect", "raw.csv", "--draft", "f.toml", "--id", "patient"), "--id has no meaning with --draft"
    )
    refused(run("inspect", "raw.csv", "--force"), "--force")
    refused(run("inspect", "raw.csv"), "raw.csv, row 1", "draft an encoding")
    refused(run("inspect", "nothing.csv", "--draft", "f.toml"), "no such file")
    refused(run("encode", "raw.csv", "--encoding", "e.toml"), "'--out'")
    refused(run("encode", "raw.csv", "--encoding", "no.toml", "-o", "t.csv"), "no such file", "--draft")
    refused(run("encode", "raw.csv", "--encoding", "e.toml", "-o", "raw.csv", "--force"), "also what is read")
    refused(run("encode", "raw.csv", "--encoding", "e.toml", "-o", "t.doc"), "ending")
    (folder / "bad.csv").write_text(RAW.replace("both", "above"))
    refused(
        run("encode", "bad.csv", "--encoding", "e.toml", "-o", "t.csv"),
        "bad.csv, row 2, column 'weakness': 'above'",
        "add it to left, right, both, none or missing",
    )
    assert sorted(path.name for path in folder.iterdir()) == ["bad.csv", "e.toml", "raw.csv"]
    run("encode", "raw.csv", "--encoding", "e.toml", "-o", "t.csv")
    refused(run("encode", "raw.csv", "--encoding", "e.toml", "-o", "t.csv"), "exists already")
    refused(
        run("encode", "raw.csv", "--encoding", "t.csv.encoding.json", "-o", "u.csv", "--keep-unexpressed"),
        "no meaning here",
    )


def test_undecided_columns_are_named(folder, run):
    (folder / "survey.csv").write_text("hbp,pica\n0,1\n1,2\n2,1\n")
    _, _, err = run("inspect", "survey.csv", "--draft", "e.toml")
    assert "to be decided by you first, as its comments explain (2): hbp, pica" in err
    refused(run("encode", "survey.csv", "--encoding", "e.toml", "-o", "t.csv"), "2 columns are undecided")


def test_inspect_a_table(run):
    code, out, err = run("inspect", "dataset:nhefs")
    assert (code, err) == (0, "")
    assert out.startswith("dataset:nhefs: 1629 rows × 24 variables\n")
    assert "hayfever      allergies" in out
    assert "\x1b" not in out
    assert all(line == line.rstrip() for line in out.splitlines())
    code, out, err = run("inspect", "dataset:nhefs", "--json")
    seen = json.loads(out)
    assert (code, err) == (0, "")
    assert seen["schema"] == "hiddencauses/inspection/1"
    assert seen["rows"] == 1629
    assert {"common", "missing_together"} <= {notice["code"] for notice in seen["warnings"]}
    refused(run("inspect", "dataset:nhef"), "did you mean 'nhefs'?")


def test_inspect_is_styled_on_a_terminal_only(run, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("inspect", "dataset:davis")
    assert code == 0
    assert "─" in out


def test_datasets(folder, run):
    code, out, err = run("datasets")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["name", "shape", "density", "what", "source", "licence"]
    assert "1629 × 24" in out
    assert "public domain" in out
    code, out, _ = run("datasets", "--json")
    listed = json.loads(out)["datasets"]
    assert {"name", "rows", "variables", "density", "source", "licence"} <= set(listed[0])
    assert "uses medication for headache" in run("datasets", "nhefs")[1]
    code, out, err = run("datasets", "nhefs", "--out", "nhefs.csv")
    assert (code, out) == (0, "")
    table = read_table("nhefs.csv", carry=["age", "sex", "race", "education", "quit_smoking", "died_by_1992"])
    assert table.shape == (1629, 24)
    refused(run("datasets", "nhefs", "--out", "nhefs.csv"), "exists already")
    refused(run("datasets", "nhef"), "did you mean 'nhefs'?")
    refused(run("datasets", "--out", "x.csv"), "--out needs the name")
    refused(run("datasets", "--force"), "--force")
