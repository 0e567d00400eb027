"""Draws that both baselines make: an order, and a probability by a slice step on its logit. FROZEN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST", "log_on", "loops", "loops_kept", "move_cause", "random_order", "slice_probability"]

#: How the loops are compiled.
loops = numba.njit(nogil=True, error_model="numpy")
#: Logits are looked for between these; a probability is at most this.
LOWEST, HIGHEST, MOST = -690.0, 36.0, 1.0 - 2.0**-52
#: Width of a slice step.
WIDTH = 1.0


def loops_kept(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, and keep it on disk where a folder can be written."""
    try:
        return numba.njit(nogil=True, error_model="numpy", cache=True)(function)
    except RuntimeError:
        return loops(function)


@loops
def log_on(log_off: float) -> float:
    """Return log P(on) from log P(off)."""
    return math.log(-math.expm1(log_off))


@loops
def random_order(rng: np.random.Generator, n: int) -> NDArray[np.int64]:
    """Draw an order of 0 … n − 1."""
    order = np.arange(n)
    for i in range(n - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


@loops
def move_cause(
    z: NDArray[np.int8], y: NDArray[np.int8], degree: NDArray[np.int64], k: int, last: int
) -> None:
    """Put the last cause into the place of one that is gone."""
    for i in range(z.shape[0]):
        z[i, k] = z[i, last]
    for r in range(y.shape[1]):
        y[k, r] = y[last, r]
    degree[k] = degree[last]


@loops
def _log_target(
    logit: float,
    a: float,
    b: float,
    base: NDArray[np.float64],
    times: NDArray[np.int64],
    weight: NDArray[np.int64],
) -> float:
    if logit < LOWEST or logit > HIGHEST:
        return -math.inf
    failure = -math.log1p(math.exp(logit)) if logit < 0.0 else -logit - math.log1p(math.exp(-logit))
    total = a * (failure + logit) + b * failure
    for g in range(base.size):
        total += weight[g] * log_on(base[g] + times[g] * failure)
    return total


@loops
def slice_probability(
    rng: np.random.Generator,
    value: float,
    a: float,
    b: float,
    base: NDArray[np.float64],
    times: NDArray[np.int64],
    weight: NDArray[np.int64],
) -> float:
    """Draw θ from θ^(a−1) (1 − θ)^(b−1) Π (1 − e^base (1 − θ)^times)^weight by a slice step (Neal 2003)."""
    if base.size == 0:
        return min(rng.beta(a, b), MOST)
    present = math.log(value) - math.log1p(-value)
    level = _log_target(present, a, b, base, times, weight) + math.log(1.0 - rng.random())
    low = present - rng.random() * WIDTH
    high = low + WIDTH
    while _log_target(low, a, b, base, times, weight) > level:
        low -= WIDTH
    while _log_target(high, a, b, base, times, weight) > level:
        high += WIDTH
    while True:
        logit = low + rng.random() * (high - low)
        if _log_target(logit, a, b, base, times, weight) > level or high - low < 1e-12:
            return 1.0 / (1.0 + math.exp(-logit))
        if logit < present:
            low = logit
        else:
            high = logit
