"""What the draws say of rows, be they those of the fitted table or new ones.

Equal rows are worked out once. A row's answer depends on the row, the draws and the seed alone: not on the
rows around it, on how rows are cut into blocks, or on how many threads there are.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.posterior.matching import NOBODY
from hiddencauses.posterior.row_kernel import Answers, Worlds, infer_rows
from hiddencauses.rng import Purpose
from hiddencauses.validation import check_at_least

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.posterior.collection import Collection

__all__ = ["Inference", "RowAnswers", "distinct_rows", "spread_draws", "worlds_of"]

#: Groups of causes up to this size are summed over exactly; larger ones get so many Gibbs sweeps a draw.
LARGEST, SWEEPS = 10, 50
#: Different rows that a thread takes at a time.
ROWS_AT_A_TIME = 1024


@dataclass(frozen=True, eq=False, slots=True)
class RowAnswers:
    """What is known of rows, averaged over draws (`log_density`: by draw).

    Attributes
    ----------
    at_work
        Rows × causes: chance that the cause is at work, given that it exists; NaN where no draw used has it.
    on
        Rows × variables: chance that the cell is 1, for cells that were asked; NaN for others. Empty when
        none were.
    log_density, log_density_error
        Rows × draws: log probability of the cells that are there, and its relative standard error, 0 where
        it is exact. Empty when not asked.
    by_cause, by_leak, by_others
        Rows × causes × variables, rows × variables, rows × variables: chance that the cause (the leak,
        causes not counted) switched on the cell, where it is 1. Empty when not asked.
    """

    at_work: NDArray[np.float64]
    on: NDArray[np.float64]
    log_density: NDArray[np.float64]
    log_density_error: NDArray[np.float64]
    by_cause: NDArray[np.float64]
    by_leak: NDArray[np.float64]
    by_others: NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Inference:
    """The draws, ready to say what they know of rows.

    Attributes
    ----------
    worlds
        Links and parameters of the draws used.
    n_labels
        How many causes are told of.
    seed
        Names the random streams of rows with too many causes tied together to sum over.
    largest, sweeps
        The most causes that are summed over exactly, and Gibbs sweeps for more.
    threads
        How many rows are worked on at a time; as many as there are processors when None.
    """

    worlds: Worlds
    n_labels: int
    seed: int
    largest: int = LARGEST
    sweeps: int = SWEEPS
    threads: int | None = None

    @property
    def n_draws(self) -> int:
        """How many draws are used."""
        return len(self.worlds.start) - 1

    def of_rows(
        self,
        codes: NDArray[np.int8],
        *,
        asked: NDArray[np.bool_] | None = None,
        density: bool = False,
        parts: bool = False,
    ) -> RowAnswers:
        """Answer for rows.

        Parameters
        ----------
        codes
            Rows × variables: 0, 1, or −1 for missing.
        asked
            Cells whose chance of being 1 is asked, given all other cells of the row: missing ones, or ones
            that are 0, for the chance with which a row with the same causes at work has them on. The same
            for equal rows.
        density, parts
            Whether densities are asked, and what switched ones on.
        """
        distinct, firsts, place = distinct_rows(codes)
        wanted = np.zeros(distinct.shape, dtype=np.bool_) if asked is None else asked[firsts]
        rows, variables, labels = *distinct.shape, self.n_labels
        answers = Answers(
            at_work=np.zeros((rows, labels)),
            off=np.zeros((rows if asked is not None else 0, variables)),
            log_density=np.zeros((rows if density else 0, self.n_draws)),
            log_density_error=np.zeros((rows if density else 0, self.n_draws)),
            by_cause=np.zeros((rows if parts else 0, labels, variables)),
            by_leak=np.zeros((rows if parts else 0, variables)),
            by_others=np.zeros((rows if parts else 0, variables)),
        )
        keys = _keys(distinct)

        def infer(start: int) -> None:
            some = slice(start, start + ROWS_AT_A_TIME)
            infer_rows(
                distinct[some],
                wanted[some],
                keys[some],
                self.worlds,
                Answers(*(array[some] for array in answers)),
                np.uint64(self.seed),
                np.int64(Purpose.ROW_ACTIVITY),
                self.largest,
                self.sweeps,
            )

        with ThreadPoolExecutor(self.threads or os.cpu_count() or 1) as pool:
            list(pool.map(infer, range(0, rows, ROWS_AT_A_TIME)))
        have = np.bincount(self.worlds.label[self.worlds.label != NOBODY], minlength=labels)
        given = np.divide(1.0, have, out=np.full(labels, np.nan), where=have > 0)
        on = np.where(wanted, 1.0 - answers.off / self.n_draws, np.nan) if asked is not None else answers.off
        return RowAnswers(
            at_work=(answers.at_work * given)[place],
            on=on[place] if asked is not None else on,
            log_density=answers.log_density[place] if density else answers.log_density,
            log_density_error=answers.log_density_error[place] if density else answers.log_density_error,
            by_cause=answers.by_cause[place] / self.n_draws if parts else answers.by_cause,
            by_leak=answers.by_leak[place] / self.n_draws if parts else answers.by_leak,
            by_others=answers.by_others[place] / self.n_draws if parts else answers.by_others,
        )


def worlds_of(
    causes: Collection, label: NDArray[np.int64], n_labels: int, numbers: NDArray[np.int64]
) -> Worlds:
    """Return links and parameters of some draws; labels from `n_labels` on are not counted."""
    chosen = np.concatenate(
        [np.arange(causes.start[s], causes.start[s + 1]) for s in numbers] or [np.zeros(0, np.int64)]
    ).astype(np.int64)
    links = np.concatenate(
        [np.arange(causes.link_start[c], causes.link_start[c + 1]) for c in chosen] or [np.zeros(0, np.int64)]
    ).astype(np.int64)
    # a strength of 1 to the last digit would leave nothing to divide by
    off = np.maximum(1.0 - causes.link_strength[links], np.finfo(np.float64).epsneg)
    mine, prevalence = label[chosen], causes.prevalence[chosen]
    leak = np.ascontiguousarray(causes.leak[numbers])
    return Worlds(
        start=_ends(np.diff(causes.start)[numbers]),
        link_start=_ends(causes.n_links[chosen]),
        link_variable=causes.link_variable[links],
        off=off,
        log_off=np.log(off),
        log_odds=np.log(prevalence) - np.log1p(-prevalence),
        log_absent=np.log1p(-prevalence),
        label=np.where(mine < n_labels, mine, NOBODY),
        leak=leak,
        log_off_leak=np.log1p(-leak),
    )


def spread_draws(n_draws: int, most: int | None) -> NDArray[np.int64]:
    """Return the numbers of at most so many draws, spread evenly over all chains."""
    if most is None or check_at_least("draws_used", most, 1) >= n_draws:
        return np.arange(n_draws)
    return np.floor((np.arange(most) + 0.5) * n_draws / most).astype(np.int64)


def _ends(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def distinct_rows(codes: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
    """Return the different rows, where each first stands, and which of them each row is."""
    whole = np.ascontiguousarray(codes).view(np.dtype((np.void, codes.shape[1]))).ravel()
    _, firsts, place = np.unique(whole, return_index=True, return_inverse=True)
    return np.ascontiguousarray(codes[firsts]), firsts, place.ravel()


def _keys(codes: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Return a number for each row that depends on its cells alone, hardly ever the same for two rows."""
    factor, powers = 1, []
    for _ in range(codes.shape[1]):
        factor = factor * 0x9E3779B97F4A7C15 % 2**64
        powers.append(factor)
    keys = np.zeros(len(codes), dtype=np.uint64)
    for i, power in enumerate(powers):
        keys += (codes[:, i] + 2).astype(np.uint64) * np.uint64(power)  # meant to wrap around
    return keys
