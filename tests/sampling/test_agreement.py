"""R-hat and effective draws: what is known of them, and numbers that hardly vary."""

import math

import numpy as np
import pytest

from hiddencauses.runs.convergence import advice, judge
from hiddencauses.runs.until import is_reached
from hiddencauses.sampling.agreement import effective_draws, split_rhat, standard_error


def independent(chains=4, draws=500, seed=1):
    return np.random.default_rng(seed).normal(size=(chains, draws))


def test_independent_draws_are_worth_what_they_are():
    values = independent()
    # within Monte-Carlo error: R-hat of independent draws deviates from 1 by about 1 / draws
    assert split_rhat(values) == pytest.approx(1, abs=0.01)
    for where in ("bulk", "tail"):
        assert effective_draws(values, where) == pytest.approx(values.size, rel=0.3)
    assert standard_error(values) == pytest.approx(1 / math.sqrt(values.size), rel=0.2)


def test_draws_told_twice_are_worth_half():
    once = effective_draws(independent(), "bulk")
    assert effective_draws(np.repeat(independent(), 2, axis=1), "bulk") == pytest.approx(once, rel=0.3)


def test_chains_apart():
    # negative control: the same chains, one of them elsewhere
    values = independent()
    values[0] += 2
    assert split_rhat(values) > 1.2 and effective_draws(values, "bulk") < 40


def test_numbers_that_never_vary():
    same, own = np.ones((2, 50)), np.tile([[0.0], [1.0]], (1, 50))
    assert split_rhat(same) == 1 and standard_error(same) == 0
    assert math.isnan(effective_draws(same, "bulk"))
    assert split_rhat(own) == math.inf
    known, unknown = judge({"same": same, "own": own})
    assert (known.rhat, known.ess_bulk, known.ess_tail) == (1, 100, 100)
    assert (unknown.rhat, unknown.ess_bulk, unknown.ess_tail) == (math.inf, 0, 0)


@pytest.mark.parametrize("values", [independent(chains=1), independent(draws=3)], ids=["chain", "draws"])
def test_where_nothing_can_be_said(values):
    assert math.isnan(split_rhat(values))
    (found,) = judge({"number": values})
    assert not is_reached({"rhat": 100.0}, [found])


def test_one_chain_is_not_said_to_disagree():
    found = judge({"number": independent(chains=1)})
    assert is_reached({"ess": 100.0}, found)
    assert [line.split(",")[0] for line in advice(found, 1)] == ["there is one chain only"]
