"""The named streams: what they are, that they look random, and that names are independent."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from tests.kernels import stream_doors as doors

#: Chance that a test of this file fails though nothing is wrong; the seeds are fixed, so it fails for ever.
LEVEL = 1e-5
SEED = 20060713
KINDS = {"normal": 0, "gamma": 1, "beta": 2, "poisson": 3}


def draws(kind, a=1.0, b=1.0, n=100_000, seed=SEED):
    out = np.empty(n)
    doors.draws(KINDS[kind], float(a), float(b), np.uint64(seed), out)
    return out


def uniform_p_value(numbers, bins=64):
    """Chi-square test of counts in equal bins."""
    return stats.chisquare(np.bincount((np.ravel(numbers) * bins).astype(int), minlength=bins)).pvalue


def pair_p_value(x, y, bins=12):
    """Chi-square test that pairs fill the unit square evenly, which notices dependence of any kind."""
    cells = (x * bins).astype(int) * bins + (y * bins).astype(int)
    return stats.chisquare(np.bincount(cells, minlength=bins * bins)).pvalue


def test_numbers_lie_strictly_between_0_and_1():
    numbers = doors.stream_numbers(1, 0, 100, 0, 0, 1_000_000)
    assert 0.0 < numbers.min() < numbers.max() < 1.0


@pytest.mark.parametrize(
    "name",
    [
        (0, 0, 0, 0, 0),
        (1, 0, 100, 0, 0),
        (2**64 - 1, 3, 104, 7, 10**9),
    ],
)
def test_one_stream_is_uniform_and_its_neighbours_independent(name):
    numbers = doors.stream_numbers(*name, 400_000)
    assert uniform_p_value(numbers) > LEVEL
    for lag in (1, 2, 3, 17):
        assert pair_p_value(numbers[:-lag], numbers[lag:]) > LEVEL


def neighbours(of, names=200_000):
    """The first numbers of many streams beside those of streams whose name differs by one in one word."""
    first = np.empty((names, 2))
    second = np.empty((names, 2))
    word = {"seed": 0, "chain": 1, "purpose": 2, "block": 3, "sweep": 4}[of]
    name = [SEED, 2, 104, 5, 1000]
    other = list(name)
    other[word] += 1
    doors.first_uniforms(np.uint64(name[0]), *name[1:], first)
    doors.first_uniforms(np.uint64(other[0]), *other[1:], second)
    return first, second


@pytest.mark.parametrize("word", ["seed", "chain", "purpose", "block", "sweep"])
def test_streams_of_neighbouring_names_are_independent(word):
    first, second = neighbours(word)
    if word == "sweep":  # the second is the first, one stream later
        first, second = first[:, [0]], second[:, [1]]
    assert uniform_p_value(first) > LEVEL
    for column in range(first.shape[1]):
        assert pair_p_value(first[:, column], second[:, column]) > LEVEL
        assert pair_p_value(first[:-1, column], first[1:, column]) > LEVEL
        # linear dependence, to which pairs in bins are rather blind
        assert abs(np.corrcoef(first[:, column], second[:, column])[0, 1]) < 5 / np.sqrt(len(first))


def test_the_beginnings_of_streams_are_independent_of_their_further_numbers():
    first = np.empty((200_000, 6))
    doors.first_uniforms(np.uint64(SEED), 0, 100, 0, 0, first)
    for a in range(6):
        for b in range(a):
            assert pair_p_value(first[:, a], first[:, b]) > LEVEL / 15


def test_sums_over_many_streams_have_the_right_variance():
    # streams that lean the same way make sums vary too much, streams that balance each other too little
    numbers = np.empty((100_000, 8))
    doors.first_uniforms(np.uint64(SEED), 1, 102, 3, 0, numbers)
    means = (numbers.reshape(1000, 100, 8).mean(axis=1) - 0.5) * np.sqrt(12 * 100)
    assert stats.kstest(means.ravel(), "norm").pvalue > LEVEL


def test_dependent_streams_are_noticed():
    # negative controls: shifted streams, weakly mixed ones, and unequal bins
    numbers = doors.stream_numbers(SEED, 0, 100, 0, 0, 200_000)
    assert pair_p_value(numbers[:-1], (numbers[:-1] + 0.02 * numbers[1:]) % 1.0) < LEVEL
    leaning = np.where(numbers[1:] < 0.02, numbers[:-1], numbers[1:])
    assert pair_p_value(numbers[:-1], leaning) < LEVEL
    assert uniform_p_value(numbers**1.02) < LEVEL


@pytest.mark.parametrize("shape", [0.05, 0.3, 1.0, 1.7, 12.0, 400.0])
def test_gamma(shape):
    assert stats.kstest(draws("gamma", shape), stats.gamma(shape).cdf).pvalue > LEVEL


@pytest.mark.parametrize(("a", "b"), [(1, 1), (0.2, 0.5), (2, 5), (0.5, 30), (80, 3), (1000, 1000)])
def test_beta(a, b):
    found = draws("beta", a, b)
    assert ((found > 0) & (found < 1)).all()
    assert stats.kstest(found, stats.beta(a, b).cdf).pvalue > LEVEL


def test_normal():
    assert stats.kstest(draws("normal"), "norm").pvalue > LEVEL


@pytest.mark.parametrize("mean", [1e-3, 0.1, 0.7, 3.0, 40.0])
def test_poisson(mean):
    found = draws("poisson", mean).astype(int)
    law = stats.poisson(mean)
    # lump both tails so that every class expects at least ten
    low, high = int(law.ppf(2e-4)), int(law.isf(2e-4))
    counts = np.bincount(np.clip(found, low, high), minlength=high + 1)[low:]
    expected = law.pmf(np.arange(low, high + 1))
    expected[0], expected[-1] = law.cdf(low), law.sf(high - 1)
    assert stats.chisquare(counts, expected * len(found)).pvalue > LEVEL


def test_wrong_shape_is_noticed():
    # negative control
    assert stats.kstest(draws("gamma", 1.7), stats.gamma(1.75).cdf).pvalue < LEVEL
    assert stats.kstest(draws("beta", 2, 5), stats.beta(2.05, 5).cdf).pvalue < LEVEL


@pytest.mark.parametrize("n", [2, 3, 4])
def test_orders_are_equally_likely(n):
    out = np.empty((120_000, n), dtype=np.int64)
    doors.orders(n, np.uint64(SEED), out)
    place = {order: p for p, order in enumerate(permutations(range(n)))}
    counts = np.bincount([place[tuple(row)] for row in out.tolist()], minlength=len(place))
    assert stats.chisquare(counts).pvalue > LEVEL


@pytest.mark.parametrize("n", [0, 1])
def test_orders_of_nothing_and_of_one(n):
    out = np.full((3, n), -1, dtype=np.int64)
    doors.orders(n, np.uint64(SEED), out)
    assert (out == 0).all()


def test_long_orders_are_orders_with_even_places():
    out = np.empty((20_000, 25), dtype=np.int64)
    doors.orders(25, np.uint64(SEED), out)
    assert (np.sort(out, axis=1) == np.arange(25)).all()
    for place in (0, 12, 24):
        assert stats.chisquare(np.bincount(out[:, place], minlength=25)).pvalue > LEVEL
