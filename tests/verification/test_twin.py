"""The compiled sampler agrees with its plain-Python twin, draw for draw, in every variant of the model."""

import numpy as np
import pytest

from hiddencauses import ModelSpec, simulate
from hiddencauses.kernels.schedule import GIBBS, REVERSIBLE_JUMP, SINGLE_LINK_BIRTHS
from hiddencauses.sampling.initial import initial_world
from verification.specs import pairwise_specs
from verification.twin.agreement import compare
from verification.twin.enumeration import every_outcome
from verification.twin.source import StreamSource

LINKS = [[1, 0], [1, 1], [0, 1], [0, 1]]


@pytest.fixture(scope="module")
def table():
    spec = ModelSpec(strength=0.8, leak=0.1, prevalence=0.4)
    return simulate(rows=12, links=LINKS, spec=spec, missing_rate=0.1, seed=5).table


@pytest.mark.parametrize("start", ["empty", "random:2", "prior"])
@pytest.mark.parametrize("number", range(len(pairwise_specs())))
def test_draw_for_draw(table, number, start):
    spec = pairwise_specs()[number]
    infinite = spec.causes.kind == "infinite"
    for schedule in [GIBBS] if infinite else [REVERSIBLE_JUMP, SINGLE_LINK_BIRTHS]:
        world = initial_world(start, table, spec, seed=number, chain=3)
        agreement = compare(table, spec, schedule, world, seed=number, warmup=15, draws=25)
        assert agreement.same == agreement.sweeps
        assert agreement.largest < 1e-9


def test_with_a_limit_on_new_causes(table):
    spec = ModelSpec(strength=0.9, leak=0.01, prevalence=0.3, concentration=30.0)
    world = initial_world("empty", table, spec, seed=1, chain=3)
    assert compare(table, spec, GIBBS, world, seed=1, warmup=0, draws=10, max_new=2).same == 10


def test_several_blocks_of_rows():
    # more rows than share a stream
    spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.2)
    long = simulate(rows=4500, links=[[1], [1]], spec=spec, seed=2).table
    world = initial_world("random:2", long, ModelSpec.paper(), seed=1, chain=3)
    assert compare(long, ModelSpec.paper(), GIBBS, world, seed=4, warmup=0, draws=2).same == 2


@pytest.mark.parametrize("causes", [7, 66])
def test_many_causes_of_a_variable(causes):
    # more than patterns are counted for, and more than have room in a word
    spec = ModelSpec(strength_scope="per_link", leak_scope="per_variable", prevalence_scope="per_cause")
    table = simulate(
        rows=70, links=LINKS, spec=ModelSpec(strength=0.8, leak=0.1, prevalence=0.4), seed=5
    ).table
    world = initial_world(f"random:{causes}", table, spec, seed=1, chain=3)
    assert compare(table, spec, GIBBS, world, seed=4, warmup=0, draws=2).same == 2


def test_disagreement_is_noticed(table):
    # negative control: the twin of a model with a slightly different leak
    spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.2, concentration=2.0)
    world = initial_world("random:2", table, spec, seed=1, chain=3)
    other = spec.with_fixed(leak=0.06)
    from verification.twin import agreement

    original = agreement.twin_of
    try:
        agreement.twin_of = lambda codes, start, _spec: original(
            codes, initial_world("random:2", table, other, seed=1, chain=3), other
        )
        assert compare(table, spec, GIBBS, world, seed=1, warmup=0, draws=200).largest > 1e-3
    finally:
        agreement.twin_of = original


def test_streams_written_twice_are_the_same():
    from hiddencauses.compiled import compiled_door
    from hiddencauses.kernels.streams import open_stream, uniform

    @compiled_door
    def first_numbers(seed, chain, purpose, block, visit):
        stream = open_stream(seed, chain, purpose, block, visit)
        return [uniform(stream) for _ in range(5)]

    for name in [(0, 0, 100, 0, 0), (2**64 - 1, 7, 112, 12345, 10**9), (2006, 3, 104, 1, 77)]:
        seed, chain, *rest = name
        source = StreamSource(seed, chain)
        source.open(*rest)
        expected = [source.uniform() for _ in range(5)]
        np.testing.assert_array_equal(first_numbers(np.uint64(seed), chain, *rest), expected)


def test_every_outcome_adds_up():
    def run(source):
        order = source.permutation(3)
        return order[0], source.bernoulli(0.25), source.choice([1.0, 0.0, 3.0])

    outcomes = every_outcome(run)
    assert len(outcomes) == 3 * 2 * 2
    assert sum(outcomes.values()) == pytest.approx(1.0)
    assert outcomes[(1, True, 2)] == pytest.approx(1 / 3 * 0.25 * 0.75)
