"""Named random streams.

Every random number of the package comes from a stream named by (seed, chain, purpose, block, sweep).
A name always gives the same numbers, whatever else ran before it and on how many threads, because a
stream is a counter-based generator (Philox) whose key is made from the name alone.
"""

from __future__ import annotations

import enum
import secrets

import numpy as np

from hiddencauses.validation import check_seed

__all__ = ["Purpose", "fresh_seed", "stream"]


class Purpose(enum.IntEnum):
    """What a stream is for. A number, once given, is never given to something else."""

    SIMULATE_PARAMETERS = 1
    SIMULATE_LINKS = 2
    SIMULATE_ACTIVITY = 3
    SIMULATE_TABLE = 4
    SIMULATE_MISSING = 5
    INITIAL_STATE = 6
    # 100 and on are those of kernels (`kernels.names`)
    ROW_ACTIVITY = 200
    REPLICATED_TABLES = 201
    HELD_OUT = 202


def fresh_seed() -> int:
    """Return a seed drawn from the system, to be used and recorded when the user gave none."""
    return secrets.randbits(32)


def stream(
    seed: int, purpose: Purpose, *, chain: int = 0, block: int = 0, sweep: int = 0
) -> np.random.Generator:
    """Return the generator of one named stream, at its beginning."""
    name = [check_seed(seed), chain, int(purpose), block, sweep]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(name)))
