"""Label-free quantities of packed draws, summed over batches of draws without unpacking to arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hiddencauses.model.priors import Beta

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.model.spec import ModelSpec
    from hiddencauses.sampling.draws import ChainDraws

__all__ = ["Layout", "batch_sums"]

SHARED, PER_CAUSE, PER_LINK = 0, 1, 2


class Layout(NamedTuple):
    """What there is to sum; the quantities lie behind each other in the order of the fields.

    `counts` and `totals` say how many numbers of causes are told apart, the last standing for itself and
    more; a scope says how strengths and prevalences are summed, and `…_own` whether draws hold a value for
    each cause or link.
    """

    counts: int
    totals: int
    variables: int
    rows: int
    strength: int
    strength_own: bool
    leaks: int
    prevalence: int
    prevalence_own: bool

    @classmethod
    def of(cls, spec: ModelSpec, rows: int, variables: int, counts: int, totals: int) -> Layout:
        """Make the layout that fits a spec."""
        strength = {"shared": SHARED, "per_cause": PER_CAUSE, "per_link": PER_LINK}[spec.strength_scope]
        prevalence = SHARED if spec.prevalence_scope == "shared" else PER_CAUSE
        return cls(
            counts=counts,
            totals=totals,
            variables=variables,
            rows=rows,
            strength=strength,
            strength_own=strength != SHARED and isinstance(spec.strength, Beta),
            leaks=1 if spec.leak_scope == "shared" else variables,
            prevalence=prevalence,
            prevalence_own=prevalence != SHARED and isinstance(spec.prevalence, Beta),
        )

    def names(self) -> list[str]:
        """Name each quantity."""
        cells = [f"[{r},{i}]" for r in range(self.rows) for i in range(self.variables)]
        strengths = self.variables if self.strength == PER_LINK else 1
        return [
            *(f"P(K₊={k}{'+' if k == self.counts - 1 else ''})" for k in range(self.counts)),
            *(f"P(K={k}{'+' if k == self.totals - 1 else ''})" for k in range(self.totals)),
            *(f"E[ZZᵀ][{i},{j}]" for i in range(self.variables) for j in range(i, self.variables)),
            *(f"E[YYᵀ][{r},{s}]" for r in range(self.rows) for s in range(r, self.rows)),
            *(f"E[YZᵀ]{cell}" for cell in cells),
            *(f"λ[{i}]" for i in range(strengths)),
            *(f"ε[{i}]" for i in range(self.leaks)),
            "p",
            "α",
        ]


def batch_sums(
    chain: ChainDraws, layout: Layout, batches: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sum of every quantity over each batch, and the sum of squares over all draws."""
    size = len(layout.names())
    return _batch_sums(  # type: ignore[no-any-return]
        chain.scalars,
        chain.leak,
        chain.octets,
        chain.octets_end,
        chain.reals,
        chain.reals_end,
        layout,
        batches,
        size,
    )


@njit(nogil=True, cache=True)
def _batch_sums(scalars, leak, octets, octets_end, reals, reals_end, layout, batches, size):  # type: ignore[no-untyped-def]
    sums, squares, values = np.zeros((batches, size)), np.zeros(size), np.zeros(size)
    draws = scalars.shape[0]
    most = 0
    for draw in range(draws):
        most = max(most, int(scalars[draw, 1]))
    z = np.zeros((most + 1, layout.variables), dtype=np.uint8)
    y = np.zeros((most + 1, layout.rows), dtype=np.uint8)
    own_strength = np.zeros((most + 1, layout.variables))
    own_prevalence = np.zeros(most + 1)
    octet = real = 0
    for draw in range(draws):
        linked, count = int(scalars[draw, 0]), int(scalars[draw, 1])
        for k in range(count):
            octet = _unpack(octets, octet, z[k])
            octet = _unpack(octets, octet, y[k])
            real = _take_reals(reals, real, scalars[draw], layout, z[k], own_strength[k], own_prevalence, k)
        # the writer's offsets must say the same as the draws' own sizes
        assert octet == octets_end[draw] and real == reals_end[draw]
        _fill(values, scalars[draw], leak[draw], layout, linked, count, z, y, own_strength, own_prevalence)
        batch = draw * batches // draws
        for q in range(size):
            sums[batch, q] += values[q]
            squares[q] += values[q] * values[q]
    return sums, squares


@njit(nogil=True, cache=True)
def _unpack(octets, at, flags):  # type: ignore[no-untyped-def]
    for bit in range(flags.size):
        flags[bit] = (octets[at + bit // 8] >> (bit % 8)) & 1
    return at + (flags.size + 7) // 8


@njit(nogil=True, cache=True)
def _take_reals(reals, at, scalars, layout, links, strength, prevalence, k):  # type: ignore[no-untyped-def]
    """Spread a cause's own parameters, or the common ones, over its links."""
    if layout.strength_own and layout.strength == PER_CAUSE:
        strength[:] = reals[at]
        at += 1
    elif layout.strength_own:
        for i in range(links.size):
            if links[i]:
                strength[i] = reals[at]
                at += 1
    else:
        strength[:] = scalars[3]
    prevalence[k] = scalars[4]
    if layout.prevalence_own:
        prevalence[k] = reals[at]
        at += 1
    return at


@njit(nogil=True, cache=True)
def _fill(values, scalars, leak, layout, linked, count, z, y, strength, prevalence):  # type: ignore[no-untyped-def]
    values[:] = 0.0
    values[min(linked, layout.counts - 1)] = 1.0
    if layout.totals > 0:
        values[layout.counts + min(count, layout.totals - 1)] = 1.0
    links_at = layout.counts + layout.totals
    activity_at = links_at + layout.variables * (layout.variables + 1) // 2
    cells_at = activity_at + layout.rows * (layout.rows + 1) // 2
    strength_at = cells_at + layout.rows * layout.variables
    leak_at = strength_at + (layout.variables if layout.strength == PER_LINK else 1)
    prevalence_at = leak_at + layout.leaks
    if layout.strength == SHARED:
        values[strength_at] = scalars[3]
    if layout.prevalence == SHARED:
        values[prevalence_at] = scalars[4]
    values[prevalence_at + 1] = scalars[5]
    values[leak_at:prevalence_at] = leak
    for k in range(count):
        if z[k].sum() == 0:
            continue
        q = links_at
        for i in range(layout.variables):
            for j in range(i, layout.variables):
                values[q] += z[k, i] * z[k, j]
                q += 1
        for r in range(layout.rows):
            for s in range(r, layout.rows):
                values[q] += y[k, r] * y[k, s]
                q += 1
        for r in range(layout.rows):
            for i in range(layout.variables):
                values[q] += y[k, r] * z[k, i]
                q += 1
        if layout.strength == PER_CAUSE:
            values[strength_at] += strength[k, 0]
        elif layout.strength == PER_LINK:
            for i in range(layout.variables):
                values[strength_at + i] += strength[k, i] * z[k, i]
        if layout.prevalence == PER_CAUSE:
            values[prevalence_at] += prevalence[k]
