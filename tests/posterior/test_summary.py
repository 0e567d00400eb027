"""The summary as JSON: its schema, its numbers, and runs that are at the edge."""

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest

from hiddencauses import ModelSpec, sample
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.summary import SCHEMA, summarise
from tests.posterior.known_draws import KnownDraws, random_world, world
from tests.posterior.runs import free_run, known_run

SCHEMA_FILE = json.loads(
    (resources.files("hiddencauses.posterior") / "summary.schema.json").read_text(encoding="utf-8")
)


def checked(draws):
    plain = summarise(draws).to_dict()
    again = json.loads(json.dumps(plain, allow_nan=False))
    jsonschema.Draft202012Validator(SCHEMA_FILE).validate(again)
    assert again == plain
    return plain


def test_the_schema_is_one_and_carries_its_version():
    jsonschema.Draft202012Validator.check_schema(SCHEMA_FILE)
    assert SCHEMA_FILE["$id"] == SCHEMA_FILE["properties"]["schema"]["const"] == SCHEMA
    assert SCHEMA_FILE["required"] == ["schema", "n_causes", "causes", "parameters", "diagnostics"]


def test_the_schema_refuses_what_is_wrong():
    plain = checked(known_run())
    for wrong in ({"schema": "hiddencauses/summary/2"}, {"more": 1}, {"causes": [{"name": "x"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(SCHEMA_FILE).validate(plain | wrong)


def test_numbers_are_those_of_the_draws():
    draws = free_run()
    plain, alignment = checked(draws), align(draws)
    assert plain["n_causes"]["distribution"] == draws.n_causes_distribution().tolist()
    assert plain["parameters"]["concentration"]["mean"] == pytest.approx(draws.concentration.mean())
    leak = plain["parameters"]["leak"]
    assert [part["variable"] for part in leak] == list(draws.columns)
    np.testing.assert_allclose([part["mean"] for part in leak], draws.leak.mean(axis=(0, 1)))
    assert set(plain["parameters"]) == {"concentration", "leak"}
    assert [cause["name"] for cause in plain["causes"]] == list(alignment.names[: alignment.n_worth_telling])
    for k, cause in enumerate(plain["causes"]):
        assert cause["exists_by_chain"] == alignment.exists_by_chain[k].tolist()
        for link in cause["links"]:
            i = draws.columns.index(link["variable"])
            assert link["probability"] == alignment.link_probability[i, k]
            three = link["strength"]
            assert three["low"] <= three["mean"] <= three["high"]
    assert plain["diagnostics"]["chains"] == 2 and plain["diagnostics"]["draws"] == 60


def test_fixed_parameters_are_told_as_such():
    assert checked(known_run())["parameters"] == {
        "concentration": {"fixed": 1.0},
        "leak": {"fixed": 0.1},
        "strength": {"fixed": 0.7},
        "prevalence": {"fixed": 0.3},
    }


def test_everything_shared():
    cells = [[1, 1, 0], [0, 0, 1], [1, np.nan, 1], [0, 0, 0]]
    plain = checked(sample(cells, ModelSpec.paper(), draws=20, warmup=5, chains=2, seed=1, sampler="gibbs"))
    assert set(plain["parameters"]) == {"concentration", "strength", "leak", "prevalence"}


@pytest.mark.parametrize("n_draws", [1, 2, 8])
def test_no_cause_at_all(n_draws):
    plain = checked(KnownDraws([[world(np.zeros((3, 0)), np.zeros((5, 0)))] * n_draws] * 2))
    assert plain["causes"] == [] and plain["n_causes"]["mode"] == 0
    assert plain["diagnostics"]["chains_agree"]


def test_chains_stuck_apart_still_make_valid_json():
    rng = np.random.default_rng(1)
    one, other = (random_world(rng, 5, 4, k) for k in (1, 2))
    plain = checked(KnownDraws([[one] * 8, [other] * 8]))
    assert plain["diagnostics"]["worst_rhat"]["rhat"] is None
    assert not plain["diagnostics"]["chains_agree"]
    assert {w["class"] for w in plain["diagnostics"]["warnings"]} >= {"ChainsDisagreeWarning"}
