"""The same seed gives the same bits, whatever else differs that must not matter."""

from dataclasses import fields

import numpy as np
import pytest

from hiddencauses import DEFAULT_SPEC, Finite, ModelSpec, sample
from hiddencauses.sampling import chain as chain_module
from hiddencauses.sampling import convert
from tests.sampling.settings import SPECS_AND_SAMPLERS, named, small_table, start_for

VARIANTS = {
    "infinite shared": (ModelSpec.paper(), "gibbs"),
    "infinite default": (DEFAULT_SPEC, "gibbs"),
    "finite shared": (ModelSpec(causes=Finite()), "reversible_jump"),
    "finite own": (
        ModelSpec(strength_scope="per_link", prevalence_scope="per_cause", causes=Finite()),
        "single_link_births",
    ),
}


def run(spec, sampler, **changed):
    options = {"draws": 40, "warmup": 30, "chains": 1, "seed": 11, "init": "random:3"} | changed
    return sample(small_table(), spec, sampler=sampler, **options)


def bits(packed):
    return [getattr(packed, item.name).tobytes() for item in fields(packed)]


@pytest.fixture(params=VARIANTS, name="variant")
def _variant(request):
    return VARIANTS[request.param]


def test_same_seed_same_bits(variant):
    assert bits(run(*variant).packed[0]) == bits(run(*variant).packed[0])


def test_seeds_differ(variant):
    first, second = run(*variant, seed=11), run(*variant, seed=12)
    assert not np.array_equal(first.log_joint, second.log_joint)


def test_chains_differ(variant):
    four = run(*variant, chains=4)
    assert len({chain.scalars.tobytes() for chain in four.packed}) == 4


@pytest.mark.parametrize("init", ["random:3", "empty", "prior"])
def test_a_chain_does_not_depend_on_how_many_there_are(variant, init):
    four, eight = run(*variant, chains=4, init=init), run(*variant, chains=8, init=init)
    for chain in range(4):
        assert bits(four.packed[chain]) == bits(eight.packed[chain])
    assert bits(run(*variant, init=init).packed[0]) == bits(four.packed[0])


def test_more_draws_begin_with_the_same_draws(variant):
    few, many = run(*variant, draws=7), run(*variant, draws=40)
    for name in ("n_causes", "n_total", "log_joint", "concentration", "leak"):
        np.testing.assert_array_equal(getattr(few, name), getattr(many, name)[:, :7])
    for draw in range(7):
        np.testing.assert_array_equal(few.links(0, draw), many.links(0, draw))
        np.testing.assert_array_equal(few.activity(0, draw), many.activity(0, draw))
        first, second = few.world(0, draw).parameters, many.world(0, draw).parameters
        np.testing.assert_array_equal(first.strength, second.strength)
        np.testing.assert_array_equal(first.prevalence, second.prevalence)


def test_a_seed_is_drawn_and_recorded(variant):
    unseeded = run(*variant, seed=None)
    again = run(*variant, seed=unseeded.seed)
    assert bits(unseeded.packed[0]) == bits(again.packed[0])


@pytest.mark.parametrize(
    ("spec", "sampler"), SPECS_AND_SAMPLERS, ids=lambda x: x if isinstance(x, str) else named(x)
)
def test_room_for_causes_changes_nothing(monkeypatch, spec, sampler):
    found = []
    for spare in (1, 64):
        monkeypatch.setattr(convert, "SPARE", spare)
        found.append(bits(run(spec, sampler, init=start_for(spec)).packed[0]))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "sizes",
    [
        {"BUFFER_DRAWS": 1},
        {"BUFFER_DRAWS": 7},
        {"BUFFER_OCTETS": 1, "BUFFER_REALS": 1},
        {"BUFFER_OCTETS": 0, "BUFFER_REALS": 0},
        {"BUFFER_OCTETS": 40},
        {"BUFFER_REALS": 20},
        {"PIECE_CELLS": 1},
        {"PIECE_CELLS": 200, "BUFFER_DRAWS": 3, "BUFFER_OCTETS": 30, "BUFFER_REALS": 9},
    ],
    ids=str,
)
def test_sizes_of_buffers_and_pieces_change_nothing(monkeypatch, variant, sizes):
    plain = bits(run(*variant).packed[0])
    for name, size in sizes.items():
        monkeypatch.setattr(chain_module, name, size)
    assert bits(run(*variant).packed[0]) == plain


def test_the_largest_seed_is_taken(variant):
    assert run(*variant, seed=2**64 - 1).seed == 2**64 - 1
