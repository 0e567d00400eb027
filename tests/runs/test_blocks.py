"""Draws to disk layout and back, cut and joined anywhere."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hiddencauses import sample
from hiddencauses.runs.blocks import ARRAYS, Shape, block_of, chain_draws_of, concatenated, cut
from tests.sampling.settings import SPECS, named, small_table, start_for


def drawn(spec, every):
    draws = sample(small_table(), spec, draws=23, warmup=5, chains=1, seed=2, init=start_for(spec))
    shape = Shape.of(spec, n_rows=9, n_variables=3, every=every)
    return draws.packed[0], shape


def bits(block):
    return [block.first, *(getattr(block, name).tobytes() for name in ARRAYS)]


@pytest.mark.parametrize("every", [1, 4])
@pytest.mark.parametrize("spec", SPECS, ids=named)
def test_cutting_and_joining_loses_nothing(spec, every):
    packed, shape = drawn(spec, every)
    whole = block_of(packed, 0, shape)
    rng = np.random.default_rng(0)
    for _ in range(5):
        edges = sorted({0, 23, *rng.integers(0, 24, size=3).tolist()})
        pieces = [cut(whole, a, b, shape) for a, b in itertools.pairwise(edges)]
        assert bits(concatenated(pieces, shape)) == bits(whole)
        again = [cut(piece, piece.first, piece.end, shape) for piece in pieces]
        assert bits(concatenated(again, shape)) == bits(whole)


@pytest.mark.parametrize("spec", SPECS, ids=named)
def test_there_and_back(spec):
    packed, shape = drawn(spec, 1)
    back = chain_draws_of([block_of(packed, 0, shape)], shape, packed.counters)
    for name in ("scalars", "leak", "octets", "octets_end", "reals", "reals_end"):
        np.testing.assert_array_equal(getattr(back, name), getattr(packed, name))


def test_no_draws_at_all():
    packed, shape = drawn(SPECS[0], 1)
    whole = block_of(packed, 0, shape)
    nothing = cut(whole, 23, 40, shape)
    assert len(nothing.scalars) == 0
    assert bits(concatenated([], shape)) == bits(shape.empty())
    assert bits(concatenated([nothing, whole], shape)) == bits(whole)
    assert replace(whole).end == 23
