"""Long products of positive factors, kept as a number near 1 and a power of 2: no logarithm, no overflow.

A double is m · 2^e with m in [1, 2); `renormalise` moves e into a whole number beside it. That is two integer
operations a number, of which a processor does many at once, where a logarithm takes dozens, one by one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.compiled import compiled, compiled_any_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LN2", "SAFE", "begin", "log_product", "renormalise", "weigh"]

LN2 = math.log(2.0)
#: |log| up to which a product of doubles is safe, with something to spare.
SAFE = 650.0
#: Where the exponent of a double begins, what is added to it, and the other bits.
_FRACTION_BITS, _BIAS, _FRACTION = 52, 1023, 0x000FFFFFFFFFFFFF
#: The least power of 2 that weights are told apart by.
_LEAST_POWER = -1022
#: Products that run side by side, and factors that each may gather before it is renormalised.
_LANES, _FACTORS = 16, 16


@compiled
def begin(number: NDArray[np.float64], power: NDArray[np.int64], log_value: float) -> None:
    """Set all products to exp(log_value)."""
    exponent = math.floor(log_value / LN2)
    number[:] = math.exp(log_value - exponent * LN2)
    power[:] = int(exponent)


@compiled
def renormalise(number: NDArray[np.float64], power: NDArray[np.int64]) -> None:
    """Bring all numbers into [1, 2); they must be positive, and no smaller than a double can be in full."""
    digits = number.view(np.int64)
    for n in range(number.size):
        power[n] += (digits[n] >> _FRACTION_BITS) - _BIAS
        digits[n] = (digits[n] & _FRACTION) | (_BIAS << _FRACTION_BITS)


@compiled
def weigh(number: NDArray[np.float64], power: NDArray[np.int64], largest: NDArray[np.int64]) -> None:
    """Turn products, settings × rows, into numbers with a common power of 2 in each row, the `largest`.

    The products must have been renormalised. Of the powers nothing is left.
    """
    for r in range(largest.size):
        largest[r] = power[0, r]
    for s in range(1, number.shape[0]):
        for r in range(largest.size):
            largest[r] = max(largest[r], power[s, r])
    for s in range(number.shape[0]):
        scale = power[s].view(np.float64)
        for r in range(largest.size):
            shift = max(power[s, r] - largest[r], _LEAST_POWER)
            power[s, r] = (shift + _BIAS) << _FRACTION_BITS
        for r in range(largest.size):
            number[s, r] *= scale[r]


@compiled_any_order
def log_product(factor: NDArray[np.float64]) -> float:
    """Return the sum of the logarithms of factors within 1e-18 … 1e18."""
    lane = np.ones(_LANES)
    power = np.zeros(_LANES, dtype=np.int64)
    whole = factor.size // _LANES
    for step in range(whole):
        for place in range(_LANES):
            lane[place] *= factor[step * _LANES + place]
        if step % _FACTORS == _FACTORS - 1:
            renormalise(lane, power)
    for place in range(factor.size - whole * _LANES):
        lane[place] *= factor[whole * _LANES + place]
    total = 0.0
    for place in range(_LANES):
        total += math.log(lane[place]) + power[place] * LN2
    return total
