"""Named random streams inside kernels, and draws from them.

A stream is named by (seed, chain, purpose, block, sweep). Its numbers are mix(start + n · step) for
n = 1, 2, …, with start and step made from the name and mix a bijection of 64 bits: counter-based, so a name
gives the same numbers whatever ran before it. Streams differ in step as well as in start, so two of them
cannot be the same sequence shifted. This must never change: it would void every checkpoint and golden file.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.bits import popcount

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LEAST",
    "MOST",
    "bernoulli",
    "draw_beta",
    "draw_gamma",
    "draw_place",
    "draw_poisson",
    "open_stream",
    "permutation",
    "pick",
    "uniform",
    "uniform_at",
]

#: Odd constants from the binary digits of the golden ratio, e and π.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_EULER = np.uint64(0xADF85458A2BB4A9B)
_PI = np.uint64(0x243F6A8885A308D3)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)
_S12, _S27, _S30, _S31 = np.uint64(12), np.uint64(27), np.uint64(30), np.uint64(31)
_ALTERNATING = np.uint64(0xAAAAAAAAAAAAAAAA)


#: The range of probabilities: below 1 doubles lie 2⁻⁵³ apart, and 1 − θ must keep some digits.
LEAST, MOST = 1e-299, 1.0 - 2.0**-52


@compiled
def _mix(z: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finaliser of splitmix64)."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@compiled
def open_stream(seed: np.uint64, chain: int, purpose: np.int64, block: int, sweep: int) -> NDArray[np.uint64]:
    """Return the stream of a name, at its beginning: its counter and its step."""
    start = _mix(seed ^ _PI)
    step = _mix(seed + _EULER)
    for word in (np.uint64(chain), np.uint64(purpose), np.uint64(block), np.uint64(sweep)):
        start = _mix((start ^ word) + _GOLDEN)
        step = _mix((step + word) ^ _EULER)
    step |= _ONE
    # A step with too regular bits would make neighbours alike.
    if popcount(step ^ (step >> _ONE)) < 24:
        step ^= _ALTERNATING
    stream = np.empty(2, dtype=np.uint64)
    stream[0], stream[1] = start, step
    return stream


@compiled
def uniform(stream: NDArray[np.uint64]) -> float:
    """Draw from the open interval (0, 1)."""
    stream[0] += stream[1]
    # 52 bits and a half: with one bit more the largest value would round to 1.
    return (float(_mix(stream[0]) >> _S12) + 0.5) * 2.220446049250313e-16


@compiled
def uniform_at(stream: NDArray[np.uint64], n: int) -> float:
    """Return what the n-th call of `uniform` from here on (n = 0, 1, …) would draw, drawing nothing."""
    state = stream[0] + stream[1] * np.uint64(n + 1)
    return (float(_mix(state) >> _S12) + 0.5) * 2.220446049250313e-16


@compiled
def bernoulli(stream: NDArray[np.uint64], probability: float) -> bool:
    """Draw True with a probability."""
    return uniform(stream) < probability


@compiled
def permutation(stream: NDArray[np.uint64], n: int) -> NDArray[np.int64]:
    """Draw a random order of 0 … n − 1."""
    order = np.arange(n)
    for i in range(n - 1, 0, -1):
        j = int(uniform(stream) * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


@compiled
def draw_normal(stream: NDArray[np.uint64]) -> float:
    """Draw from the standard normal distribution (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(uniform(stream)))
    return radius * math.cos(2.0 * math.pi * uniform(stream))


@compiled
def draw_gamma(stream: NDArray[np.uint64], shape: float) -> float:
    """Draw from Gamma(shape) with rate 1 (Marsaglia and Tsang 2000), never exactly 0."""
    boost = 1.0
    if shape < 1.0:
        boost = uniform(stream) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = draw_normal(stream)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(uniform(stream)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return max(d * v * boost, 1e-300)


@compiled
def draw_beta(stream: NDArray[np.uint64], a: float, b: float) -> float:
    """Draw from Beta(a, b), kept within what a probability can be in floating point (`LEAST`, `MOST`)."""
    x = draw_gamma(stream, a)
    y = draw_gamma(stream, b)
    return min(max(x / (x + y), LEAST), MOST)


@compiled
def draw_poisson(stream: NDArray[np.uint64], mean: float) -> int:
    """Draw from Poisson(mean) by adding waiting times."""
    count = 0
    waited = -math.log(uniform(stream))
    while waited < mean:
        count += 1
        waited -= math.log(uniform(stream))
    return count


@compiled
def pick(stream: NDArray[np.uint64], n: int) -> int:
    """Draw from 0 … n − 1, all alike."""
    return int(uniform(stream) * n)


@compiled
def draw_place(stream: NDArray[np.uint64], weight: NDArray[np.float64]) -> int:
    """Draw a place with probability proportional to its weight; one without weight is never drawn."""
    total = 0.0
    for p in range(weight.size):
        total += weight[p]
    rest = uniform(stream) * total
    last = 0
    for p in range(weight.size):
        if weight[p] > 0.0:
            rest -= weight[p]
            last = p
            if rest < 0.0:
                break
    return last
