"""Looking at a chain of `sample` after each of its sweeps: when were the true causes there?

Chains run in pieces between which they return to Python. Here a piece is made one sweep long, and what it
leads to is looked at. What is looked at changes nothing in what is drawn.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from hiddencauses import ModelSpec
from hiddencauses.sampling import chain
from hiddencauses.sampling.convert import world_of

__all__ = ["Watch", "watching"]


class _EnoughError(Exception):
    """Raised in a chain to end it."""


class Watch:
    """What was seen of one chain.

    Attributes
    ----------
    found
        For each sweep, which true causes were there with exactly their links.
    n_causes
        For each sweep, how many causes there were.
    ended
        For each sweep, when it ended, in seconds from the start of the chain.
    processor_seconds
        What it took until all were there for the first time; None if they never were.
    looking
        Seconds spent on looking, which are a part of all times but those of the last look.
    """

    def __init__(self, links: NDArray[np.int8], spec: ModelSpec, *, limit: float, end: bool) -> None:
        self.found: list[list[bool]] = []
        self.n_causes: list[int] = []
        self.ended: list[float] = []
        self.processor_seconds: float | None = None
        self.looking = 0.0
        self._true = [column.tobytes() for column in links.T.copy()]
        self._spec, self._limit, self._end = spec, limit, end
        self._began, self._processor_began = time.perf_counter(), time.process_time()

    def look(self, state: Any) -> None:
        """Note what is there after a sweep."""
        began = time.perf_counter()
        links = world_of(state, self._spec).links
        present = {column.tobytes() for column in links.T.copy()}
        self.found.append([cause in present for cause in self._true])
        self.n_causes.append(links.shape[1])
        now = time.perf_counter()
        self.ended.append(now - self._began)
        self.looking += now - began
        if self.processor_seconds is None and all(self.found[-1]):
            self.processor_seconds = time.process_time() - self._processor_began
        if self.ended[-1] > self._limit or (self._end and self.processor_seconds is not None):
            raise _EnoughError

    def sweeps_to(self, share: float) -> int | None:
        """Return the sweeps until this share of the true causes was there; None if it never was."""
        enough = (n for n, found in enumerate(self.found, start=1) if sum(found) >= share * len(found))
        return next(enough, None)

    def seconds_to(self, share: float) -> float | None:
        """Return the seconds until this share of the true causes was there; None if it never was."""
        sweeps = self.sweeps_to(share)
        return None if sweeps is None else self.ended[sweeps - 1]


@contextmanager
def watching(
    links: NDArray[np.int8], spec: ModelSpec, *, limit: float = np.inf, end: bool = False
) -> Iterator[Watch]:
    """Watch the one chain of a `sample` that is called within.

    Parameters
    ----------
    links
        The true links, variables × causes.
    spec
        The model.
    limit
        Seconds after which the chain ends.
    end
        Whether it ends when all true causes are there.
    """
    watch = Watch(links, spec, limit=limit, end=end)
    sweeps = chain.run_sweeps

    def watched(*given: Any) -> Any:
        done = sweeps(*given)
        watch.look(done[0])
        return done

    with (
        mock.patch.object(chain, "run_sweeps", watched),
        mock.patch.object(chain, "PIECE_CELLS", 1),
        suppress(_EnoughError),
    ):
        yield watch
