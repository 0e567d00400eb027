"""What holds for a state after any number of sweeps, and starts and limits that sampling takes."""

import numpy as np
import pytest

from hiddencauses import DEFAULT_SPEC, Beta, Finite, Gamma, Geometric, ModelSpec, Table, sample
from hiddencauses.data.bits import unpack_rows
from hiddencauses.kernels.recording import run_sweeps
from hiddencauses.kernels.schedule import GIBBS
from hiddencauses.sampling import convert
from hiddencauses.sampling.chain import _buffers
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of
from hiddencauses.sampling.initial import initial_world
from hiddencauses.sampling.plan import check_sampler
from tests.sampling.settings import CELLS, SPECS_AND_SAMPLERS, named, small_table, start_for


def assert_sound(state, spec):
    """Cached numbers are what they count, and every number is where it may be."""
    count, room = int(state.count[0]), state.degree.size
    used = slice(0, count)
    assert (0 if not isinstance(spec.causes, Finite) else 1) <= count <= room
    assert state.z.shape[1] == state.y.shape[0] == state.prevalence.size == room
    assert state.born.size == state.linked.size == room
    z = state.z[:, used]
    behind = unpack_rows(state.y[used], state.y.shape[1] * 64)[int(state.count[1]) :]
    assert np.isin(z, (0, 1)).all()
    assert not behind.any()
    np.testing.assert_array_equal(state.degree[used], z.sum(axis=0))
    if not isinstance(spec.causes, Finite):
        assert z.any(axis=0).all()
    assert (state.linked[used] >= z.any(axis=0)).all()
    strengths = state.strength if state.strength.shape[1] == 1 else state.strength[:, used]
    for values in (strengths, state.leak, state.prevalence[used]):
        assert ((values > 0) & (values < 1)).all()
    assert 0 < state.concentration[0] < np.inf
    for name in ("strength", "leak", "prevalence", "concentration"):
        fixed, value = getattr(spec, name), getattr(state, name)
        if not isinstance(fixed, (Beta, Gamma)):
            assert (value[used] == fixed).all() if name == "prevalence" else (np.ravel(value) == fixed).all()
    if spec.leak_scope == "shared":
        assert np.ptp(state.leak) == 0
    assert (state.counters >= 0).all()
    assert state.counters[1] <= state.counters[0]
    assert state.counters[3] <= state.counters[2]
    assert state.counters[8] <= state.counters[7]


@pytest.mark.parametrize("spare", [1, 8])
@pytest.mark.parametrize(
    ("spec", "sampler"), SPECS_AND_SAMPLERS, ids=lambda x: x if isinstance(x, str) else named(x)
)
def test_states_stay_sound(monkeypatch, spec, sampler, spare):
    monkeypatch.setattr(convert, "SPARE", spare)
    table = small_table()
    data, plain = kernel_data(table), kernel_spec(spec)
    before = data.ones.copy(), data.zeros.copy()
    none = _buffers(0, 1, 0, 0)
    for chain, init in enumerate(("empty", "prior", start_for(spec))):
        world = initial_world(init, table, spec, seed=3, chain=chain)
        state = state_of(world, spec)
        assert_sound(state, spec)
        first = 0
        for sweeps in (1, 1, 1, 2, 5, 20, 100):
            state, first, _ = run_sweeps(
                check_sampler(sampler, spec),
                np.uint64(3),
                chain,
                first,
                first + sweeps,
                first < 10,
                state,
                data,
                plain,
                none,
                False,
            )
            assert_sound(state, spec)
    np.testing.assert_array_equal((data.ones, data.zeros), before)


def test_step_sizes_adapt_in_warm_up_only():
    spec, table = ModelSpec(leak_scope="per_variable"), small_table()
    state = state_of(initial_world("random:3", table, spec, seed=3, chain=0), spec)
    data, plain, none = kernel_data(table), kernel_spec(spec), _buffers(0, 1, 0, 0)
    tuned = []
    for first, warming in ((0, True), (50, False), (100, True)):
        state, _, _ = run_sweeps(
            GIBBS,
            np.uint64(3),
            0,
            first,
            first + 50,
            warming,
            state,
            data,
            plain,
            none if warming else _buffers(50, 3, 100_000, 10_000),
            False,
        )
        tuned.append(state.tuning.copy())
    assert (tuned[0][1::2] > 0).any()
    np.testing.assert_array_equal(tuned[1], tuned[0])
    assert (tuned[2] != tuned[1]).any()


@pytest.mark.parametrize("init", ["empty", "random", "random:3", "prior", "world"])
@pytest.mark.parametrize(
    "spec",
    [
        ModelSpec.paper(),
        DEFAULT_SPEC,
        ModelSpec(causes=Finite()),
        ModelSpec(leak=0.1, causes=Finite(Geometric(0.3))),
    ],
    ids=["infinite", "default", "finite", "finite, fixed leak"],
)
def test_every_start_runs(spec, init):
    start = initial_world("random:2", small_table(), spec, seed=8, chain=0) if init == "world" else init
    found = sample(CELLS, spec, draws=20, warmup=5, chains=2, seed=5, init=start)
    assert np.isfinite(found.log_joint).all()


def most_born_at_one_visit(spec, max_new):
    """The largest number of causes still there that came at one visit to a variable, over many sweeps."""
    table = small_table()
    state = state_of(initial_world("empty", table, spec, seed=6, chain=0), spec)
    data, plain, none = kernel_data(table), kernel_spec(spec, max_new=max_new), _buffers(0, 1, 0, 0)
    most = 0
    for number in range(300):
        state, _, _ = run_sweeps(
            GIBBS, np.uint64(6), 0, number, number + 1, True, state, data, plain, none, False
        )
        born = state.born[: state.count[0]]
        most = max(most, int(np.unique(born, return_counts=True)[1].max(initial=0)))
    return most


@pytest.mark.parametrize("scopes", [{}, {"strength_scope": "per_link", "prevalence_scope": "per_cause"}])
@pytest.mark.parametrize("max_new", [1, 2])
def test_never_more_new_causes_than_allowed(scopes, max_new):
    spec = ModelSpec(concentration=12.0, **scopes)
    assert most_born_at_one_visit(spec, max_new) == max_new
    # negative control: without the limit there are more
    assert most_born_at_one_visit(spec, None) > max_new
    limited, free = (
        sample(CELLS, spec, draws=20, warmup=0, chains=1, seed=6, max_new=limit).log_joint
        for limit in (max_new, None)
    )
    assert not np.array_equal(limited, free)


def test_the_table_is_not_altered():
    cells, table = CELLS.copy(), small_table()
    before = table.fingerprint()
    cells.setflags(write=False)
    sample(cells, ModelSpec.paper(), draws=5, warmup=5, chains=2, seed=1)
    sample(table, ModelSpec.paper(), draws=5, warmup=5, chains=2, seed=1)
    np.testing.assert_array_equal(cells, CELLS)
    assert table.fingerprint() == before


def test_arrays_and_tables_give_the_same_draws():
    one = sample(CELLS, ModelSpec.paper(), draws=9, warmup=5, chains=1, seed=1)
    two = sample(Table.from_array(CELLS), ModelSpec.paper(), draws=9, warmup=5, chains=1, seed=1)
    np.testing.assert_array_equal(one.log_joint, two.log_joint)
