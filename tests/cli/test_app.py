"""The command line as a whole: exit codes, help, one-line mistakes, quiet pipes."""

import json
import os
import subprocess
import sys

import pytest

from hiddencauses import __version__
from hiddencauses.cli.app import COMMANDS, main


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "hiddencauses", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"hiddencauses {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_80_columns_and_has_an_example(command, capsys):
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Example" in text
    assert max(map(len, text.splitlines())) <= 80


def test_help_lists_every_command(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(command in text for command in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["inspct"], "did you mean 'inspect'"),
        (["unheard-of"], "commands are demo"),
        (["--versio"], "--version"),
        (["simulate", "--rows", "5"], "missing option '--variables'"),
        (["simulate", "--rows", "five", "--variables", "2", "-o", "x"], "'five' is not a valid int"),
        (["simulate", "--rows", "5", "--variables", "2", "--leka", "1", "-o", "x"], "--leak"),
        (["inspect"], "missing argument 'TABLE'"),
        (["inspect", "nowhere.csv"], "nowhere.csv"),
        (["inspect", "dataset:nowhere"], "nhefs"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("error: ")
    assert said in captured.err
    assert not list(tmp_path.iterdir())


def test_no_arguments_show_the_help_and_are_a_mistake(capsys):
    assert main([]) == 2
    assert "Commands:" in capsys.readouterr().err


def test_our_bug_is_exit_code_1_without_a_traceback(monkeypatch, capsys):
    def broken(*_arguments, **_options):
        raise RuntimeError("broken inside")

    monkeypatch.setattr("hiddencauses.data.inspection.inspect_table", broken)
    assert main(["inspect", "dataset:davis"]) == 1
    captured = capsys.readouterr()
    assert "report" in captured.err
    assert "Traceback" not in captured.err


def test_interrupt_is_exit_code_130(monkeypatch, capsys):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("hiddencauses.data.inspection.inspect_table", interrupted)
    assert main(["inspect", "dataset:davis"]) == 130
    assert capsys.readouterr().err.strip() == "interrupted"


def test_reader_that_leaves_early_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m hiddencauses datasets nhefs --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""


def test_piped_output_has_no_colour():
    done = run("inspect", "dataset:davis", env={**os.environ, "FORCE_COLOR": "", "TERM": "xterm"})
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


# -- simulate and demo -----------------------------------------------------------------------------


def test_simulate_writes_table_and_truth(tmp_path, capsys):
    out = tmp_path / "sim"
    options = ["--rows", "40", "--variables", "5", "--causes", "2", "--seed", "3", "--leak", "0.01"]
    assert main(["simulate", *options, "--out", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "40 rows × 5 variables from 2 causes" in captured.err
    assert sorted(p.name for p in out.iterdir()) == [
        "spec.json",
        "table.csv",
        "truth_activity.csv",
        "truth_links.csv",
        "truth_parameters.json",
    ]
    table = (out / "table.csv").read_text().splitlines()
    assert table[0] == "x1,x2,x3,x4,x5"
    assert len(table) == 41
    assert len((out / "truth_links.csv").read_text().splitlines()) == 6
    assert len((out / "truth_activity.csv").read_text().splitlines()) == 41
    truth = json.loads((out / "truth_parameters.json").read_text())
    assert truth["leak"] == [0.01] * 5
    assert truth["seed"] == 3
    assert json.loads((out / "spec.json").read_text())["leak"] == 0.01
    again = tmp_path / "again"
    assert main(["simulate", *options, "--out", str(again), "--spec", str(out / "spec.json")]) == 0
    assert (again / "table.csv").read_text() == (out / "table.csv").read_text()


def test_simulate_never_overwrites_unasked_and_keeps_other_files(tmp_path, capsys):
    out = tmp_path / "sim"
    options = ["simulate", "--rows", "4", "--variables", "2", "--out", str(out)]
    assert main([*options, "--seed", "1"]) == 0
    (out / "notes.txt").write_text("mine")
    before = (out / "table.csv").read_text()
    assert main([*options, "--seed", "2"]) == 2
    assert "add --force" in capsys.readouterr().err
    assert (out / "table.csv").read_text() == before
    assert main([*options, "--seed", "2", "--force"]) == 0
    assert (out / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ('{"strenght": 0.9}', "unknown key 'strenght'"),
        ('{"leak": 2}', "leak is 2"),
        ('{"leak": {"kind": "beta", "a": -1, "b": 1}}', "a of Beta is -1"),
        ("not json", "is not JSON"),
    ],
)
def test_bad_spec_is_named_with_its_file(tmp_path, capsys, spec, said):
    file = tmp_path / "spec.json"
    file.write_text(spec)
    out = tmp_path / "sim"
    assert main(["simulate", "--rows", "4", "--variables", "2", "--spec", str(file), "-o", str(out)]) == 2
    captured = capsys.readouterr()
    assert "spec.json" in captured.err
    assert said in captured.err
    assert not out.exists()


def test_simulate_into_an_unwritable_place(tmp_path, capsys):
    assert main(["simulate", "--rows", "4", "--variables", "2", "-o", str(tmp_path / "no" / "sim")]) == 2
    assert "is not a folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_demo_writes_its_folder_and_uses_it_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert main(["demo"]) == 0
        captured = capsys.readouterr()
        assert "1629 rows × 24 variables" in captured.out
        assert "cause 3" in captured.out
        assert "saved in hiddencauses-demo" in captured.err
    assert sorted(p.name for p in (tmp_path / "hiddencauses-demo").iterdir()) == ["nhefs.csv", "simulated"]


def test_demo_does_not_touch_a_file_of_that_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hiddencauses-demo").write_text("mine")
    assert main(["demo"]) == 2
    assert "is a file" in capsys.readouterr().err
    assert (tmp_path / "hiddencauses-demo").read_text() == "mine"
