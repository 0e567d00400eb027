"""What samplers cannot represent is refused by name, before any work."""

import numpy as np
import pytest

from hiddencauses import (
    Beta,
    Finite,
    Gamma,
    ModelSpec,
    TruncatedPoisson,
    UniformCount,
    exact_posterior,
    sample,
)
from hiddencauses.compiled import compiled_door
from hiddencauses.errors import UserError
from hiddencauses.kernels.failure_profile import HIGHEST, LOWEST
from hiddencauses.kernels.streams import LEAST, MOST, uniform
from hiddencauses.model.world import Parameters, World
from hiddencauses.sampling.ranges import largest_count

TABLE = np.array([[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (ModelSpec(strength=Beta(1, 0.1)), r"prior of strength, Beta\(1, 0.1\)"),
        (ModelSpec(leak=Beta(0.01, 1)), "prior of leak"),
        (ModelSpec(prevalence=Beta(0.05, 0.05)), "prior of prevalence"),
        (ModelSpec(concentration=Gamma(0.01, 1)), "prior of concentration"),
    ],
)
def test_priors_beyond_floating_point(spec, said):
    with pytest.raises(UserError, match=said):
        sample(TABLE, spec, draws=1, warmup=0, chains=1)
    assert np.isfinite(exact_posterior(TABLE, spec).log_evidence)  # the oracle needs no such range


def test_the_steepest_priors_that_are_taken_are_sampled_right():
    spec = ModelSpec(strength=Beta(0.4, 0.4), leak=0.1, prevalence=0.4, concentration=1.0)
    cells = np.array([[1, 0], [0, 1], [1, 1]])
    draws = sample(cells, spec, draws=60_000, warmup=500, chains=1, seed=3).strength[0]
    batches = draws.reshape(60, -1).mean(axis=1)
    error = batches.std(ddof=1) / np.sqrt(60)
    assert abs(batches.mean() - exact_posterior(cells, spec).strength) < 4.5 * error


@pytest.mark.parametrize(
    ("prior", "init"), [(UniformCount(5), "random:20"), (TruncatedPoisson(0.1), "random:600")]
)
def test_starts_that_the_prior_on_k_excludes(prior, init):
    with pytest.raises(UserError, match="causes but the prior on K allows at most"):
        sample(TABLE, ModelSpec(causes=Finite(prior)), init=init, draws=1, warmup=0, chains=1)


def test_a_world_with_too_many_causes_is_refused():
    spec = ModelSpec(
        strength=0.9, leak=0.1, prevalence=0.5, concentration=1.0, causes=Finite(TruncatedPoisson(0.1))
    )
    k = largest_count(TruncatedPoisson(0.1)) + 1
    world = World(
        np.ones((2, k), dtype=np.int8),
        np.zeros((2, k), dtype=np.int8),
        Parameters(np.asarray(0.9), np.asarray(0.1), np.asarray(0.5), 1.0),
    )
    with pytest.raises(UserError, match="allows at most"):
        sample(TABLE, spec, init=world, draws=1, warmup=0, chains=1)


def test_the_largest_uniform_number_is_below_one():
    @compiled_door
    def next_uniform(counter):
        stream = np.array([counter, 0], dtype=np.uint64)
        return uniform(stream)

    def unmix(z):
        """Undo the scrambling, to find the counter that gives a chosen word."""
        mask = 2**64 - 1
        for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, None)):
            x = z
            for _ in range(3):
                x = z ^ (x >> shift)
            z = x
            if factor is not None:
                z = (z * pow(factor, -1, 2**64)) & mask
        return z

    assert 0.0 < next_uniform(np.uint64(unmix(0))) < 1e-15
    assert 1.0 - 1e-15 < next_uniform(np.uint64(unmix(2**64 - 1))) < 1.0


def test_the_ranges_fit_each_other():
    assert np.log(LEAST) > LOWEST
    assert np.log(MOST) - np.log1p(-MOST) < HIGHEST
    assert 1.0 / (1.0 + np.exp(-HIGHEST)) < 1.0
