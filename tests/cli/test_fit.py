"""`hiddencauses fit`: what it prints, what it keeps, what it refuses."""

import json
import stat

import pytest

from hiddencauses import ModelSpec, Run
from hiddencauses.cli.app import main

QUICK = ["--chains", "2", "--warmup", "20", "--draws", "30"]


def test_fit_says_what_it_found_and_keeps_the_draws(tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["fit", "dataset:blocks", "--out", str(out), "--seed", "1", *QUICK]) == 0
    captured = capsys.readouterr()
    assert "Number of causes" in captured.out
    assert "Structure of the draw with the highest log joint density" in captured.out
    assert "seed 1" in captured.err
    settings = json.loads((out / "settings.json").read_text())
    assert settings["seed"] == 1
    assert settings["chains"] == 2
    assert ModelSpec.from_dict(settings["spec"]).strength_scope == "per_link"
    assert "warning: " in captured.err  # so short a run has not converged
    assert "R-hat" in captured.out
    assert Run.open(out).draws().n_causes.shape == (2, 30)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700


def test_same_seed_same_words(tmp_path, capsys):
    said = []
    for name in ("one", "two"):
        assert (
            main(["fit", "dataset:davis", "-o", str(tmp_path / name), "--seed", "5", "--quiet", *QUICK]) == 0
        )
        captured = capsys.readouterr()
        assert captured.err == ""
        said.append(captured.out)
    assert said[0] == said[1]


def test_no_cause_is_said_so(tmp_path, capsys):
    table = tmp_path / "zeros.csv"
    table.write_text("a,b\n" + "0,0\n" * 5)
    spec = tmp_path / "spec.json"
    spec.write_text(ModelSpec(strength=0.9, leak=0.01, prevalence=0.5, concentration=0.001).to_json())
    out = tmp_path / "run"
    assert main(["fit", str(table), "-o", str(out), "--spec", str(spec), "--seed", "1", *QUICK]) == 0
    assert "no cause" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--draws", "0"], "draws is 0"),
        (["--warmup", "-1"], "warmup is -1"),
        (["--chains", "0"], "chains is 0"),
        (["--sampler", "reversible_jump"], "is for a finite number of causes"),
        (["--sampler", "best"], "sampler is 'best'; choose one of auto"),
        (["--init", "nowhere"], "init is 'nowhere'"),
        (["--init", "random:0"], "the number of causes of init is 0"),
        (["--seed", "-3"], "seed is -3"),
        (["--spec", "nowhere.json"], "nowhere.json cannot be read"),
        (["--until", "soon"], "until has 'soon'; give rhat, ess or both"),
        (["--at-most-minutes", "0"], "at_most_minutes is 0.0"),
        (["--workers", "0"], "workers is 0"),
    ],
)
def test_mistakes_leave_nothing_behind(tmp_path, monkeypatch, capsys, options, said):
    monkeypatch.chdir(tmp_path)
    assert main(["fit", "dataset:davis", "--out", "run", *options]) == 2
    captured = capsys.readouterr()
    assert said in captured.err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_an_existing_run_is_not_overwritten(tmp_path, capsys):
    out = tmp_path / "run"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    assert main(["fit", "dataset:davis", "--out", str(out), *QUICK]) == 2
    assert "add --force" in capsys.readouterr().err
    assert [p.name for p in out.iterdir()] == ["mine.txt"]
