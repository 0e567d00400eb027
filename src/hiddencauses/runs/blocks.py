"""Draws in a row as they lie on disk: every part by itself, activity thinned, nothing padded.

In memory the bits of a cause lie together (`ChainDraws`); on disk links and activity are arrays of their own,
causes of all draws one after the other. How many causes a draw has says where they begin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.kernels.recording import SCALARS
from hiddencauses.model.priors import Beta
from hiddencauses.sampling.draws import ChainDraws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hiddencauses.model.spec import ModelSpec

__all__ = [
    "ARRAYS",
    "Block",
    "Shape",
    "activity_every",
    "block_of",
    "chain_draws_of",
    "concatenated",
    "cut",
    "n_strengths",
]

#: Bits of activity a draw may take on average, for each cause: what makes 1,000,000 rows fit (docs/runs.md).
KEPT_BITS = 1 << 15

N_TOTAL = SCALARS.index("n_total")
#: Names of the arrays of a block.
ARRAYS = ("scalars", "leak", "links", "strength", "prevalence", "activity")


def activity_every(n_rows: int) -> int:
    """Return of every how many draws the activity is kept: it follows from the number of rows only."""
    return -(-n_rows // KEPT_BITS)


@dataclass(frozen=True, slots=True)
class Shape:
    """What the arrays of a block look like, the same for all of a run.

    Attributes
    ----------
    n_rows, n_variables
        Size of the table.
    leaks
        Leaks of a draw: 1 or one for each variable.
    strengths
        Strengths that belong to causes: "none", "per_cause" or "per_link".
    prevalences
        Whether causes have prevalences of their own.
    every
        Activity is kept of draws 0, n, 2n, ….
    """

    n_rows: int
    n_variables: int
    leaks: int
    strengths: str
    prevalences: bool
    every: int

    @classmethod
    def of(cls, spec: ModelSpec, *, n_rows: int, n_variables: int, every: int) -> Shape:
        """Return the shape for a model and a table."""
        own = isinstance(spec.strength, Beta) and spec.strength_scope != "shared"
        return cls(
            n_rows=n_rows,
            n_variables=n_variables,
            leaks=1 if spec.leak_scope == "shared" else n_variables,
            strengths=spec.strength_scope if own else "none",
            prevalences=isinstance(spec.prevalence, Beta) and spec.prevalence_scope == "per_cause",
            every=every,
        )

    @property
    def link_octets(self) -> int:
        """Octets for the links of a cause."""
        return -(-self.n_variables // 8)

    @property
    def row_octets(self) -> int:
        """Octets for the activity of a cause."""
        return -(-self.n_rows // 8)

    def kept(self, first: int, draws: int) -> NDArray[np.bool_]:
        """Tell for each of some draws whether its activity is kept."""
        return np.asarray(np.arange(first, first + draws) % self.every == 0)

    def empty(self, first: int = 0) -> Block:
        """Return no draws."""
        return Block(
            first=first,
            scalars=np.zeros((0, len(SCALARS))),
            leak=np.zeros((0, self.leaks)),
            links=np.zeros((0, self.link_octets), dtype=np.uint8),
            strength=np.zeros(0),
            prevalence=np.zeros(0),
            activity=np.zeros((0, self.row_octets), dtype=np.uint8),
        )


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Draws in a row of one chain.

    Attributes
    ----------
    first
        Number of the first of them.
    scalars, leak
        As in `ChainDraws`.
    links
        Causes of all draws × octets; lowest bit first, as all bits here.
    strength
        One number for each cause or each link, or none.
    prevalence
        One for each cause, or none.
    activity
        Causes of the draws whose activity is kept × octets.
    """

    first: int
    scalars: NDArray[np.float64]
    leak: NDArray[np.float64]
    links: NDArray[np.uint8]
    strength: NDArray[np.float64]
    prevalence: NDArray[np.float64]
    activity: NDArray[np.uint8]

    @property
    def end(self) -> int:
        """Number of the draw behind the last."""
        return self.first + len(self.scalars)

    @property
    def octets(self) -> int:
        """How many octets of memory the draws take."""
        return sum(getattr(self, name).nbytes for name in ARRAYS)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many causes each draw has."""
        return self.scalars[:, N_TOTAL].astype(np.int64)


def block_of(draws: ChainDraws, first: int, shape: Shape) -> Block:
    """Return draws from memory as they go to disk, thinned."""
    counts = draws.scalars[:, N_TOTAL].astype(np.int64)
    octets = draws.octets.reshape(-1, shape.link_octets + shape.row_octets)
    links = np.ascontiguousarray(octets[:, : shape.link_octets])
    kept = np.repeat(shape.kept(first, len(counts)), counts)
    own = _is_prevalence(links, shape)
    return Block(
        first=first,
        scalars=draws.scalars,
        leak=draws.leak,
        links=links,
        strength=draws.reals[~own],
        prevalence=draws.reals[own],
        activity=np.ascontiguousarray(octets[kept, shape.link_octets :]),
    )


def chain_draws_of(blocks: Sequence[Block], shape: Shape, counters: NDArray[np.int64]) -> ChainDraws:
    """Return draws from disk, from the first on, as they lie in memory."""
    whole = concatenated(blocks, shape)
    counts = whole.counts
    own = _is_prevalence(whole.links, shape)
    reals = np.empty(len(own))
    reals[own], reals[~own] = whole.prevalence, whole.strength
    causes, links = _ends(counts), _ends(n_strengths(whole.links, shape))
    kept = shape.kept(whole.first, len(counts))
    widths = counts * (shape.link_octets + shape.row_octets * kept)
    return ChainDraws(
        scalars=whole.scalars,
        leak=whole.leak,
        octets=_octets(whole, kept, shape),
        octets_end=np.cumsum(widths),
        reals=reals,
        reals_end=links[causes[1:]] + causes[1:] * shape.prevalences,
        counters=counters,
    )


def _octets(block: Block, kept: NDArray[np.bool_], shape: Shape) -> NDArray[np.uint8]:
    """Return links and activity cause after cause, draw after draw."""
    if kept.all():
        return np.hstack([block.links, block.activity]).reshape(-1)
    parts = [np.zeros(0, dtype=np.uint8)]
    cause = row = 0
    for count, has in zip(block.counts, kept, strict=True):
        links = block.links[cause : cause + count]
        cause += count
        if has:
            parts.append(np.hstack([links, block.activity[row : row + count]]).reshape(-1))
            row += count
        else:
            parts.append(links.reshape(-1))
    return np.concatenate(parts)


def cut(block: Block, first: int, end: int, shape: Shape) -> Block:
    """Return the draws of a block from `first` to `end` (not included)."""
    first, end = max(first, block.first), min(end, block.end)
    if end <= first:
        return shape.empty(first)
    if (first, end) == (block.first, block.end):
        return block
    draws = slice(first - block.first, end - block.first)
    counts = block.counts
    causes = _ends(counts)[[draws.start, draws.stop]]
    links = _ends(n_strengths(block.links, shape))[causes]
    rows = _ends(counts * shape.kept(block.first, len(counts)))[[draws.start, draws.stop]]
    return Block(
        first=first,
        scalars=block.scalars[draws],
        leak=block.leak[draws],
        links=block.links[slice(*causes)],
        strength=block.strength[slice(*links)],
        prevalence=block.prevalence[slice(*causes)] if shape.prevalences else block.prevalence,
        activity=block.activity[slice(*rows)],
    )


def concatenated(blocks: Sequence[Block], shape: Shape) -> Block:
    """Return blocks that follow each other as one."""
    given = [block for block in blocks if len(block.scalars)]
    if not given:
        return shape.empty()
    return Block(given[0].first, *(np.concatenate([getattr(b, name) for b in given]) for name in ARRAYS))


def n_strengths(links: NDArray[np.uint8], shape: Shape) -> NDArray[np.int64]:
    """Return how many strengths of its own each cause has."""
    if shape.strengths == "per_link":
        return np.asarray(np.bitwise_count(links).sum(axis=1, dtype=np.int64))
    return np.full(len(links), shape.strengths == "per_cause", dtype=np.int64)


def _is_prevalence(links: NDArray[np.uint8], shape: Shape) -> NDArray[np.bool_]:
    """Tell which of the numbers that belong to causes are prevalences: the last of each, if they have one."""
    per_cause = n_strengths(links, shape) + shape.prevalences
    own = np.zeros(int(per_cause.sum()), dtype=np.bool_)
    if shape.prevalences:
        own[np.cumsum(per_cause) - 1] = True
    return own


def _ends(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
