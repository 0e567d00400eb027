"""Names of the streams that kernels draw from, and the numbers that make a name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["ROW_BLOCK", "Rng"]

#: Rows that share a stream for their activity: a part of the streams' names, never to be changed.
ROW_BLOCK = 4096

# What a stream is for. A number, once given, is never given to something else (see also `rng.Purpose`). Not
# plain numbers, for each of which `open_stream` would be compiled once more.
LINKS = np.int64(100)
OWN_CAUSES = np.int64(101)
OWN_ACTIVITY = np.int64(102)
ACTIVITY_ORDER = np.int64(103)
ACTIVITY = np.int64(104)
BIRTH_DEATH = np.int64(105)
BIRTH_ACTIVITY = np.int64(106)
SINGLE_LINK = np.int64(107)
SINGLE_LINK_ACTIVITY = np.int64(108)
STRENGTH = np.int64(109)
LEAK = np.int64(110)
PREVALENCE = np.int64(111)
CONCENTRATION = np.int64(112)
JOINT_BIRTH = np.int64(113)
SPLIT_MERGE = np.int64(114)
REARRANGEMENT = np.int64(115)
REDRAW = np.int64(116)
SUMMED_OLD = np.int64(117)
SUMMED_NEW = np.int64(118)
MIXTURE = np.int64(119)
SWAP = np.int64(120)


class Rng(NamedTuple):
    """Where in the run a kernel is: with a purpose and a block this names its stream.

    seed and chain say which run; visit counts visits to a variable (sweep × variables + variable); warming is
    true during warm-up, when step sizes may adapt.
    """

    seed: np.uint64
    chain: int
    visit: int
    warming: bool
