"""The twin against the compiled sampler: the same draws, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hiddencauses.data.table import Table
from hiddencauses.kernels.schedule import BOTH_BIRTHS, GIBBS, REVERSIBLE_JUMP, SINGLE_LINK_BIRTHS
from hiddencauses.model.spec import ModelSpec
from hiddencauses.model.world import World
from hiddencauses.sampling.chain import run_chain
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of
from hiddencauses.sampling.draws import Draws
from verification.twin.algorithms import gibbs_sweep, reversible_jump_sweep
from verification.twin.source import StreamSource
from verification.twin.world import twin_of, world_of_twin

KINDS = {REVERSIBLE_JUMP: "unlinked", SINGLE_LINK_BIRTHS: "single", BOTH_BIRTHS: "both"}


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
