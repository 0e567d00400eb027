"""Every mistake is refused by name, and before any work."""

from dataclasses import replace

import numpy as np
import pytest

from hiddencauses import Finite, FixedCount, ModelSpec, UniformCount, sample
from hiddencauses.errors import HiddenCausesError, SpecError, UserError
from hiddencauses.model.world import Parameters, World
from hiddencauses.sampling import sample as sample_module
from tests.sampling.settings import CELLS

FIXED = ModelSpec(strength=0.8, leak=0.1, prevalence=0.3, concentration=1.0)
FINITE = replace(FIXED, causes=Finite(UniformCount(5)))


def world(links=((1,), (1,), (0,)), rows=9, **parameters):
    values = {"strength": 0.8, "leak": 0.1, "prevalence": 0.3, "concentration": 1.0} | parameters
    links = np.array(links, dtype=np.int8)
    concentration = values.pop("concentration")
    return World(
        links,
        np.ones((rows, links.shape[1]), dtype=np.int8),
        Parameters(
            **{name: np.asarray(value) for name, value in values.items()}, concentration=concentration
        ),
    )


@pytest.fixture(autouse=True)
def _no_work(monkeypatch):
    def run_chain(*_, **__):
        pytest.fail("work began before the mistake was noticed")

    monkeypatch.setattr(sample_module, "run_chain", run_chain)


MISTAKES = {
    "zero draws": (FIXED, {"draws": 0}, "draws is 0; it must be a whole number of at least 1"),
    "half a draw": (FIXED, {"draws": 0.5}, "draws is 0.5"),
    "draws in words": (FIXED, {"draws": "many"}, "draws is 'many'"),
    "draws True": (FIXED, {"draws": True}, "draws is True"),
    "endless draws": (FIXED, {"draws": float("inf")}, "draws is inf"),
    "negative warm-up": (FIXED, {"warmup": -1}, "warmup is -1; it must be a whole number of at least 0"),
    "no chains": (FIXED, {"chains": 0}, "chains is 0"),
    "no spec": ("paper", {}, "spec is 'paper'"),
    "unknown sampler": (FIXED, {"sampler": "nuts"}, "sampler is 'nuts'; choose one of auto, gibbs"),
    "sampler of no kind": (FIXED, {"sampler": None}, "sampler is None"),
    "gibbs with a prior on K": (FINITE, {"sampler": "gibbs"}, "'gibbs' is for unbounded causes"),
    "reversible jump without": (
        FIXED,
        {"sampler": "reversible_jump"},
        "'reversible_jump' is for a finite number",
    ),
    "single links without": (
        FIXED,
        {"sampler": "single_link_births"},
        "'single_link_births' is for a finite",
    ),
    "negative seed": (FIXED, {"seed": -1}, "seed is -1"),
    "seed too large": (FIXED, {"seed": 2**64}, "seed is 18446744073709551616"),
    "seed not whole": (FIXED, {"seed": 1.0}, "seed is 1.0"),
    "max_new 0": (FIXED, {"max_new": 0}, "max_new is 0"),
    "max_new in a finite model": (FINITE, {"max_new": 3}, "max_new bounds the new causes of the infinite"),
    "init of no kind": (FIXED, {"init": 3}, "init is 3; give 'empty', 'prior', 'random'"),
    "init unknown": (FIXED, {"init": "warm"}, "init is 'warm'"),
    "init empty:2": (FIXED, {"init": "empty:2"}, "init is 'empty:2'"),
    "init random:": (FIXED, {"init": "random:two"}, "after 'random:' comes a whole number"),
    "init random:0": (FIXED, {"init": "random:0"}, "the number of causes of init is 0"),
    "init random:-1": (FIXED, {"init": "random:-1"}, "init is 'random:-1'"),
    "init beyond the bound": (FINITE, {"init": "random:20"}, "20 causes but the prior on K allows at most 5"),
    "init random beyond the bound": (
        FINITE,
        {"init": "random"},
        "10 causes but the prior on K allows at most 5",
    ),
    "world of other rows": (FIXED, {"init": world(rows=8)}, "the world is for 8 rows and 3 variables"),
    "world of other variables": (FIXED, {"init": world(((1,), (1,)))}, "and 2 variables"),
    "world with another strength": (FIXED, {"init": world(strength=0.7)}, "strength differs from 0.8"),
    "world with another concentration": (
        FIXED,
        {"init": world(concentration=2.0)},
        "concentration differs from 1.0",
    ),
    "world of another scope": (FIXED, {"init": world(prevalence=[0.3])}, r"prevalence has shape \(1,\)"),
    "world with strength 1": (ModelSpec(), {"init": world(strength=1.0)}, "strictly between 0 and 1"),
    "world with NaN": (ModelSpec(), {"init": world(leak=np.nan)}, "strictly between 0 and 1"),
    "world with an unlinked cause": (
        FIXED,
        {"init": world(((1, 0), (1, 0), (0, 0)))},
        "a cause without a link has no place",
    ),
    "world with values other than 0 and 1": (
        FIXED,
        {"init": world(((2,), (1,), (0,)))},
        "links holds values",
    ),
    "world beyond the bound": (
        replace(FIXED, causes=Finite(UniformCount(1))),
        {"init": world(((1, 0), (1, 0), (0, 1)))},
        "2 causes",
    ),
    "world without a cause in the finite model": (FINITE, {"init": world(np.zeros((3, 0)))}, "0 causes"),
    "world that a fixed K excludes": (
        replace(FIXED, causes=Finite(FixedCount(2))),
        {"init": world()},
        "the world has 1 causes, which the prior on K excludes",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_refused_by_name(name):
    spec, options, said = MISTAKES[name]
    with pytest.raises(UserError, match=said) as caught:
        sample(CELLS, spec, **({"draws": 5, "warmup": 5, "chains": 1} | options))
    assert "\n" not in str(caught.value)


def test_a_table_that_is_none():
    with pytest.raises(HiddenCausesError):
        sample(np.array([[0, 2]]), FIXED, draws=5, warmup=5, chains=1)


@pytest.mark.parametrize("bad", [0, -3, 2.5, "five"])
def test_priors_without_mass_are_refused_where_they_are_made(bad):
    with pytest.raises(UserError):
        UniformCount(bad)
    with pytest.raises(UserError):
        FixedCount(bad)


def test_every_refusal_of_a_spec_is_a_user_error():
    assert issubclass(SpecError, UserError)


def test_work_begins_without_mistakes():
    # negative control of the fixture that forbids work
    with pytest.raises(pytest.fail.Exception, match="work began"):
        sample(CELLS, FIXED, draws=5, warmup=5, chains=1)
