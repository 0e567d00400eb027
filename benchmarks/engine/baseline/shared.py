"""The baseline for a shared strength, leak and prevalence, with the paper's priors. FROZEN.

Cells are looked at through `counts`, variables × rows: how many linked causes of the variable are active in
the row. A cell with n of them is off with probability (1 − ε)(1 − λ)^n.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.baseline.draws import (
    log_on,
    loops,
    loops_kept,
    move_cause,
    random_order,
    slice_probability,
)

__all__ = ["SharedChain"]

#: The paper's priors: Beta(1, 1) for λ, ε and p, Gamma(1, 1) for α.
A, B, SHAPE, RATE = 1.0, 1.0, 1.0, 1.0
#: Places for causes beyond those at the start.
SPARE = 64
#: The sum over numbers of own causes ends when what is left is this small, on a log scale.
NEGLIGIBLE = -40.0
STRENGTH, LEAK, PREVALENCE, CONCENTRATION = 0, 1, 2, 3


class SharedChain:
    """A chain: cells (rows × variables of 0, 1, −1 for missing), links, activity and parameters."""

    def __init__(
        self,
        cells: NDArray[np.int8],
        links: NDArray[np.int8],
        activity: NDArray[np.int8],
        *,
        strength: float,
        leak: float,
        prevalence: float,
        concentration: float,
        seed: int,
    ) -> None:
        n_variables, count = links.shape
        self.cells = np.ascontiguousarray(cells.T)
        self.size = np.array([count])
        self.z = np.zeros((n_variables, count + SPARE), dtype=np.int8)
        self.z[:, :count] = links
        self.y = np.zeros((count + SPARE, len(cells)), dtype=np.int8)
        self.y[:count] = activity.T
        self.degree = self.z.sum(axis=0, dtype=np.int64)
        self.counts = (links.astype(np.int16) @ activity.T.astype(np.int16)).astype(np.int16)
        self.parameters = np.array([strength, leak, prevalence, concentration], dtype=np.float64)
        self.rng = np.random.default_rng(seed)

    @property
    def n_causes(self) -> int:
        """How many causes there are."""
        return int(self.size[0])

    @property
    def links(self) -> NDArray[np.int8]:
        """Links, variables × causes."""
        return self.z[:, : self.n_causes].copy()

    def sweeps(self, number: int) -> None:
        """Make sweeps."""
        run(
            self.rng,
            number,
            self.cells,
            self.size,
            self.z,
            self.y,
            self.degree,
            self.counts,
            self.parameters,
        )


@loops_kept
def run(rng, number, x, size, z, y, degree, counts, parameters):  # type: ignore[no-untyped-def]
    """Make sweeps: links and own causes of every variable, activity, parameters."""
    for _ in range(number):
        for i in range(x.shape[0]):
            draw_links(rng, x, size, z, y, degree, counts, parameters, i)
            draw_own_causes(rng, x, size, z, y, degree, counts, parameters, i)
        draw_activity(rng, x, size, z, y, counts, parameters)
        draw_parameters(rng, x, size, y, counts, parameters)


@loops
def on_gain(base, failure, n):  # type: ignore[no-untyped-def]
    """Return what one more active cause adds to log P(on) of a cell that has n."""
    return log_on(base + (n + 1) * failure) - log_on(base + n * failure)


@loops
def draw_links(rng, x, size, z, y, degree, counts, parameters, i):  # type: ignore[no-untyped-def]
    """Draw the links of a variable to causes that others have too, one after the other."""
    n_variables, n_rows = x.shape
    base = math.log1p(-parameters[LEAK])
    failure = math.log1p(-parameters[STRENGTH])
    for k in random_order(rng, size[0]):
        present = z[i, k]
        others = degree[k] - present
        if others == 0:
            continue
        gain = math.log(others / (n_variables - others))
        for r in range(n_rows):
            if y[k, r]:
                if x[i, r] == 0:
                    gain += failure
                elif x[i, r] == 1:
                    gain += on_gain(base, failure, counts[i, r] - present)
        value = 1 if rng.random() * (1.0 + math.exp(-gain)) < 1.0 else 0
        if value != present:
            z[i, k] = value
            degree[k] += value - present
            for r in range(n_rows):
                counts[i, r] += (value - present) * y[k, r]


@loops
def draw_own_causes(rng, x, size, z, y, degree, counts, parameters, i):  # type: ignore[no-untyped-def]
    """Draw how many causes only this variable has, their activity summed out, and then their activity."""
    n_rows = x.shape[1]
    own = np.empty(size[0], dtype=np.int64)
    present = 0
    for k in range(size[0]):
        if z[i, k] and degree[k] == 1:
            own[present] = k
            present += 1
            for r in range(n_rows):
                counts[i, r] -= y[k, r]
    zeros = 0
    for r in range(n_rows):
        if x[i, r] == 0:
            zeros += 1
    number = draw_number(rng, x, counts, i, zeros, parameters)
    for j in range(present - 1, number - 1, -1):
        size[0] -= 1
        k, last = own[j], size[0]
        move_cause(z, y, degree, k, last)
    if number > present and size[0] + number - present > z.shape[1]:
        raise ValueError("the baseline has no room for so many causes")
    causes = np.empty(number, dtype=np.int64)
    for j in range(number):
        if j < present:
            causes[j] = own[j]
        else:
            causes[j] = size[0]
            for v in range(z.shape[0]):
                z[v, size[0]] = 0
            z[i, size[0]] = 1
            degree[size[0]] = 1
            size[0] += 1
    if number > 0:
        draw_own_activity(rng, x, y, counts, parameters, i, causes)


@loops
def draw_number(rng, x, counts, i, zeros, parameters):  # type: ignore[no-untyped-def]
    """Draw the number of own causes: Poisson(α/N) times the likelihood without their activity."""
    base, failure = math.log1p(-parameters[LEAK]), math.log1p(-parameters[STRENGTH])
    own = math.log1p(-parameters[STRENGTH] * parameters[PREVALENCE])
    rate = parameters[CONCENTRATION] / x.shape[0]
    largest, total, chosen, number = -math.inf, 0.0, 0, 0
    while True:
        log_prior = number * math.log(rate) - math.lgamma(number + 1.0)
        weight = log_prior + zeros * number * own
        for r in range(x.shape[1]):
            if x[i, r] == 1:
                weight += log_on(base + counts[i, r] * failure + number * own)
        if weight > largest:
            total *= math.exp(largest - weight)
            largest = weight
        share = math.exp(weight - largest)
        total += share
        if rng.random() * total < share:  # each number takes the place of those before it by its share
            chosen = number
        number += 1
        if number > rate + 1.0:
            tail = log_prior + math.log(rate / number) - math.log1p(-rate / (number + 1.0))
            if tail + zeros * number * own < largest + NEGLIGIBLE:
                return chosen


@loops
def draw_own_activity(rng, x, y, counts, parameters, i, causes):  # type: ignore[no-untyped-def]
    """Draw the activity of own causes, in each row one after the other, those to come summed out."""
    keep, p = 1.0 - parameters[STRENGTH], parameters[PREVALENCE]
    summed = 1.0 - parameters[STRENGTH] * p
    for r in range(x.shape[1]):
        off = (1.0 - parameters[LEAK]) * keep ** counts[i, r]
        for j in range(causes.size):
            on, idle = p, 1.0 - p
            if x[i, r] == 0:
                on *= keep
            elif x[i, r] == 1:
                after = summed ** (causes.size - 1 - j)
                on *= 1.0 - off * keep * after
                idle *= 1.0 - off * after
            value = 1 if rng.random() * (on + idle) < on else 0
            y[causes[j], r] = value
            counts[i, r] += value
            if value:
                off *= keep


@loops
def draw_activity(rng, x, size, z, y, counts, parameters):  # type: ignore[no-untyped-def]
    """Draw all activity, cause by cause."""
    n_variables, n_rows = x.shape
    base = math.log1p(-parameters[LEAK])
    p, failure = parameters[PREVALENCE], math.log1p(-parameters[STRENGTH])
    gain = np.empty(n_rows)
    change = np.empty(n_rows, dtype=np.int16)
    for k in random_order(rng, size[0]):
        gain[:] = math.log(p) - math.log1p(-p)
        for i in range(n_variables):
            if z[i, k]:
                for r in range(n_rows):
                    if x[i, r] == 0:
                        gain[r] += failure
                    elif x[i, r] == 1:
                        gain[r] += on_gain(base, failure, counts[i, r] - y[k, r])
        for r in range(n_rows):
            value = 1 if rng.random() * (1.0 + math.exp(-gain[r])) < 1.0 else 0
            change[r] = value - y[k, r]
            y[k, r] = value
        for i in range(n_variables):
            if z[i, k]:
                for r in range(n_rows):
                    counts[i, r] += change[r]


@loops
def draw_parameters(rng, x, size, y, counts, parameters):  # type: ignore[no-untyped-def]
    """Draw λ, ε, p and α."""
    n_variables, n_rows = x.shape
    on = np.zeros(y.shape[0] + 1, dtype=np.int64)
    zeros = active_in_zeros = 0
    for i in range(n_variables):
        for r in range(n_rows):
            if x[i, r] == 1:
                on[counts[i, r]] += 1
            elif x[i, r] == 0:
                zeros += 1
                active_in_zeros += counts[i, r]
    numbers = np.flatnonzero(on)
    linked = numbers[numbers > 0]
    base = math.log1p(-parameters[LEAK])
    parameters[STRENGTH] = slice_probability(
        rng, parameters[STRENGTH], A, B + active_in_zeros, np.full(linked.size, base), linked, on[linked]
    )
    failure = math.log1p(-parameters[STRENGTH])
    parameters[LEAK] = slice_probability(
        rng, parameters[LEAK], A, B + zeros, numbers * failure, np.ones_like(numbers), on[numbers]
    )
    active = 0
    for k in range(size[0]):
        for r in range(n_rows):
            active += y[k, r]
    parameters[PREVALENCE] = rng.beta(A + active, B + size[0] * n_rows - active)
    harmonic = 0.0
    for n in range(1, n_variables + 1):
        harmonic += 1.0 / n
    parameters[CONCENTRATION] = rng.gamma(SHAPE + size[0], 1.0 / (RATE + harmonic))
