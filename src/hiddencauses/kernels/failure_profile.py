"""The likelihood as a function of one failure probability, and a slice step on it.

Strengths and leaks enter the likelihood alike: a cell's log off probability is base + n · log(1 − θ), θ being
the parameter and base what does not depend on it. So as a function of f = log(1 − θ) the log likelihood is

    zeros · f + Σ_b weight_b · log(1 − exp(base_b + n_b · f))

up to a constant, zeros being Σ n over cells that are off, and b running over (groups of) cells that are on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.compiled import compiled
from hiddencauses.kernels.streams import draw_beta, uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Profile",
    "add_off",
    "add_on",
    "clear",
    "empty_profile",
    "slice_probability",
    "slice_width",
    "with_room",
]

#: The logits of the least and the greatest probability (`streams.LEAST`, `streams.MOST`), a little beyond.
LOWEST, HIGHEST = -689.0, 36.05
#: Groups that an empty profile has room for.
SOME_GROUPS = 32
#: The width of a first slice step, and the bounds of its adaptation.
FIRST_WIDTH, NARROWEST, WIDEST = 1.0, 0.05, 8.0


class Profile(NamedTuple):
    """Cells that depend on one parameter. sizes: [groups in use, zeros]; the rest runs over groups."""

    sizes: NDArray[np.int64]
    base: NDArray[np.float64]
    times: NDArray[np.int64]
    weight: NDArray[np.int64]


@compiled
def empty_profile() -> Profile:
    """Return a profile with room for some groups."""
    return _profile(SOME_GROUPS)


@compiled
def with_room(profile: Profile, more: int) -> Profile:
    """Return the profile, or one that holds the same, with room for so many further groups."""
    used = profile.sizes[0]
    if used + more <= profile.base.size:
        return profile
    larger = _profile(2 * (used + more))
    # by single numbers: to copy into a slice takes a second to compile, for the sake of its error message
    larger.sizes[0], larger.sizes[1] = used, profile.sizes[1]
    for g in range(used):
        larger.base[g] = profile.base[g]
        larger.times[g] = profile.times[g]
        larger.weight[g] = profile.weight[g]
    return larger


@compiled
def _profile(room: int) -> Profile:
    return Profile(
        np.zeros(2, dtype=np.int64),
        np.empty(room),
        np.empty(room, dtype=np.int64),
        np.empty(room, dtype=np.int64),
    )


@compiled
def clear(profile: Profile) -> None:
    """Forget all cells."""
    profile.sizes[:] = 0


@compiled
def add_off(profile: Profile, times: int) -> None:
    """Add cells that are off: so many, or one with so many failures."""
    profile.sizes[1] += times


@compiled
def add_on(profile: Profile, base: float, times: int, weight: int) -> None:
    """Add a group of cells that are on; there must be room."""
    b = profile.sizes[0]
    profile.base[b], profile.times[b], profile.weight[b] = base, times, weight
    profile.sizes[0] = b + 1


@compiled
def _log_target(profile: Profile, logit: float, a: float, b: float) -> float:
    """Log posterior density of the parameter's logit, up to a constant, under a Beta(a, b) prior."""
    if logit < LOWEST or logit > HIGHEST:
        return -np.inf
    # log(1 − θ) and log θ without loss at either end
    failure = -math.log1p(math.exp(logit)) if logit < 0.0 else -logit - math.log1p(math.exp(-logit))
    total = a * (failure + logit) + (b + profile.sizes[1]) * failure
    for g in range(profile.sizes[0]):
        total += profile.weight[g] * np.log(-np.expm1(profile.base[g] + profile.times[g] * failure))
    return total


@compiled
def slice_probability(
    stream: NDArray[np.uint64],
    profile: Profile,
    value: float,
    a: float,
    b: float,
    tuning: NDArray[np.float64],
    warming: bool,
) -> float:
    """Draw a parameter by a slice step on its logit (Neal 2003: stepping out, shrinking in).

    Parameters
    ----------
    stream
        Where random numbers come from.
    profile
        The cells that depend on the parameter.
    value
        Its present value.
    a, b
        Its Beta prior.
    tuning
        [sum of distances moved, number of moves], from which the width follows; changed in warm-up only.
    warming
        Whether this is warm-up.
    """
    if profile.sizes[0] == 0:
        return draw_beta(stream, a, b + profile.sizes[1])
    width = slice_width(tuning)
    present = math.log(value) - math.log1p(-value)
    level = _log_target(profile, present, a, b) + math.log(uniform(stream))
    low = present - uniform(stream) * width
    high = low + width
    while _log_target(profile, low, a, b) > level:
        low -= width
    while _log_target(profile, high, a, b) > level:
        high += width
    while True:
        logit = low + uniform(stream) * (high - low)
        if _log_target(profile, logit, a, b) > level:
            break
        if high - low < 1e-12:  # rounding has closed the slice around the present value
            logit = present
            break
        if logit < present:
            low = logit
        else:
            high = logit
    if warming:
        tuning[0] += abs(logit - present)
        tuning[1] += 1.0
    return 1.0 / (1.0 + math.exp(-logit))


@compiled
def slice_width(tuning: NDArray[np.float64]) -> float:
    """Return the width of a slice step: a few times the mean distance moved so far."""
    if tuning[1] < 10.0:
        return FIRST_WIDTH
    return min(max(3.0 * tuning[0] / tuning[1], NARROWEST), WIDEST)
