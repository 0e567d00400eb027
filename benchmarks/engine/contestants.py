"""The engine and the baseline from the same state of the same table, as functions that make sweeps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.engine.baseline.per_link import PerLinkChain
from benchmarks.engine.baseline.shared import SharedChain
from benchmarks.engine.tables import SPECS, in_spec
from benchmarks.recovery.tables import Problem
from hiddencauses import ModelSpec
from hiddencauses.data.table import Table
from hiddencauses.kernels.recording import SCALARS, Buffers, run_sweeps
from hiddencauses.kernels.schedule import GIBBS
from hiddencauses.model.world import World
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of

__all__ = ["Sweeps", "baseline_chain", "baseline_sweeps", "engine_sweeps"]

#: Makes so many sweeps.
Sweeps = Callable[[int], None]


def engine_sweeps(table: Table, start: World, spec: ModelSpec, *, seed: int, schedule: int = GIBBS) -> Sweeps:
    """Return the engine's sweeps from a world, as in warm-up: nothing is recorded."""
    data, plain, key = kernel_data(table), kernel_spec(spec), np.uint64(seed)
    state, done, none = state_of(start, spec), 0, _no_buffers(plain.leak_shared, table.n_variables)

    def run(number: int) -> None:
        nonlocal state, done
        state, done, _ = run_sweeps(
            schedule, key, 0, done, done + number, True, state, data, plain, none, False
        )

    return run


def _no_buffers(leak_shared: bool, n_variables: int) -> Buffers:
    """Return buffers for no draw."""
    nothing = np.empty(0, dtype=np.int64)
    return Buffers(
        used=np.zeros(3, dtype=np.int64),
        scalars=np.empty((0, len(SCALARS))),
        leak=np.empty((0, 1 if leak_shared else n_variables)),
        octets=np.empty(0, dtype=np.uint8),
        octets_end=nothing,
        reals=np.empty(0),
        reals_end=nothing,
    )


def baseline_chain(problem: Problem, spec_name: str, *, seed: int) -> SharedChain | PerLinkChain:
    """Return a chain of the baseline for one of the two specs, at the truth."""
    world = in_spec(problem.truth, SPECS[spec_name])
    given = world.parameters
    cells = problem.table.codes()
    if spec_name == "shared":
        return SharedChain(
            cells,
            world.links,
            world.activity,
            strength=float(given.strength),
            leak=float(given.leak),
            prevalence=float(given.prevalence),
            concentration=given.concentration,
            seed=seed,
        )
    return PerLinkChain(
        cells,
        world.links,
        world.activity,
        strength=given.strength,
        leak=given.leak,
        prevalence=given.prevalence,
        concentration=given.concentration,
        seed=seed,
    )


def baseline_sweeps(problem: Problem, spec_name: str, *, seed: int) -> Sweeps:
    """Return the baseline's sweeps from the truth."""
    return baseline_chain(problem, spec_name, seed=seed).sweeps
