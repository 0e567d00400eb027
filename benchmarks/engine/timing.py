"""Contestants timed in turns, so that what else the machine does falls on all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from benchmarks.engine.contestants import Sweeps

__all__ = ["milliseconds_a_sweep"]


def milliseconds_a_sweep(
    makers: Mapping[str, Callable[[], Sweeps]], numbers: Mapping[str, int], repeats: int
) -> dict[str, float]:
    """Return the median processor time of a sweep of each contestant.

    Parameters
    ----------
    makers
        Each makes a chain in the state all begin with and returns its sweeps; making it is not timed.
    numbers
        Sweeps of each contestant that are timed together.
    repeats
        How often; each time all contestants run, one after the other, from the beginning.
    """
    for make in makers.values():
        make()(1)  # compiling
    times: dict[str, list[float]] = {name: [] for name in makers}
    for _ in range(repeats):
        for name, make in makers.items():
            sweeps = make()
            began = time.process_time()
            sweeps(numbers[name])
            times[name].append(1000 * (time.process_time() - began) / numbers[name])
    return {name: float(np.median(each)) for name, each in times.items()}
