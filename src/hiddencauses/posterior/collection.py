"""Every cause of every draw in one list: what alignment, diagnosis and prediction read.

Draws hold causes in an order that means nothing, and each draw its own number of them. Here they lie one
after the other, each with the draw it is from, its links and parameters. Causes without links (the finite
model has them) are left out: they explain nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.errors import UserError
from hiddencauses.model.noisy_or import spread_strength

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hiddencauses.sampling.draws import Draws

__all__ = ["Collection", "collect", "spread_rows"]

#: Rows at most whose activity is kept for all causes together.
ROWS_KEPT = 4096


@dataclass(frozen=True, eq=False)
class Collection:
    """The causes of all draws, which are numbered chain by chain.

    Attributes
    ----------
    draws
        Where they are from.
    with_activity
        Numbers of the draws whose activity is kept: those of every n-th draw of each chain.
    start
        The causes of draw number s are `start[s]` to `start[s + 1]`.
    place
        Where each cause stands in its draw, for its column of activity.
    link_start
        The links of cause c are `link_start[c]` to `link_start[c + 1]`.
    link_variable, link_strength
        Variable and strength of each link.
    prevalence
        Of each cause.
    leak
        Draws × variables.
    at_work
        Share of rows in which each cause is at work; NaN in draws whose activity is not kept.
    rows
        Some of the rows, all of them when they are not many, spread evenly.
    activity_in_rows
        Activity in these, causes × rows, 1 where at work; empty in draws whose activity is not kept.
    """

    draws: Draws
    with_activity: NDArray[np.int64]
    start: NDArray[np.int64]
    place: NDArray[np.int64]
    link_start: NDArray[np.int64]
    link_variable: NDArray[np.int64]
    link_strength: NDArray[np.float64]
    prevalence: NDArray[np.float64]
    leak: NDArray[np.float64]
    at_work: NDArray[np.float64]
    rows: NDArray[np.int64]
    activity_in_rows: csr_array

    @property
    def n_draws(self) -> int:
        """Draws of all chains together."""
        return len(self.start) - 1

    @property
    def n_causes(self) -> int:
        """Causes of all draws together."""
        return len(self.place)

    @property
    def n_variables(self) -> int:
        """How many variables the table has."""
        return int(self.leak.shape[1])

    @cached_property
    def draw_of(self) -> NDArray[np.int64]:
        """Number of the draw that each cause is from."""
        return np.repeat(np.arange(self.n_draws), np.diff(self.start))

    @cached_property
    def n_links(self) -> NDArray[np.int64]:
        """How many links each cause has."""
        return np.diff(self.link_start)

    @cached_property
    def links(self) -> csr_array:
        """Links of all causes, causes × variables, 1 where there is one."""
        return self._sparse(np.ones(len(self.link_variable)))

    @cached_property
    def strengths(self) -> csr_array:
        """Strengths of all causes, causes × variables, nothing where there is no link."""
        return self._sparse(self.link_strength)

    def _sparse(self, values: NDArray[np.float64]) -> csr_array:
        from scipy.sparse import csr_array

        shape = (self.n_causes, self.n_variables)
        return csr_array((values, self.link_variable, self.link_start), shape=shape)

    def per_draw(self, values: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Add up a number per cause over the causes of each draw."""
        sums = np.bincount(self.draw_of, weights=values, minlength=self.n_draws)
        return sums.astype(np.float64)

    def by_chain(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return one number (or row) per draw as chains × draws (× …)."""
        return values.reshape(self.draws.n_chains, -1, *values.shape[1:])

    def one_by_one(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return numbers that are chains × draws (× …) one after the other, as draws are numbered."""
        return values.reshape(self.n_draws, *values.shape[2:]).astype(np.float64)

    def where(self, number: int) -> tuple[int, int]:
        """Return chain and draw of the draw with a number."""
        return divmod(int(number), self.draws.n_draws)

    def activity(self, number: int) -> NDArray[np.int8]:
        """Return the activity of the causes of one draw that is `with_activity`, rows × causes."""
        of_draw = slice(self.start[number], self.start[number + 1])
        activity = self.draws.activity(*self.where(number))
        return np.ascontiguousarray(activity[:, self.place[of_draw]])


def collect(draws: Draws) -> Collection:
    """Gather the causes of all draws."""
    if not draws.n_chains or not draws.n_draws:
        raise UserError("the run holds no draws yet; let it go on, or fit with draws of at least 1")
    from scipy.sparse import csr_array, vstack

    n_variables = len(draws.columns)
    rows = spread_rows(draws.n_rows, ROWS_KEPT)
    kept = np.array([draws.has_activity(draw) for draw in range(draws.n_draws)])
    at_work, in_rows = [], []
    counts, places, n_links, variables, strengths, prevalences, leaks = [], [], [], [], [], [], []
    for chain in range(draws.n_chains):
        for draw in range(draws.n_draws):
            z, parameters = draws.links(chain, draw), draws.parameters(chain, draw)
            linked = np.flatnonzero(z.any(axis=0))
            links = z.T[linked]
            counts.append(len(linked))
            places.append(linked)
            n_links.append(links.sum(axis=1, dtype=np.int64))
            variables.append(np.nonzero(links)[1])
            strengths.append(spread_strength(parameters.strength, z).T[linked][links == 1])
            prevalences.append(np.broadcast_to(parameters.prevalence, z.shape[1])[linked])
            leaks.append(np.broadcast_to(parameters.leak, n_variables))
            if kept[draw]:
                activity = draws.activity(chain, draw)[:, linked]
                at_work.append(activity.mean(axis=0))
                in_rows.append(csr_array(activity[rows].T.astype(np.float64)))
            else:
                at_work.append(np.full(len(linked), np.nan))
                in_rows.append(csr_array((len(linked), len(rows))))
    return Collection(
        draws=draws,
        with_activity=np.flatnonzero(np.tile(kept, draws.n_chains)),
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        place=np.concatenate(places).astype(np.int64),
        link_start=np.concatenate([[0], np.cumsum(np.concatenate(n_links))]).astype(np.int64),
        link_variable=np.concatenate(variables).astype(np.int64),
        link_strength=np.concatenate(strengths).astype(np.float64),
        prevalence=np.concatenate(prevalences).astype(np.float64),
        leak=np.asarray(leaks, dtype=np.float64),
        at_work=np.concatenate(at_work).astype(np.float64),
        rows=rows,
        activity_in_rows=vstack(in_rows, format="csr"),
    )


def spread_rows(n_rows: int, most: int) -> NDArray[np.int64]:
    """Return the places of at most so many rows, spread evenly over all."""
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, most)).astype(np.int64))
