"""Whether chains agree, judged by numbers that do not depend on the order of causes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.kernels.recording import SCALARS
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.sampling.agreement import (
    ESS_PER_CHAIN,
    FEWEST_DRAWS,
    RHAT_LIMIT,
    effective_draws,
    split_rhat,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.model.spec import ModelSpec
    from hiddencauses.runs.blocks import Block

__all__ = ["Quantity", "advice", "judge", "watched"]


class Quantity(NamedTuple):
    """How well one number is known.

    Attributes
    ----------
    name
        Which.
    rhat
        Rank-normalised split R-hat: 1 when chains agree, infinite when each sticks to a number of its own,
        NaN when nothing can be said (one chain, hardly any draws).
    ess_bulk, ess_tail
        Effective draws, for the middle and for the 5 % and 95 % points; all draws for a constant.
    """

    name: str
    rhat: float
    ess_bulk: float
    ess_tail: float


def watched(blocks: Sequence[Block], spec: ModelSpec) -> dict[str, NDArray[np.float64]]:
    """Return what is watched, by name, each chains × draws.

    Numbers of causes and links, log joint density, and the parameters that are free and shared.
    """
    scalars = np.stack([block.scalars for block in blocks])
    names = ["n_causes", "log_joint"]
    names += [
        name
        for name in ("strength", "prevalence")
        if isinstance(getattr(spec, name), Beta) and getattr(spec, f"{name}_scope") == "shared"
    ]
    names += ["concentration"] * isinstance(spec.concentration, Gamma)
    found = {name: scalars[..., SCALARS.index(name)] for name in names}
    found["n_links"] = np.stack([_links_per_draw(block) for block in blocks])
    if isinstance(spec.leak, Beta) and spec.leak_scope == "shared":
        found["leak"] = np.stack([block.leak[:, 0] for block in blocks])
    return found


def _links_per_draw(block: Block) -> NDArray[np.float64]:
    per_cause = np.bitwise_count(block.links).sum(axis=1, dtype=np.int64)
    upto = np.concatenate([[0], np.cumsum(per_cause)])
    per_draw = np.diff(upto[np.concatenate([[0], np.cumsum(block.counts)])])
    return np.asarray(per_draw, dtype=np.float64)


def judge(values: Mapping[str, NDArray[np.float64]]) -> list[Quantity]:
    """Return R-hat and effective draws of each quantity (chains × draws).

    One that never changes in any chain is known perfectly well when chains agree on it, and not at all when
    they do not: the formulas would divide by nothing.
    """
    return [_judge(name, np.asarray(numbers)) for name, numbers in values.items()]


def _judge(name: str, numbers: NDArray[np.float64]) -> Quantity:
    rhat = split_rhat(numbers)
    if numbers.shape[1] < FEWEST_DRAWS or rhat == math.inf:
        return Quantity(name, rhat, 0.0, 0.0)
    if np.ptp(numbers) == 0:
        return Quantity(name, rhat, float(numbers.size), float(numbers.size))
    return Quantity(name, rhat, effective_draws(numbers, "bulk"), effective_draws(numbers, "tail"))


def advice(quantities: Sequence[Quantity], chains: int) -> list[str]:
    """Say in one line each what is wrong and what to do; nothing when all is well."""
    said = []
    apart = [q for q in quantities if q.rhat > RHAT_LIMIT]
    if apart:
        worst = max(apart, key=lambda q: q.rhat)
        names = ", ".join(_shown(q.name) for q in sorted(apart, key=lambda q: -q.rhat))
        said.append(
            f"the chains disagree on {names} (R-hat up to {worst.rhat:.2f}, should be at most {RHAT_LIMIT}): "
            "what was found depends on the chain; draw more with hiddencauses resume RUN --draws N, and if "
            "that does not help fit again with a longer --warmup"
        )
    needed = ESS_PER_CHAIN * chains
    few = [q for q in quantities if min(q.ess_bulk, q.ess_tail) < needed and q not in apart]
    if few:
        worst = min(few, key=lambda q: min(q.ess_bulk, q.ess_tail))
        names = ", ".join(_shown(q.name) for q in few)
        said.append(
            f"too few effective draws of {names} (down to {min(worst.ess_bulk, worst.ess_tail):.0f}, should "
            f"be at least {needed}): averages are right but rough; draw more with hiddencauses resume RUN "
            "--draws N"
        )
    if chains == 1:
        said.append("there is one chain only, so nothing tells whether it would agree with another; use 4")
    return said


def _shown(name: str) -> str:
    shown = {"n_causes": "the number of causes", "n_links": "the number of links", "log_joint": "log joint"}
    return shown.get(name, name)
