"""Names of the streams that kernels draw from, and the numbers that make a name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["ROW_BLOCK", "Rng"]

#: Rows that share a stream for their activity: a part of the streams' names, never to be changed.
ROW_BLOCK = 4096

# What a stream is for. A number, once given, is never given to something else (see also `rng.Purpose`).
LINKS = 100
OWN_CAUSES = 101
OWN_ACTIVITY = 102
ACTIVITY_ORDER = 103
ACTIVITY = 104
BIRTH_DEATH = 105
BIRTH_ACTIVITY = 106
SINGLE_LINK = 107
SINGLE_LINK_ACTIVITY = 108
STRENGTH = 109
LEAK = 110
PREVALENCE = 111
CONCENTRATION = 112


class Rng(NamedTuple):
    """Where in the run a kernel is: with a purpose and a block this names its stream.

    seed and chain say which run; visit counts visits to a variable (sweep × variables + variable); warming is
    true during warm-up, when step sizes may adapt.
    """

    seed: np.uint64
    chain: int
    visit: int
    warming: bool
