"""Random choices of the twin, taken from the named streams of the package.

The streams are written out here once more in whole-number arithmetic of Python, independently of the compiled
ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MASK = 2**64 - 1
GOLDEN, EULER, PI = 0x9E3779B97F4A7C15, 0xADF85458A2BB4A9B, 0x243F6A8885A308D3


def mix(z: int) -> int:
    """Scramble 64 bits."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class StreamSource:
    """Choices from the streams of one chain. `open` turns to the beginning of a stream."""

    def __init__(self, seed: int, chain: int) -> None:
        self.seed, self.chain = seed, chain
        self.counter = self.step = 0

    def open(self, purpose: int, block: int, visit: int) -> None:
        """Turn to the stream of this name."""
        start, step = mix(self.seed ^ PI), mix((self.seed + EULER) & MASK)
        for word in (self.chain, int(purpose), block, visit):
            start = mix(((start ^ word) + GOLDEN) & MASK)
            step = mix(((step + word) & MASK) ^ EULER)
        step |= 1
        if (step ^ (step >> 1)).bit_count() < 24:
            step ^= 0xAAAAAAAAAAAAAAAA
        self.counter, self.step = start, step

    def uniform(self) -> float:
        """Draw from (0, 1)."""
        self.counter = (self.counter + self.step) & MASK
        return ((mix(self.counter) >> 12) + 0.5) * 2.0**-52

    def bernoulli(self, probability: float) -> bool:
        """Draw True with a probability."""
        return self.uniform() < probability

    def accept(self, log_ratio: float) -> bool:
        """Accept with probability min(1, exp(log_ratio))."""
        return math.log(self.uniform()) < log_ratio

    def integer(self, n: int) -> int:
        """Draw from 0 … n − 1."""
        return int(self.uniform() * n)

    def choice(self, weights: Sequence[float]) -> int:
        """Draw a place with probability proportional to its weight."""
        left = self.uniform() * math.fsum(weights)
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place
        return len(weights) - 1

    def permutation(self, n: int) -> list[int]:
        """Draw a random order of 0 … n − 1."""
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = int(self.uniform() * (i + 1))
            order[i], order[j] = order[j], order[i]
        return order

    def gamma(self, shape: float) -> float:
        """Draw from Gamma(shape) with rate 1."""
        boost = 1.0
        if shape < 1:
            boost = self.uniform() ** (1 / shape)
            shape += 1
        d = shape - 1 / 3
        c = 1 / math.sqrt(9 * d)
        while True:
            radius = math.sqrt(-2 * math.log(self.uniform()))
            x = radius * math.cos(2 * math.pi * self.uniform())
            v = (1 + c * x) ** 3
            if v > 0 and math.log(self.uniform()) < 0.5 * x * x + d - d * v + d * math.log(v):
                return max(d * v * boost, 1e-300)

    def beta(self, a: float, b: float) -> float:
        """Draw from Beta(a, b)."""
        x, y = self.gamma(a), self.gamma(b)
        return min(max(x / (x + y), 1e-299), 1 - 2.0**-52)

    def poisson(self, mean: float) -> int:
        """Draw from Poisson(mean)."""
        count, waited = 0, -math.log(self.uniform())
        while waited < mean:
            count += 1
            waited -= math.log(self.uniform())
        return count
