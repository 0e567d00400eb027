"""The commands that ask a run: what they print, and what they refuse."""

import csv
import json
import re

import pytest

from hiddencauses.cli.app import main

QUICK = ["--chains", "2", "--warmup", "40", "--draws", "40", "--seed", "1", "--quiet"]


@pytest.fixture(scope="module", name="run")
def _run(tmp_path_factory):
    """A run of a table with row names, missing cells and a carried column."""
    folder = tmp_path_factory.mktemp("answers")
    table = folder / "table.csv"
    lines = ["who,site,a,b,c,d"]
    for n in range(60):
        ill, other = n % 3 == 0, n % 4 == 0
        cells = [int(ill), int(ill and n % 5 > 0), int(ill), int(other)]
        lines.append(f"r{n + 1},{'north' if n % 2 else 'south'},{','.join(map(str, cells))}")
    lines[5] = "r5,north,0,,0,1"
    table.write_text("\n".join(lines) + "\n")
    out = folder / "run"
    assert main(["fit", str(table), "--id", "who", "--carry", "site", "--out", str(out), *QUICK]) == 0
    return out


def said(capsys, *arguments, code=0):
    capsys.readouterr()
    assert main([str(a) for a in arguments]) == code
    return capsys.readouterr()


def test_summary(run, capsys):
    told = said(capsys, "summary", run)
    assert "causes (mode; 95% of draws:" in told.out and "established" in told.out
    plain = json.loads(said(capsys, "summary", run, "--json").out)
    assert list(plain) == ["schema", "n_causes", "causes", "parameters", "diagnostics"]


def test_summary_by_a_carried_column(run, capsys):
    assert "north" in said(capsys, "summary", run, "--by", "site").out
    plain = json.loads(said(capsys, "summary", run, "--by", "site", "--json").out)
    assert {line["site"] for line in plain["groups"]} == {"north", "south"}
    assert "carried are site" in said(capsys, "summary", run, "--by", "age", code=2).err


@pytest.mark.parametrize("more", [[], ["--prior"]])
def test_check(run, capsys, more):
    told = said(capsys, "check", run, "--tables", 20, "--seed", 1, *more)
    assert "co-occurrence" in told.out
    plain = json.loads(said(capsys, "check", run, "--tables", 20, "--json", *more).out)
    again = json.loads(said(capsys, "check", run, "--tables", 20, "--json", *more).out)
    assert plain == again  # the seed is the run's
    assert len(plain["kinds"]) == 4 and len(plain["numbers"]) == 4 + 5 + 6


def test_check_draws(run, capsys, tmp_path):
    picture = tmp_path / "check.svg"
    asked = ("check", run, "--tables", 20, "--picture")
    told = said(capsys, *asked, picture)
    assert "co-occurrence" in told.out and "picture written to" in told.err and picture.stat().st_size
    assert "exists already" in said(capsys, *asked, picture, code=2).err
    assert json.loads(said(capsys, *asked, picture, "--force", "--json").out)["kinds"]
    refused = said(capsys, *asked, tmp_path / "check.pdf", code=2)
    assert refused.out == "" and refused.err.count("\n") == 1 and "use one of .svg, .png" in refused.err


def test_apply(run, capsys, tmp_path):
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text("who,d,c,b,a\nx,0,1,,1\ny,,,,\n")
    told = said(capsys, "apply", run, new, "--id", "who", "--out", out)
    assert told.out == "" and "2 rows written" in told.err
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["row"] for row in rows] == ["x", "y"]
    assert 0.5 < float(rows[0]["P(b)"]) < 1 and rows[0]["P(a)"] == ""
    assert "exists already" in said(capsys, "apply", run, new, "--id", "who", "--out", out, code=2).err
    lost = said(capsys, "apply", run, new, "--id", "who", "--out", new, "--force", code=2)
    assert "would be lost" in lost.err
    new.write_text("a,b,c\n1,1,1\n")
    refused = said(capsys, "apply", run, new, "--out", out, "--force", code=2)
    assert "the fitted variable 'd' is not there" in refused.err
    said(capsys, "apply", run, new, "--out", out, "--force", "--missing-columns-unobserved")
    assert next(csv.DictReader(out.read_text().splitlines()))["P(d)"] != ""


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ("a,b,c", "the fitted variable 'd' is not there"),
        ("a,b", "2 fitted variables are not there, such as 'c'"),
        ("a,b,c,d,e", "the column 'e' was not fitted; new rows have the fitted variables"),
        ("a,b,c,dd", "the column 'dd' was not fitted; the fitted 'd' is not there; rename the column"),
        ("w,x,y,z", "4 columns were not fitted, such as 'w'"),
    ],
)
@pytest.mark.parametrize("command", ["apply", "explain"])
def test_columns_that_do_not_fit_are_told_in_one_line(run, capsys, tmp_path, command, columns, told):
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text(columns + "\n" + ",".join("1" * len(columns.split(","))) + "\n")
    asked = ["apply", run, new, "--out", out] if command == "apply" else ["explain", run, "1", "--table", new]
    found = said(capsys, *asked, code=2)
    assert found.out == "" and found.err.count("\n") == 1 and told in found.err
    assert not out.exists()


def test_a_place_that_cannot_be_written_to_is_told_before_the_work(run, capsys, tmp_path):
    told = said(capsys, "apply", run, tmp_path / "not there.csv", "--out", tmp_path / "out.xlsx", code=2)
    assert "out.xlsx has an ending" in told.err


def test_a_single_new_row_is_not_said_to_be_constant(run, capsys, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("a,b,c,d\n1,,1,0\n")
    assert said(capsys, "apply", run, new, "--out", tmp_path / "out.csv").err.count("\n") == 1
    assert said(capsys, "explain", run, 1, "--table", new).err == ""
    assert "there is none" in said(capsys, "explain", run, "r1", "--id", "who", code=2).err


def test_explain(run, capsys, tmp_path):
    told = said(capsys, "explain", run, "r4").out
    assert told.startswith("Row r4") and "Absent although expected" in told
    ones = told.split("switched on by\n")[1].split("\n\n")[0].splitlines()
    assert [line[0] for line in ones] == ["a", "b", "c"]
    assert all(re.fullmatch(r"\w +.+ \d\.\d\d", line) for line in ones)
    plain = json.loads(said(capsys, "explain", run, "r5", "--json").out)
    assert [line["cell"] for line in plain["cells"]] == [0, None, 0, 1]
    new = tmp_path / "new.csv"
    new.write_text("a,b,c,d\n1,0,1,0\n")
    told = said(capsys, "explain", run, "1", "--table", new).out
    assert "b" in told.split("Absent although expected")[1]
    assert "the row has none" in said(capsys, "explain", run, "r6").out
    assert "there is no row 'r99'" in said(capsys, "explain", run, "r99", code=2).err


def test_compare(run, capsys, tmp_path):
    table, spec = tmp_path / "table.csv", tmp_path / "spec.json"
    table.write_text("a,b\n" + "1,1\n0,0\n" * 10)
    spec.write_text('{"strength": 0.9, "leak": 0.1, "prevalence": 0.5}')
    options = ["--spec", spec, "--folds", 2, "--chains", 1, "--warmup", 10, "--draws", 10, "--seed", 1]
    told = said(capsys, "compare", table, *options, "--no-baselines", "--json")
    (model,) = json.loads(told.out)["models"]
    assert model["model"] == str(spec) and model["log_score"] < 0
    assert "choose one of cells, rows" in said(capsys, "compare", table, "--what", "pairs", code=2).err


@pytest.mark.parametrize("command", ["summary", "check", "explain"])
def test_a_folder_that_is_no_run(command, capsys, tmp_path):
    more = ["1"] if command == "explain" else []
    told = said(capsys, command, tmp_path, *more, code=2)
    assert told.out == "" and told.err.count("\n") == 1 and "run" in told.err


def test_a_run_without_any_cause_goes_through_all_of_it(capsys, tmp_path):
    table, spec, run = tmp_path / "table.csv", tmp_path / "spec.json", tmp_path / "run"
    table.write_text("a,b\n" + "1,\n0,0\n0,1\n" * 5)
    spec.write_text('{"strength": 0.9, "leak": 0.4, "prevalence": 0.5, "concentration": 1e-9}')
    assert main(["fit", str(table), "--spec", str(spec), "--out", str(run), *QUICK]) == 0
    assert "no cause" in said(capsys, "summary", run).out
    assert json.loads(said(capsys, "summary", run, "--json").out)["causes"] == []
    assert "co-occurrence" in said(capsys, "check", run, "--tables", 20, "--picture", tmp_path / "c.png").out
    told = said(capsys, "explain", run, "1").out
    assert "no cause" in told and "leak 1.00" in told
    said(capsys, "apply", run, table, "--out", tmp_path / "out.csv")
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert len(rows) == 15 and float(rows[0]["P(b)"]) == pytest.approx(0.4)
