"""The twin against the compiled sampler: the same draws, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from hiddencauses.data.table import Table
from hiddencauses.kernels.schedule import GIBBS, REVERSIBLE_JUMP, SINGLE_LINK_BIRTHS
from hiddencauses.model.simulate import simulate
from hiddencauses.model.spec import Infinite, ModelSpec
from hiddencauses.model.world import World
from hiddencauses.sampling.chain import run_chain
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of
from hiddencauses.sampling.draws import Draws
from hiddencauses.sampling.initial import initial_world
from verification.case import Case, Outcome, Settings
from verification.specs import pairwise_specs
from verification.twin.algorithms import gibbs_sweep, reversible_jump_sweep
from verification.twin.source import StreamSource
from verification.twin.world import twin_of, world_of_twin

KINDS = {REVERSIBLE_JUMP: "unlinked", SINGLE_LINK_BIRTHS: "single"}


@dataclass(frozen=True)
class Agreement:
    """How far the twin and the compiled sampler went together.

    Attributes
    ----------
    sweeps
        Draws that were compared.
    same
        Draws before the first whose links or activity differ.
    largest
        The largest difference of a parameter over those, relative to the parameter.
    """

    sweeps: int
    same: int
    largest: float


def compare(
    table: Table,
    spec: ModelSpec,
    schedule: int,
    start: World,
    *,
    seed: int,
    warmup: int,
    draws: int,
    max_new: int | None = None,
) -> Agreement:
    """Run both from the same start with the same streams."""
    chain = 3
    packed = run_chain(
        schedule,
        seed,
        chain,
        warmup=warmup,
        draws=draws,
        state=state_of(start, spec),
        data=kernel_data(table),
        spec=kernel_spec(spec, max_new=max_new),
    )
    compiled = Draws(spec, seed, "gibbs", table.columns, table.n_rows, (packed,))
    source, twin = StreamSource(seed, chain), twin_of(table.codes(), start, spec)
    largest = 0.0
    for number in range(warmup + draws):
        warming = number < warmup
        if schedule == GIBBS:
            gibbs_sweep(source, twin, number, warming=warming, max_new=max_new)
        else:
            reversible_jump_sweep(source, twin, number, warming=warming, kinds=KINDS[schedule])
        if warming:
            continue
        ours, theirs = compiled.world(0, number - warmup), world_of_twin(twin)
        if ours.links.shape != theirs.links.shape:
            return Agreement(draws, number - warmup, largest)
        if (ours.links != theirs.links).any() or (ours.activity != theirs.activity).any():
            return Agreement(draws, number - warmup, largest)
        for name in ("strength", "leak", "prevalence", "concentration"):
            a = np.atleast_1d(getattr(ours.parameters, name))
            b = np.atleast_1d(getattr(theirs.parameters, name))
            known = ~np.isnan(a)
            assert (known == ~np.isnan(b)).all()
            largest = max(largest, float(np.max(np.abs(a[known] / b[known] - 1), initial=0.0)))
    return Agreement(draws, draws, largest)


def cases() -> list[Case]:
    """Return the case: every variant of the model, every sampler that fits it, three starts."""
    return [Case("twin agreement, every variant", True, _run)]


def _run(settings: Settings) -> Outcome:
    spec_of_table = ModelSpec(strength=0.8, leak=0.1, prevalence=0.4)
    links = [[1, 0], [1, 1], [0, 1], [0, 1]]
    table = simulate(rows=12, links=links, spec=spec_of_table, missing_rate=0.1, seed=settings.seed).table
    found = []
    for spec in pairwise_specs():
        schedules = [GIBBS] if isinstance(spec.causes, Infinite) else list(KINDS)
        for schedule, start in product(schedules, ("empty", "random:2", "prior")):
            world = initial_world(start, table, spec, seed=settings.seed, chain=3)
            draws = 20 if settings.fast else 100
            found.append(compare(table, spec, schedule, world, seed=settings.seed, warmup=15, draws=draws))
    largest = max(agreement.largest for agreement in found)
    return Outcome(
        passed=largest < 1e-9 and all(agreement.same == agreement.sweeps for agreement in found),
        figures={
            "runs": len(found),
            "draws": sum(agreement.sweeps for agreement in found),
            "the same": sum(agreement.same for agreement in found),
            "largest relative difference": largest,
        },
        detail="draws of the compiled sampler and of the plain-Python twin, one after the other",
    )
