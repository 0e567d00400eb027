"""What `Draws` gives back, checked against the densities written down from scratch."""

import numpy as np
import pytest

from hiddencauses import Finite, FixedCount, ModelSpec, sample
from hiddencauses.errors import UserError
from hiddencauses.model.joint import log_joint
from hiddencauses.model.priors import Beta
from hiddencauses.sampling.convert import state_of, world_of
from tests.sampling.settings import SPECS_AND_SAMPLERS, named, small_table, start_for

CHAINS, DRAWS = 2, 12
TABLE = small_table()


def assert_same_world(one, other):
    np.testing.assert_array_equal(one.links, other.links)
    np.testing.assert_array_equal(one.activity, other.activity)
    for name in ("strength", "leak", "prevalence", "concentration"):
        np.testing.assert_array_equal(getattr(one.parameters, name), getattr(other.parameters, name))


@pytest.fixture(
    params=SPECS_AND_SAMPLERS, ids=lambda pair: f"{pair[1]}-{named(pair[0])}", scope="module", name="found"
)
def _found(request):
    spec, sampler = request.param
    return sample(
        TABLE, spec, sampler=sampler, draws=DRAWS, warmup=15, chains=CHAINS, seed=4, init=start_for(spec)
    )


def test_shapes(found):
    for name in ("n_causes", "n_total", "log_joint", "concentration"):
        assert getattr(found, name).shape == (CHAINS, DRAWS)
    assert found.n_causes.dtype == found.n_total.dtype == np.int64
    leaks = () if found.spec.leak_scope == "shared" else (3,)
    assert found.leak.shape == (CHAINS, DRAWS, *leaks)
    assert (found.n_chains, found.n_draws) == (CHAINS, DRAWS)
    for name in ("strength", "prevalence"):
        if getattr(found.spec, f"{name}_scope") == "shared":
            assert getattr(found, name).shape == (CHAINS, DRAWS)
        else:
            with pytest.raises(UserError, match="world"):
                getattr(found, name)


def test_every_draw_is_a_world_with_the_recorded_numbers(found):
    codes = TABLE.codes()
    for c in range(CHAINS):
        for d in range(DRAWS):
            world, links, activity = found.world(c, d), found.links(c, d), found.activity(c, d)
            world.check(found.spec, table_shape=TABLE.shape)
            assert links.dtype == activity.dtype == np.int8
            assert links.shape == (3, found.n_total[c, d])
            assert activity.shape == (9, found.n_total[c, d])
            np.testing.assert_array_equal(world.links, links)
            np.testing.assert_array_equal(world.activity, activity)
            assert world.n_causes == found.n_causes[c, d]
            assert world.parameters.concentration == found.concentration[c, d]
            np.testing.assert_array_equal(world.parameters.leak, found.leak[c, d])
            density = log_joint(codes, world, found.spec, integrated_prevalence=True).total
            assert density == pytest.approx(found.log_joint[c, d], abs=1e-8)


def test_fixed_parameters_stay_where_they_are(found):
    world = found.world(0, DRAWS - 1)
    for name in ("strength", "leak", "prevalence"):
        fixed, value = getattr(found.spec, name), getattr(world.parameters, name)
        if not isinstance(fixed, Beta):
            used = value[~np.isnan(value)] if name == "strength" else value
            assert (np.asarray(used) == fixed).all()


def test_worlds_and_states_turn_into_each_other(found):
    for d in range(DRAWS):
        world = found.world(1, d)
        assert_same_world(world_of(state_of(world, found.spec), found.spec), world)


def test_a_run_goes_on_from_a_draw(found):
    world = found.world(0, DRAWS - 1)
    again = sample(TABLE, found.spec, draws=2, warmup=0, chains=1, seed=9, init=world)
    assert np.isfinite(again.log_joint).all()


def test_summaries(found):
    chain, draw = found.highest()
    assert found.log_joint[chain, draw] == found.log_joint.max()
    shares = found.n_causes_distribution()
    assert shares.sum() == pytest.approx(1.0)
    assert (shares[found.n_causes] > 0).all()
    assert repr(found).startswith("Draws(2 chains × 12 draws")
    assert all(values.shape == (CHAINS,) for values in found.counters.values())


def test_links_are_not_views_into_the_store(found):
    links = found.links(0, 0)
    links[...] = 7
    assert (found.links(0, 0) != 7).all()


@pytest.mark.parametrize("draw", [-1, DRAWS])
def test_draws_out_of_range(found, draw):
    with pytest.raises(IndexError):
        found.links(0, draw)


def test_draws_without_any_cause():
    spec = ModelSpec(
        strength=0.9,
        leak=0.2,
        concentration=0.05,
        strength_scope="per_link",
        prevalence_scope="per_cause",
    )
    cells = np.array([[0, 1, 0], [0, 0, 0], [1, 0, 0], [0, 0, 1.0]])
    found = sample(cells, spec, draws=50, warmup=10, chains=1, seed=2)
    empty = int(np.flatnonzero(found.n_causes[0] == 0)[0])
    assert found.links(0, empty).shape == (3, 0)
    assert found.activity(0, empty).shape == (4, 0)
    world = found.world(0, empty)
    world.check(spec, table_shape=(4, 3))
    assert_same_world(world_of(state_of(world, spec), spec), world)
    density = log_joint(cells.astype(np.int8), world, spec, integrated_prevalence=True).total
    assert density == pytest.approx(found.log_joint[0, empty], abs=1e-8)


def test_causes_without_links_are_kept_in_the_finite_model():
    spec = ModelSpec(concentration=0.3, causes=Finite(FixedCount(4)))
    found = sample(TABLE, spec, draws=60, warmup=20, chains=1, seed=2)
    assert (found.n_total == 4).all()
    unlinked = int(np.flatnonzero(found.n_causes[0] < 4)[0])
    assert found.links(0, unlinked).shape == (3, 4)
    assert (~found.links(0, unlinked).any(axis=0)).sum() == 4 - found.n_causes[0, unlinked]
