"""Priors: of a probability, of the concentration, and of the number of causes in the finite model.

Each is a small frozen value that checks itself, knows its log density and how to draw from itself,
and turns into plain data and back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import betaln, gammaln

from hiddencauses.validation import check_at_least, check_positive, check_probability

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Beta",
    "CountPrior",
    "FixedCount",
    "Gamma",
    "Geometric",
    "TruncatedPoisson",
    "UniformCount",
    "count_priors",
]


@dataclass(frozen=True, slots=True)
class Beta:
    """Beta(a, b) on a probability."""

    kind: ClassVar[str] = "beta"
    a: float
    b: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", check_positive("a of Beta", self.a))
        object.__setattr__(self, "b", check_positive("b of Beta", self.b))

    def log_density(self, x: ArrayLike) -> NDArray[np.float64]:
        """Log density at `x`, element by element."""
        x = np.asarray(x, dtype=np.float64)
        return np.asarray((self.a - 1) * np.log(x) + (self.b - 1) * np.log1p(-x) - betaln(self.a, self.b))

    def log_moment(self, n: ArrayLike, m: ArrayLike) -> NDArray[np.float64]:
        """Log of E[xⁿ (1−x)ᵐ], the chance of n given successes and m given failures."""
        return np.asarray(betaln(self.a + np.asarray(n), self.b + np.asarray(m)) - betaln(self.a, self.b))

    def draw(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> NDArray[np.float64]:
        """Draw; never exactly 0 or 1, which a density of the model could not take."""
        tiny = np.finfo(np.float64).tiny
        return np.clip(rng.beta(self.a, self.b, size), tiny, 1.0 - np.finfo(np.float64).epsneg)


@dataclass(frozen=True, slots=True)
class Gamma:
    """Gamma(shape, rate) on the concentration."""

    kind: ClassVar[str] = "gamma"
    shape: float
    rate: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", check_positive("shape of Gamma", self.shape))
        object.__setattr__(self, "rate", check_positive("rate of Gamma", self.rate))

    def log_density(self, x: ArrayLike) -> NDArray[np.float64]:
        """Log density at `x`, element by element."""
        x = np.asarray(x, dtype=np.float64)
        constant = self.shape * math.log(self.rate) - gammaln(self.shape)
        return np.asarray(constant + (self.shape - 1) * np.log(x) - self.rate * x)

    def draw(self, rng: np.random.Generator) -> float:
        """Draw; never exactly 0."""
        return max(float(rng.gamma(self.shape, 1.0 / self.rate)), float(np.finfo(np.float64).tiny))


class CountPrior:
    """A prior on the number of causes K ≥ 1 of the finite model."""

    __slots__ = ()
    kind: ClassVar[str]

    def log_mass(self, k: int) -> float:
        """Log P(K = k); −inf where there is no mass."""
        raise NotImplementedError

    def draw(self, rng: np.random.Generator) -> int:
        """Draw K."""
        raise NotImplementedError

    def largest(self) -> int | None:
        """Return the largest K with mass, or None when there is none."""
        return None


@dataclass(frozen=True, slots=True)
class Geometric(CountPrior):
    """P(K) = probability · (1 − probability)^(K−1) on K ≥ 1."""

    kind: ClassVar[str] = "geometric"
    probability: float = 0.1

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "probability", check_probability("probability of Geometric", self.probability)
        )

    def log_mass(self, k: int) -> float:
        """Log P(K = k)."""
        return math.log(self.probability) + (k - 1) * math.log1p(-self.probability) if k >= 1 else -math.inf

    def draw(self, rng: np.random.Generator) -> int:
        """Draw K."""
        return int(rng.geometric(self.probability))


@dataclass(frozen=True, slots=True)
class TruncatedPoisson(CountPrior):
    """Poisson(rate) given K ≥ 1."""

    kind: ClassVar[str] = "truncated_poisson"
    rate: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", check_positive("rate of TruncatedPoisson", self.rate))

    def log_mass(self, k: int) -> float:
        """Log P(K = k)."""
        if k < 1:
            return -math.inf
        return k * math.log(self.rate) - self.rate - math.lgamma(k + 1) - math.log(-math.expm1(-self.rate))

    def draw(self, rng: np.random.Generator) -> int:
        """Draw K: the first event is forced to lie in the unit of time, the others follow it freely."""
        first = -math.log1p(rng.random() * math.expm1(-self.rate)) / self.rate
        return 1 + int(rng.poisson(self.rate * max(0.0, 1.0 - first)))


@dataclass(frozen=True, slots=True)
class UniformCount(CountPrior):
    """Every K from 1 to `bound` alike."""

    kind: ClassVar[str] = "uniform"
    bound: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", check_at_least("bound of UniformCount", self.bound, 1))

    def log_mass(self, k: int) -> float:
        """Log P(K = k)."""
        return -math.log(self.bound) if 1 <= k <= self.bound else -math.inf

    def draw(self, rng: np.random.Generator) -> int:
        """Draw K."""
        return int(rng.integers(1, self.bound + 1))

    def largest(self) -> int:
        """Return the bound."""
        return self.bound


@dataclass(frozen=True, slots=True)
class FixedCount(CountPrior):
    """Exactly `k` causes."""

    kind: ClassVar[str] = "fixed"
    k: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_at_least("k of FixedCount", self.k, 1))

    def log_mass(self, k: int) -> float:
        """Log P(K = k)."""
        return 0.0 if k == self.k else -math.inf

    def draw(self, rng: np.random.Generator) -> int:
        """Return k."""
        return self.k

    def largest(self) -> int:
        """Return k."""
        return self.k


def count_priors() -> dict[str, type[CountPrior]]:
    """Every prior on K by the name it has in JSON."""
    return {prior.kind: prior for prior in (Geometric, TruncatedPoisson, UniformCount, FixedCount)}


def to_plain(prior: Any) -> dict[str, Any]:
    """Turn a prior into plain data: its kind and its numbers."""
    return {"kind": prior.kind} | {field.name: getattr(prior, field.name) for field in fields(prior)}
