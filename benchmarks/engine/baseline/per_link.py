"""The baseline for a strength per link, a leak per variable and a prevalence per cause. FROZEN.

Cells are looked at through `log_off`, variables × rows: log P(off) = log(1 − ε_i) + Σ_k z_ik y_rk log(1 −
λ_ik). A variable's part of it is summed afresh when it is visited, so that roundings do not add up.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.baseline.draws import (
    MOST,
    log_on,
    loops,
    loops_kept,
    move_cause,
    random_order,
    slice_probability,
)

__all__ = ["PerLinkChain"]

#: Priors: Beta(3, 2) for λ, Beta(1, 1) for ε and p, Gamma(1, 1) for α.
STRENGTH_A, STRENGTH_B, A, B, SHAPE, RATE = 3.0, 2.0, 1.0, 1.0, 1.0, 1.0
#: Places for causes beyond those at the start.
SPARE = 64


class PerLinkChain:
    """A chain: cells (rows × variables of 0, 1, −1 for missing), links, activity and parameters."""

    def __init__(
        self,
        cells: NDArray[np.int8],
        links: NDArray[np.int8],
        activity: NDArray[np.int8],
        *,
        strength: NDArray[np.float64],
        leak: NDArray[np.float64],
        prevalence: NDArray[np.float64],
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
        self.strength = np.full((n_variables, count + SPARE), 0.5)
        self.strength[:, :count] = np.where(links == 1, strength, 0.5)
        self.prevalence = np.full(count + SPARE, 0.5)
        self.prevalence[:count] = prevalence
        self.leak = np.array(leak, dtype=np.float64)
        self.concentration = np.array([concentration])
        self.log_off = np.empty(self.cells.shape)
        for i in range(n_variables):
            sum_log_off(self.size, self.z, self.y, self.strength, self.leak, i, self.log_off[i])
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
            self.log_off,
            self.strength,
            self.leak,
            self.prevalence,
            self.concentration,
        )


@loops_kept
def run(  # type: ignore[no-untyped-def]
    rng, number, x, size, z, y, degree, log_off, strength, leak, prevalence, concentration
):
    """Make sweeps: links and own causes of every variable, activity, parameters."""
    for _ in range(number):
        for i in range(x.shape[0]):
            sum_log_off(size, z, y, strength, leak, i, log_off[i])
            draw_links(rng, x, size, z, y, degree, log_off, strength, leak, i)
            draw_own_causes(
                rng, x, size, z, y, degree, log_off, strength, leak, prevalence, concentration[0], i
            )
        draw_activity(rng, x, size, z, y, log_off, strength, leak, prevalence)
        draw_strengths(rng, x, size, z, y, log_off, strength, leak)
        draw_leaks(rng, x, size, z, y, log_off, strength, leak)
        draw_prevalences(rng, size, y, prevalence)
        harmonic = 0.0
        for n in range(1, x.shape[0] + 1):
            harmonic += 1.0 / n
        concentration[0] = rng.gamma(SHAPE + size[0], 1.0 / (RATE + harmonic))


@loops
def sum_log_off(size, z, y, strength, leak, i, out):  # type: ignore[no-untyped-def]
    """Fill `out` with log P(off) of a variable in every row."""
    out[:] = math.log1p(-leak[i])
    for k in range(size[0]):
        if z[i, k]:
            failure = math.log1p(-strength[i, k])
            for r in range(out.size):
                out[r] += y[k, r] * failure


@loops
def draw_links(rng, x, size, z, y, degree, log_off, strength, leak, i):  # type: ignore[no-untyped-def]
    """Draw the links of a variable to shared causes, strengths of unlinked pairs from the prior first."""
    n_variables, n_rows = x.shape
    highest = math.log1p(-leak[i])
    for k in random_order(rng, size[0]):
        present = z[i, k]
        others = degree[k] - present
        if others == 0:
            continue
        if not present:
            strength[i, k] = min(rng.beta(STRENGTH_A, STRENGTH_B), MOST)
        failure = math.log1p(-strength[i, k])
        gain = math.log(others / (n_variables - others))
        for r in range(n_rows):
            if y[k, r]:
                if x[i, r] == 0:
                    gain += failure
                elif x[i, r] == 1:
                    base = min(log_off[i, r] - present * failure, highest)
                    gain += log_on(base + failure) - log_on(base)
        value = 1 if rng.random() * (1.0 + math.exp(-gain)) < 1.0 else 0
        if value != present:
            z[i, k] = value
            degree[k] += value - present
            for r in range(n_rows):
                log_off[i, r] += (value - present) * y[k, r] * failure


@loops
def draw_own_causes(  # type: ignore[no-untyped-def]
    rng, x, size, z, y, degree, log_off, strength, leak, prevalence, concentration, i
):
    """Propose a new set of causes that only this variable has, from the prior, activity summed out."""
    n_rows = x.shape[1]
    highest = math.log1p(-leak[i])
    own = np.empty(size[0], dtype=np.int64)
    present, failure_now = 0, 0.0
    base = log_off[i].copy()
    for k in range(size[0]):
        if z[i, k] and degree[k] == 1:
            own[present] = k
            present += 1
            failure_now += math.log1p(-strength[i, k] * prevalence[k])
            failure = math.log1p(-strength[i, k])
            for r in range(n_rows):
                if y[k, r]:
                    base[r] = min(base[r] - failure, highest)
    number = rng.poisson(concentration / x.shape[0])
    if number == 0 and present == 0:
        return
    strengths, prevalences = np.empty(number), np.empty(number)
    failure_new = 0.0
    for j in range(number):
        strengths[j] = min(rng.beta(STRENGTH_A, STRENGTH_B), MOST)
        prevalences[j] = min(rng.beta(A, B), MOST)
        failure_new += math.log1p(-strengths[j] * prevalences[j])
    log_ratio = 0.0
    for r in range(n_rows):
        if x[i, r] == 0:
            log_ratio += failure_new - failure_now
        elif x[i, r] == 1:
            log_ratio += log_on(base[r] + failure_new) - log_on(base[r] + failure_now)
    if math.log(1.0 - rng.random()) < log_ratio:
        for j in range(present - 1, -1, -1):
            size[0] -= 1
            k, last = own[j], size[0]
            move_cause(z, y, degree, k, last)
            for v in range(z.shape[0]):
                strength[v, k] = strength[v, last]
            prevalence[k] = prevalence[last]
        if size[0] + number > z.shape[1]:
            raise ValueError("the baseline has no room for so many causes")
        own = np.arange(size[0], size[0] + number)
        for j in range(number):
            k = own[j]
            for v in range(z.shape[0]):
                z[v, k] = 0
            z[i, k] = 1
            degree[k] = 1
            strength[i, k] = strengths[j]
            prevalence[k] = prevalences[j]
        size[0] += number
        present = number
    if present > 0:
        draw_own_activity(rng, x, y, log_off, strength, prevalence, i, own[:present], base)
    else:
        log_off[i] = base


@loops
def draw_own_activity(  # type: ignore[no-untyped-def]
    rng, x, y, log_off, strength, prevalence, i, causes, base
):
    """Draw the activity of own causes, in each row one after the other, those to come summed out."""
    after = np.ones(causes.size + 1)
    for j in range(causes.size - 1, -1, -1):
        after[j] = after[j + 1] * (1.0 - strength[i, causes[j]] * prevalence[causes[j]])
    for r in range(x.shape[1]):
        off = math.exp(base[r])
        log_off[i, r] = base[r]
        for j in range(causes.size):
            k = causes[j]
            keep = 1.0 - strength[i, k]
            on, idle = prevalence[k], 1.0 - prevalence[k]
            if x[i, r] == 0:
                on *= keep
            elif x[i, r] == 1:
                on *= 1.0 - off * keep * after[j + 1]
                idle *= 1.0 - off * after[j + 1]
            value = 1 if rng.random() * (on + idle) < on else 0
            y[k, r] = value
            if value:
                off *= keep
                log_off[i, r] += math.log1p(-strength[i, k])


@loops
def draw_activity(rng, x, size, z, y, log_off, strength, leak, prevalence):  # type: ignore[no-untyped-def]
    """Draw all activity, cause by cause."""
    n_variables, n_rows = x.shape
    gain = np.empty(n_rows)
    change = np.empty(n_rows, dtype=np.int8)
    for k in random_order(rng, size[0]):
        p = prevalence[k]
        gain[:] = math.log(p) - math.log1p(-p)
        for i in range(n_variables):
            if z[i, k]:
                failure, highest = math.log1p(-strength[i, k]), math.log1p(-leak[i])
                for r in range(n_rows):
                    if x[i, r] == 0:
                        gain[r] += failure
                    elif x[i, r] == 1:
                        base = min(log_off[i, r] - y[k, r] * failure, highest)
                        gain[r] += log_on(base + failure) - log_on(base)
        for r in range(n_rows):
            value = 1 if rng.random() * (1.0 + math.exp(-gain[r])) < 1.0 else 0
            change[r] = value - y[k, r]
            y[k, r] = value
        for i in range(n_variables):
            if z[i, k]:
                failure = math.log1p(-strength[i, k])
                for r in range(n_rows):
                    log_off[i, r] += change[r] * failure


@loops
def draw_strengths(rng, x, size, z, y, log_off, strength, leak):  # type: ignore[no-untyped-def]
    """Draw the strength of every link by a slice step."""
    n_variables, n_rows = x.shape
    base = np.empty(n_rows)
    ones = np.ones(n_rows, dtype=np.int64)
    for k in random_order(rng, size[0]):
        for i in range(n_variables):
            if not z[i, k]:
                continue
            failure, highest = math.log1p(-strength[i, k]), math.log1p(-leak[i])
            on = zeros = 0
            for r in range(n_rows):
                if y[k, r]:
                    if x[i, r] == 0:
                        zeros += 1
                    elif x[i, r] == 1:
                        base[on] = min(log_off[i, r] - failure, highest)
                        on += 1
            strength[i, k] = slice_probability(
                rng, strength[i, k], STRENGTH_A, STRENGTH_B + zeros, base[:on], ones[:on], ones[:on]
            )
            change = math.log1p(-strength[i, k]) - failure
            for r in range(n_rows):
                log_off[i, r] += y[k, r] * change


@loops
def draw_leaks(rng, x, size, z, y, log_off, strength, leak):  # type: ignore[no-untyped-def]
    """Draw the leak of every variable by a slice step; rows without an active cause count together."""
    n_variables, n_rows = x.shape
    causes_only = np.empty(n_rows)
    base = np.empty(n_rows + 1)
    ones = np.ones(n_rows + 1, dtype=np.int64)
    weight = np.empty(n_rows + 1, dtype=np.int64)
    for i in range(n_variables):
        without = leak[i]
        leak[i] = 0.0
        sum_log_off(size, z, y, strength, leak, i, causes_only)
        on = zeros = alone = 0
        for r in range(n_rows):
            if x[i, r] == 0:
                zeros += 1
            elif x[i, r] == 1:
                if causes_only[r] == 0.0:
                    alone += 1
                else:
                    base[on] = causes_only[r]
                    weight[on] = 1
                    on += 1
        if alone > 0:
            base[on] = 0.0
            weight[on] = alone
            on += 1
        leak[i] = slice_probability(rng, without, A, B + zeros, base[:on], ones[:on], weight[:on])
        for r in range(n_rows):
            log_off[i, r] = causes_only[r] + math.log1p(-leak[i])


@loops
def draw_prevalences(rng, size, y, prevalence):  # type: ignore[no-untyped-def]
    """Draw the prevalence of every cause."""
    n_rows = y.shape[1]
    for k in range(size[0]):
        active = 0
        for r in range(n_rows):
            active += y[k, r]
        prevalence[k] = min(max(rng.beta(A + active, B + n_rows - active), 1e-300), MOST)
