"""What is to be sampled: the choices of a user, checked, and the chains that follow from them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddencauses.data.readers import read_table
from hiddencauses.errors import UserError, shorten
from hiddencauses.kernels.schedule import AUTO_FINITE, AUTO_INFINITE, SCHEDULES
from hiddencauses.model.spec import Finite, ModelSpec, as_spec
from hiddencauses.rng import fresh_seed
from hiddencauses.sampling.convert import kernel_spec, state_of
from hiddencauses.sampling.initial import check_start, initial_world
from hiddencauses.sampling.ranges import check_priors_representable
from hiddencauses.validation import check_at_least, check_seed

if TYPE_CHECKING:
    from hiddencauses.data.table import Table
    from hiddencauses.kernels.state import KernelSpec, State
    from hiddencauses.model.world import World

__all__ = ["SAMPLERS", "Plan", "check_sampler", "cores", "make_plan"]

#: Samplers by the names users know.
SAMPLERS = ("auto", *SCHEDULES)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be sampled, every choice made and checked.

    Attributes
    ----------
    table, spec, sampler, draws, warmup, chains, seed, init, max_new
        As `sample` takes them, the seed drawn if none was given.
    """

    table: Table
    spec: ModelSpec
    sampler: str
    draws: int
    warmup: int
    chains: int
    seed: int
    init: str | World
    max_new: int | None

    @property
    def schedule(self) -> int:
        """What a sweep does."""
        return check_sampler(self.sampler, self.spec)

    def kernel_spec(self) -> KernelSpec:
        """Return the spec as kernels take it."""
        return kernel_spec(self.spec, max_new=self.max_new)

    def start(self, chain: int) -> State:
        """Return the state a chain begins in."""
        world = initial_world(self.init, self.table, self.spec, seed=self.seed, chain=chain)
        return state_of(world, self.spec)


def make_plan(
    table: Any,
    spec: ModelSpec | None,
    *,
    sampler: str,
    draws: int,
    warmup: int,
    chains: int,
    seed: int | None,
    init: str | World,
    max_new: int | None,
) -> Plan:
    """Check every choice before any work is done (parameters as of `sample`)."""
    spec = as_spec(spec)
    check_sampler(sampler, spec)
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
    return Plan(read, spec, sampler, draws, warmup, chains, seed, check_start(init, read, spec), max_new)


def cores() -> int:
    """Return how many chains can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
