"""Extreme parameters and degenerate tables: no warning, and every log joint a finite number."""

import warnings

import numpy as np
import pytest

from hiddencauses import DEFAULT_SPEC, Beta, Finite, FixedCount, ModelSpec, sample
from hiddencauses.errors import HiddenCausesWarning
from hiddencauses.model.joint import log_joint
from hiddencauses.model.world import Parameters, World
from tests.sampling.settings import CELLS

TINY, ALMOST_ONE = 1e-12, 1.0 - 1e-12
FIXED = {"strength": 0.8, "leak": 0.1, "prevalence": 0.3, "concentration": 1.0}


def run(cells, spec, sampler="auto", **options):
    """Draws from a table that may have constant columns; every other warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HiddenCausesWarning)
        found = sample(
            np.asarray(cells, dtype=float),
            spec,
            sampler=sampler,
            **({"draws": 40, "warmup": 20, "chains": 1, "seed": 3} | options),
        )
    assert np.isfinite(found.log_joint).all()
    codes = np.where(np.isnan(cells), -1, cells).astype(np.int8)
    world = found.world(0, found.n_draws - 1)
    density = log_joint(codes, world, spec, integrated_prevalence=True).total
    assert density == pytest.approx(found.log_joint[0, -1], rel=1e-9, abs=1e-6)
    return found


KINDS = {
    "gibbs": ({}, "gibbs"),
    "reversible jump": ({"causes": Finite()}, "reversible_jump"),
    "single link": ({"causes": Finite()}, "single_link_births"),
    "both births": ({"causes": Finite()}, "auto"),
    "fixed K": ({"causes": Finite(FixedCount(2))}, "auto"),
}


@pytest.fixture(params=KINDS, name="kind")
def _kind(request):
    return KINDS[request.param]


@pytest.mark.parametrize(
    "fixed",
    [
        {"leak": TINY},
        {"leak": ALMOST_ONE},
        {"strength": ALMOST_ONE},
        {"strength": TINY},
        {"prevalence": TINY},
        {"prevalence": ALMOST_ONE},
        {"strength": ALMOST_ONE, "leak": TINY},
        {"strength": ALMOST_ONE, "leak": TINY, "prevalence": ALMOST_ONE},
        {"strength": TINY, "leak": TINY, "prevalence": TINY},
        {"concentration": TINY},
        {"concentration": 30.0},
    ],
    ids=str,
)
def test_extreme_parameters(kind, fixed):
    causes, sampler = kind
    run(CELLS, ModelSpec(**(FIXED | fixed), **causes), sampler)
    free = {name: value for name, value in fixed.items() if name != "concentration"}
    run(CELLS, ModelSpec(**free, **causes, leak_scope="per_variable"), sampler)


TABLES = {
    "all off": np.zeros((6, 3)),
    "all on": np.ones((6, 3)),
    "all missing": np.full((6, 3), np.nan),
    "a row missing": np.array([[1, 0], [np.nan, np.nan], [0, 1]]),
    "1 × 1 on": np.ones((1, 1)),
    "1 × 1 off": np.zeros((1, 1)),
    "1 × 1 missing": np.full((1, 1), np.nan),
    "one row": np.array([[1, 0, 1, np.nan, 1]]),
    "one variable": np.array([[1.0], [0], [1], [np.nan], [1]]),
    "a column on in every row": np.array([[1, 0], [1, 1], [1, 0]]),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "scopes",
    [
        {},
        {"strength_scope": "per_link", "leak_scope": "per_variable", "prevalence_scope": "per_cause"},
        {"strength_scope": "per_cause"},
        FIXED,
    ],
    ids=["shared", "own", "per cause", "fixed"],
)
def test_degenerate_tables(kind, name, scopes):
    causes, sampler = kind
    run(TABLES[name], ModelSpec(**scopes, **causes), sampler)


@pytest.mark.parametrize("on", [0, 1])
@pytest.mark.parametrize("scope", ["shared", "per_cause"])
def test_a_cause_that_starts_on_or_off_in_every_row(on, scope):
    spec = ModelSpec(prevalence_scope=scope)
    links = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.int8)
    activity = np.full((9, 2), on, dtype=np.int8)
    prevalence = np.asarray(0.5) if scope == "shared" else np.full(2, 0.5)
    start = World(links, activity, Parameters(np.asarray(0.5), np.asarray(0.5), prevalence, 1.0))
    run(CELLS, spec, init=start, warmup=0)


@pytest.mark.parametrize("prior", [Beta(1, 0.5), Beta(0.1, 1), Beta(500, 1), Beta(1, 500), Beta(1e6, 1e6)])
def test_steep_priors(kind, prior):
    causes, sampler = kind
    run(CELLS, ModelSpec(strength=prior, leak=prior, prevalence=prior, **causes), sampler)
    run(CELLS, ModelSpec(prevalence=prior, prevalence_scope="per_cause", **causes), sampler)


def test_starts_next_to_the_ends_of_the_unit_interval():
    links = np.array([[1], [1], [0]], dtype=np.int8)
    for value in (1e-290, TINY, ALMOST_ONE, 1.0 - 2.0**-52):
        start = World(
            links,
            np.ones((9, 1), dtype=np.int8),
            Parameters(np.full((3, 1), value), np.full(3, value), np.full(1, value), 1.0),
        )
        run(CELLS, DEFAULT_SPEC, init=start, warmup=0)


@pytest.mark.parametrize("value", [0.9, ALMOST_ONE, TINY])
def test_ten_thousand_links_of_one_cause(value):
    cells = np.zeros((70, 10_000))
    cells[::3] = 1.0
    cells[:, ::7] = 0.0
    start = World(
        np.ones((10_000, 1), dtype=np.int8),
        np.ones((70, 1), dtype=np.int8),
        Parameters(np.full((10_000, 1), value), np.full(10_000, TINY), np.full(1, 0.5), 1.0),
    )
    run(cells, DEFAULT_SPEC, init=start, warmup=0, draws=2)
