"""What is said of a row against sums over all activity, written out."""

from itertools import product

import numpy as np
import pytest

from hiddencauses.model.noisy_or import strength_per_link
from hiddencauses.posterior.collection import collect
from hiddencauses.posterior.rows import Inference, spread_draws, worlds_of
from tests.posterior.known_draws import KnownDraws, random_world, world

ROWS, VARIABLES = 40, 5


def by_enumeration(cells, one, asked):
    """P(y on | row), P(asked cell on | row), log P(row), and who switched ones on, in one world."""
    strength, leak, p = strength_per_link(one), one.parameters.leak, one.parameters.prevalence
    k = one.n_total
    total, at_work, on = 0.0, np.zeros(k), np.zeros(len(cells))
    by_cause, by_leak = np.zeros((k, len(cells))), np.zeros(len(cells))
    for state in product((0, 1), repeat=k):
        y = np.array(state, dtype=float)
        off = (1 - leak) * np.prod(1 - strength * y, axis=1)
        seen = np.where(cells == 1, 1 - off, np.where(cells == 0, off, 1.0))
        weight = np.prod(np.where(y == 1, p, 1 - p)) * np.prod(seen)
        total += weight
        at_work += weight * y
        on += weight * (1 - off)
        by_cause += weight * (strength * y).T / (1 - off)
        by_leak += weight * leak / (1 - off)
    ones = cells == 1
    return (
        at_work / total,
        np.where(asked, on / total, np.nan),
        np.log(total),
        np.where(ones, by_cause / total, 0.0),
        np.where(ones, by_leak / total, 0.0),
    )


def setting(seed, counts=(3, 0, 4, 1)):
    """Draws with different numbers of causes, each of its own label, and rows."""
    rng = np.random.default_rng(seed)
    worlds = [random_world(rng, 4, VARIABLES, k) for k in counts]
    causes = collect(KnownDraws([worlds]))
    codes = rng.choice(np.array([-1, 0, 1], dtype=np.int8), p=[0.2, 0.4, 0.4], size=(ROWS, VARIABLES))
    codes[0], codes[1], codes[2] = -1, 1, 0
    return worlds, causes, codes


def inference_of_all(causes, **options):
    labels = np.arange(causes.n_causes)
    worlds = worlds_of(causes, labels, causes.n_causes, np.arange(causes.n_draws))
    return Inference(worlds, causes.n_causes, seed=3, **options)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sums_are_those_written_out(seed):
    worlds, causes, codes = setting(seed)
    asked = codes != 1
    found = inference_of_all(causes).of_rows(codes, asked=asked, density=True, parts=True)
    for row in range(ROWS):
        told = [by_enumeration(codes[row], one, asked[row]) for one in worlds]
        np.testing.assert_allclose(found.at_work[row], np.concatenate([t[0] for t in told]), rtol=1e-10)
        np.testing.assert_allclose(found.on[row], np.mean([t[1] for t in told], axis=0), rtol=1e-10)
        np.testing.assert_allclose(found.log_density[row], [t[2] for t in told], rtol=1e-10, atol=1e-12)
        parts = np.concatenate([t[3] for t in told]) / len(worlds)
        np.testing.assert_allclose(found.by_cause[row], parts, rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(found.by_leak[row], np.mean([t[4] for t in told], axis=0), rtol=1e-10)
    assert (found.log_density_error == 0).all()


def test_sums_with_another_leak_are_noticed():
    # negative control
    worlds, causes, codes = setting(1)
    causes.leak[:] *= 1.01
    found = inference_of_all(causes).of_rows(codes, density=True)
    told = [[by_enumeration(cells, one, cells != 1)[2] for one in worlds] for cells in codes]
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(found.log_density, told, rtol=1e-10, atol=1e-12)


def test_groups_too_large_to_sum_are_sampled():
    _, causes, codes = setting(4, counts=(6,))
    asked, sweeps = codes != 1, 4000
    exact = inference_of_all(causes).of_rows(codes, asked=asked, density=True, parts=True)
    drawn = inference_of_all(causes, largest=1, sweeps=sweeps).of_rows(
        codes, asked=asked, density=True, parts=True
    )
    # neighbouring sweeps are alike, say as 10 alike ones count for one; and 5 standard errors
    tolerance = 5 * np.sqrt(0.25 * 10 / sweeps)
    np.testing.assert_allclose(drawn.at_work, exact.at_work, atol=tolerance)
    np.testing.assert_allclose(drawn.on, exact.on, atol=tolerance)
    np.testing.assert_allclose(drawn.by_cause, exact.by_cause, atol=2 * tolerance)
    assert (drawn.log_density_error > 0).any()
    # 2 weights stand for the sum with `largest=1`; their error is given, roughly
    assert np.isfinite(drawn.log_density).all()


def test_density_of_large_groups_is_within_its_error():
    _, causes, codes = setting(5, counts=(9,))
    exact = inference_of_all(causes, largest=9).of_rows(codes, density=True)
    drawn = inference_of_all(causes, largest=8, sweeps=500).of_rows(codes, density=True)
    tied = drawn.log_density_error > 0
    assert tied.any() and not tied.all()
    off = np.abs(np.expm1(drawn.log_density - exact.log_density))[tied] / drawn.log_density_error[tied]
    assert (off < 5).all()
    np.testing.assert_allclose(drawn.log_density[~tied], exact.log_density[~tied], rtol=1e-12)


def test_answers_depend_on_the_row_alone():
    _, causes, codes = setting(6, counts=(6, 5))
    inference = inference_of_all(causes, largest=2, sweeps=20, threads=1)
    whole = inference.of_rows(codes).at_work
    np.testing.assert_array_equal(inference.of_rows(codes[::-1]).at_work, whole[::-1])
    pieces = [inference.of_rows(codes[i : i + 7]).at_work for i in range(0, ROWS, 7)]
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    many = inference_of_all(causes, largest=2, sweeps=20, threads=3)
    np.testing.assert_array_equal(many.of_rows(np.tile(codes, (60, 1))).at_work, np.tile(whole, (60, 1)))


def test_no_cause_at_all():
    causes = collect(KnownDraws([[world(np.zeros((3, 0)), np.zeros((2, 0)), leak=[0.1, 0.2, 0.3])]]))
    codes = np.array([[1, 0, -1], [-1, -1, -1]], dtype=np.int8)
    found = inference_of_all(causes).of_rows(codes, asked=codes == -1, density=True, parts=True)
    assert found.at_work.shape == (2, 0)
    np.testing.assert_allclose(found.on, [[np.nan, np.nan, 0.3], [0.1, 0.2, 0.3]])
    np.testing.assert_allclose(found.log_density[:, 0], [np.log(0.1) + np.log(0.8), 0.0])
    np.testing.assert_allclose(found.by_leak, [[1, 0, 0], [0, 0, 0]])


def test_strengths_and_leaks_at_the_edge():
    one = world([[1, 1], [1, 0]], [[1, 1]], strength=1.0 - 2.0**-53, leak=[1e-290, 1e-3], prevalence=0.5)
    causes = collect(KnownDraws([[one]]))
    codes = np.array([[1, 1], [0, 1], [1, 0], [0, 0]], dtype=np.int8)
    found = inference_of_all(causes).of_rows(codes, density=True)
    assert np.isfinite(found.log_density).all()
    np.testing.assert_allclose(found.at_work[1], 0.0, atol=1e-9)
    np.testing.assert_allclose(found.at_work[2], [0.0, 1.0], atol=1e-9)


def test_draws_are_spread_over_all_chains():
    assert list(spread_draws(10, None)) == list(range(10))
    assert list(spread_draws(10, 5)) == [1, 3, 5, 7, 9]
    assert len(set(spread_draws(4000, 100) // 1000)) == 4
