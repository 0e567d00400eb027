"""`sample`: draws from the posterior, in memory."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from hiddencauses.model.spec import ModelSpec
from hiddencauses.sampling.chain import run_chain
from hiddencauses.sampling.convert import kernel_data
from hiddencauses.sampling.draws import ChainDraws, Draws
from hiddencauses.sampling.plan import SAMPLERS, cores, make_plan

if TYPE_CHECKING:
    from hiddencauses.model.world import World

__all__ = ["SAMPLERS", "sample"]


def sample(
    table: Any,
    spec: ModelSpec | None = None,
    *,
    sampler: str = "auto",
    draws: int = 1000,
    warmup: int = 1000,
    chains: int = 4,
    seed: int | None = None,
    init: str | World = "empty",
    max_new: int | None = None,
) -> Draws:
    """Draw from the posterior of the model given a table.

    Parameters
    ----------
    table
        Whatever `read_table` takes: a `Table`, an array of 0, 1 and NaN, a frame, a file. It is not altered.
    spec
        The variant of the model; `DEFAULT_SPEC` when left out.
    sampler
        "gibbs", the paper's Algorithm 2, for unbounded causes; "reversible_jump", its Algorithm 1, for a
        finite number; "single_link_births", the variant its section 7 suggests, also for a finite number;
        "auto", for both, which adds moves on groups of causes to what these do.
    draws
        Sweeps kept of each chain.
    warmup
        Sweeps thrown away before them, in which step sizes adapt.
    chains
        Independent chains, each in a thread of its own; at most as many run at once as there are cores.
    seed
        The same seed gives the same draws, bit for bit, however many chains there are. Drawn, and recorded
        in the result, when left out.
    init
        Where chains start: "empty", "random" (ten causes), "random:K", "prior", or a `World`.
    max_new
        The most causes of its own that a variable may gain at one visit (the paper cuts at 10, which is an
        approximation); no limit when left out. Moves on groups, in "auto", are not bound by it.

    Examples
    --------
    >>> spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.3)
    >>> found = sample([[1, 1, 0], [0, 0, 1], [1, 1, 1]], spec, draws=200, warmup=50, chains=2, seed=1)
    >>> found.n_causes.shape
    (2, 200)
    """
    plan = make_plan(
        table,
        spec,
        sampler=sampler,
        draws=draws,
        warmup=warmup,
        chains=chains,
        seed=seed,
        init=init,
        max_new=max_new,
    )
    data, plain = kernel_data(plan.table), plan.kernel_spec()
    ended = threading.Event()

    def run(chain: int) -> ChainDraws:
        return run_chain(
            plan.schedule,
            plan.seed,
            chain,
            warmup=plan.warmup,
            draws=plan.draws,
            state=plan.start(chain),
            data=data,
            spec=plain,
            stopped=ended.is_set,
        )

    with ThreadPoolExecutor(max_workers=min(plan.chains, cores())) as pool:
        try:
            packed = list(pool.map(run, range(plan.chains)))
        finally:
            ended.set()  # an interrupt or an error ends the other chains at their next piece
    return Draws(plan.spec, plan.seed, sampler, plan.table.columns, plan.table.n_rows, tuple(packed))
