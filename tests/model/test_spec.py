"""The specification: what is legal, what is refused, and the way through JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddencauses import (
    DEFAULT_SPEC,
    Beta,
    Finite,
    FixedCount,
    Gamma,
    Geometric,
    Infinite,
    ModelSpec,
    TruncatedPoisson,
    UniformCount,
)
from hiddencauses.errors import SpecError, UserError

positive = st.floats(1e-3, 1e3)
probability = st.floats(1e-6, 1 - 1e-6)
betas = st.builds(Beta, positive, positive)
count_priors = st.one_of(
    st.builds(Geometric, probability),
    st.builds(TruncatedPoisson, positive),
    st.builds(UniformCount, st.integers(1, 50)),
    st.builds(FixedCount, st.integers(1, 50)),
)
specs = st.builds(
    ModelSpec,
    strength=betas | probability,
    leak=betas | probability,
    prevalence=betas | probability,
    concentration=st.builds(Gamma, positive, positive) | positive,
    strength_scope=st.sampled_from(["shared", "per_cause", "per_link"]),
    leak_scope=st.sampled_from(["shared", "per_variable"]),
    prevalence_scope=st.sampled_from(["shared", "per_cause"]),
    causes=st.just(Infinite()) | st.builds(Finite, count_priors),
)


@given(specs)
def test_every_combination_is_legal_and_survives_json(spec):
    again = ModelSpec.from_json(spec.to_json())
    assert again == spec
    assert hash(again) == hash(spec)


def test_papers_model_and_the_default():
    assert ModelSpec.paper() == ModelSpec()
    assert ModelSpec.paper().strength == Beta(1, 1)
    assert Finite().prior_on_k == Geometric(0.1)
    assert DEFAULT_SPEC.leak_scope == "per_variable"


def test_frozen():
    with pytest.raises(AttributeError):
        ModelSpec().leak = 0.5


def test_what_is_left_out_of_json_takes_its_default():
    assert ModelSpec.from_json("{}") == ModelSpec()
    assert ModelSpec.from_json('{"causes": {"kind": "finite"}}').causes == Finite()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ModelSpec(strength=1.0), "strength is 1.0; a probability lies strictly between"),
        (lambda: ModelSpec(leak=0), "leak is 0"),
        (lambda: ModelSpec(prevalence=-0.1), "prevalence is -0.1"),
        (lambda: ModelSpec(leak=float("nan")), "leak is nan"),
        (lambda: ModelSpec(leak=True), "leak is True; give a number"),
        (lambda: ModelSpec(leak="low"), "leak is 'low'"),
        (lambda: ModelSpec(leak=Gamma(1, 1)), "such as Beta"),
        (lambda: ModelSpec(concentration=0), "concentration is 0"),
        (lambda: ModelSpec(concentration=Beta(1, 1)), "such as Gamma"),
        (lambda: ModelSpec(strength_scope="per_row"), "strength_scope is 'per_row'; choose one of shared"),
        (lambda: ModelSpec(leak_scope="per_cause"), "leak_scope"),
        (lambda: ModelSpec(causes="infinite"), "causes is 'infinite'"),
        (lambda: Finite(3), "prior_on_k is 3; give one of Geometric"),
        (lambda: Beta(0, 1), "a of Beta is 0"),
        (lambda: Beta(1, float("inf")), "b of Beta is inf"),
        (lambda: Gamma(1, -2), "rate of Gamma is -2"),
        (lambda: Geometric(1.0), "probability of Geometric is 1.0"),
        (lambda: UniformCount(0), "bound of UniformCount is 0"),
        (lambda: FixedCount(1.5), "k of FixedCount is 1.5"),
        (lambda: TruncatedPoisson(0), "rate of TruncatedPoisson is 0"),
    ],
)
def test_values_out_of_range_are_refused_by_name(make, said):
    with pytest.raises(UserError, match=said):
        make()


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"strenght": 0.9}, "unknown key 'strenght'"),
        ({"leak": 1.5}, "leak is 1.5"),
        ({"leak": {"kind": "beta", "a": 0, "b": 1}}, "a of Beta is 0"),
        ({"leak": {"kind": "beta", "a": 1}}, "leak lacks b"),
        ({"leak": {"kind": "beta", "a": 1, "b": 1, "c": 1}}, "unknown key 'c'"),
        ({"leak": {"kind": ["beta"]}}, "kind must be one of beta"),
        ({"leak": {"kind": "gamma", "shape": 1, "rate": 1}}, "kind must be one of beta"),
        ({"causes": {"kind": "many"}}, "causes is"),
        ({"causes": "finite"}, "causes is 'finite'"),
        ({"causes": {"kind": "infinite", "prior_on_k": 3}}, "unknown key 'prior_on_k'"),
        ({"causes": {"kind": "finite", "prior_on_k": {"kind": "fixed", "k": 0}}}, "k of FixedCount is 0"),
        ({"schema": "hiddencauses/spec/99"}, "schema"),
        ([], "must be an object"),
    ],
)
def test_bad_json_is_refused_by_name(plain, said):
    with pytest.raises(UserError, match=said):
        ModelSpec.from_json(json.dumps(plain))


def test_text_that_is_not_json():
    with pytest.raises(SpecError, match="not JSON"):
        ModelSpec.from_json("{leak: 1}")
