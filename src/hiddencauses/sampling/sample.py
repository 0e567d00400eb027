"""`sample`: draws from the posterior, in memory."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from hiddencauses.data.readers import read_table
from hiddencauses.errors import UserError, shorten
from hiddencauses.kernels.schedule import AUTO_FINITE, AUTO_INFINITE, SCHEDULES
from hiddencauses.model.spec import Finite, ModelSpec, as_spec
from hiddencauses.rng import fresh_seed
from hiddencauses.sampling.chain import run_chain
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of
from hiddencauses.sampling.draws import Draws
from hiddencauses.sampling.initial import check_start, initial_world
from hiddencauses.sampling.ranges import check_priors_representable
from hiddencauses.validation import check_at_least, check_seed

if TYPE_CHECKING:
    from hiddencauses.model.world import World

__all__ = ["SAMPLERS", "sample"]

#: Samplers by the names users know.
SAMPLERS = ("auto", *SCHEDULES)


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
        Independent chains, each in a thread of its own.
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
    spec = as_spec(spec)
    schedule = check_sampler(sampler, spec)
    check_priors_representable(spec)
    draws, warmup = check_at_least("draws", draws, 1), check_at_least("warmup", warmup, 0)
    chains = check_at_least("chains", chains, 1)
    seed = fresh_seed() if seed is None else check_seed(seed)
    if max_new is not None:
        max_new = check_at_least("max_new", max_new, 1)
        if isinstance(spec.causes, Finite):
            raise UserError(
                "max_new bounds the new causes of the infinite model; leave it out for a finite one"
            )
    read = read_table(table)
    init = check_start(init, read, spec)
    data, plain = kernel_data(read), kernel_spec(spec, max_new=max_new)
    ended = threading.Event()

    def run(chain: int) -> Any:
        state = state_of(initial_world(init, read, spec, seed=seed, chain=chain), spec)
        return run_chain(
            schedule,
            seed,
            chain,
            warmup=warmup,
            draws=draws,
            state=state,
            data=data,
            spec=plain,
            stopped=ended.is_set,
        )

    with ThreadPoolExecutor(max_workers=chains) as pool:
        try:
            packed = list(pool.map(run, range(chains)))
        finally:
            ended.set()  # an interrupt or an error ends the other chains at their next piece
    return Draws(spec, seed, sampler, read.columns, read.n_rows, tuple(packed))


def check_sampler(sampler: str, spec: ModelSpec) -> int:
    """Return the schedule of a sampler that fits the spec."""
    if sampler not in SAMPLERS:
        raise UserError(f"sampler is {shorten(sampler)}; choose one of {', '.join(SAMPLERS)}")
    finite = isinstance(spec.causes, Finite)
    if sampler == "auto":
        return AUTO_FINITE if finite else AUTO_INFINITE
    if sampler == "gibbs" and finite:
        raise UserError(
            "sampler 'gibbs' is for unbounded causes and the spec has a prior on their number; "
            "take 'reversible_jump' or 'auto', or causes=Infinite()"
        )
    if sampler != "gibbs" and not finite:
        raise UserError(
            f"sampler {sampler!r} is for a finite number of causes and the spec has unbounded ones; "
            "take 'gibbs' or 'auto', or causes=Finite()"
        )
    return SCHEDULES[sampler]
