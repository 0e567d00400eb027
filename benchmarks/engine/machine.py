"""What this machine can do on one core: bytes, 64-bit words, multiply-adds and random numbers a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic

__all__ = ["measure_machine"]

#: Doubles in each of the three arrays of the triad: in the first cache, in the second, far beyond all.
IN_CACHE, IN_SECOND_CACHE, IN_MEMORY = 1 << 10, 1 << 14, 1 << 25
QUICK_IN_MEMORY = 1 << 18
#: Words whose bits are counted, and numbers that multiply-adds are made with: in the first cache.
WORDS, NUMBERS, STEPS = 1 << 11, 1 << 9, 64


@intrinsic  # type: ignore[misc]
def _count_bits(typing_context, word):  # type: ignore[no-untyped-def]
    """Count the bits of a word by the machine's own instruction."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return numba.types.uint64(numba.types.uint64), generate


@numba.njit(nogil=True, fastmath=True)
def _triad(times, a, b, c):  # type: ignore[no-untyped-def]
    for n in range(times):
        scale = 1.0 + n
        for i in range(a.size):
            a[i] = b[i] + scale * c[i]
    return a[0]


@numba.njit(nogil=True)
def _and_and_count(times, a, b):  # type: ignore[no-untyped-def]
    total = np.uint64(0)
    for n in range(times):
        b[n % b.size] ^= np.uint64(n)
        for i in range(a.size):
            total += _count_bits(a[i] & b[i])
    return total


@numba.njit(nogil=True, fastmath=True)
def _multiply_add(times, x, out):  # type: ignore[no-untyped-def]
    for n in range(times):
        last = 1.0 / (1.0 + n)
        for i in range(x.size):
            value = last
            for _ in range(STEPS):
                value = value * x[i] + 0.5
            out[i] += value
    return out[0]


@numba.njit(nogil=True)
def _random(times, out):  # type: ignore[no-untyped-def]
    """Draw uniform numbers as the kernels do: counter-based, by the finaliser of splitmix64."""
    counter, step = np.uint64(12345), np.uint64(0x9E3779B97F4A7C15)
    for _ in range(times):
        for i in range(out.size):
            counter += step
            z = (counter ^ (counter >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            out[i] = float((z ^ (z >> np.uint64(31))) >> np.uint64(12)) * 2.220446049250313e-16
    return out[0]


def measure_machine(*, quick: bool = False) -> dict[str, float]:
    """Return the best of several measurements of each rate, a second, on one core."""
    memory = QUICK_IN_MEMORY if quick else IN_MEMORY
    rng = np.random.default_rng(1)
    rates = {}
    for name, size in (("cache", IN_CACHE), ("second cache", IN_SECOND_CACHE), ("memory", memory)):
        arrays = [rng.random(size) for _ in range(3)]
        times = max(1, (1 << (18 if quick else 24)) // size)
        # a and b and c, as the field counts them: what writing a line reads first is not counted
        rates[f"bytes from {name}"] = _rate(24 * size * times, _triad, times, *arrays)
    times = 1 << (6 if quick else 15)
    words = [rng.integers(0, 1 << 63, size=WORDS).astype(np.uint64) for _ in range(2)]
    rates["words and counted"] = _rate(WORDS * times, _and_and_count, times, *words)
    numbers = [rng.random(NUMBERS) for _ in range(2)]
    rates["multiply-adds"] = _rate(NUMBERS * STEPS * times // 4, _multiply_add, times // 4, *numbers)
    rates["random numbers"] = _rate(NUMBERS * times // 4, _random, times // 4, numbers[0])
    return rates


def _rate(work: int, function: Callable[..., Any], *given: Any, repeats: int = 15) -> float:
    """Return work a second: the best time counts, since others on the machine can only slow it down."""
    function(*given)
    best = np.inf
    for _ in range(repeats):
        began = time.perf_counter()
        function(*given)
        best = min(best, time.perf_counter() - began)
    return work / best
