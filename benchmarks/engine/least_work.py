"""What a sweep needs at least: a count from the table and the state, with a model of what must be done.

The model. Tables and activity are bits, W words of 64 rows for each variable and each cause.

- *Bytes*: every word must come in from memory once for the links, variable by variable, and once for the
  activity, block of rows by block of rows, and new activity must go out: (2 N + 3 K) W words of 8 bytes, if
  all else stays in cache.
- *Words*: a link decision counts the active rows in which the variable is off: one word and-ed and counted
  for each 64 rows. For those in which it is on, with strengths all alike, rows are grouped by how many of the
  variable's L linked causes are active, a number of ⌈log₂(L + 1)⌉ bits: as many words more; with a strength
  per link, active cells that are on have ratios of their own.
- *Multiply-adds*: with a strength per link one for each pair of a cause active in a row and a variable on
  there, to multiply likelihood ratios; for the activity one for each link and row; for the strengths, each
  slice step looks at the active cells that are on, at least three times; leaks are neglected.
- *Random numbers*: one for each cause and row.

What is left out, logarithms, random orders and own causes, can be made rare. It is the least for this way of
going about it, not a proof that there is no other: equal rows, for one, could be counted together.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.recovery.tables import Problem

__all__ = ["OPERATIONS", "least_seconds", "least_work"]

#: How many operations each is; a random number takes shifts, exclusive ors, products and sums.
OPERATIONS = {"words": 2, "multiply-adds": 2, "random numbers": 10}
#: Times a slice step looks at its density: at the present value, and at both ends or a candidate.
LOOKS = 3


def least_work(problem: Problem, spec_name: str) -> dict[str, float]:
    """Return bytes, words, multiply-adds and random numbers of a sweep at the truth."""
    links, activity = problem.links.astype(np.int64), problem.truth.activity
    n_rows, (n_variables, count) = len(activity), links.shape
    words = math.ceil(n_rows / 64)
    decisions = n_variables * count
    work = {"bytes": 8.0 * words * (2 * n_variables + 3 * count), "random numbers": float(count * n_rows)}
    adds = float(links.sum() * n_rows)
    if spec_name == "shared":
        planes = np.ceil(np.log2(links.sum(axis=1) + 1)).astype(int)
        work["words"] = float(words * count * (1 + planes).sum())
    else:
        # counts of rows, which these small numbers hold exactly
        on = (problem.table.codes() == 1).astype(np.float32)
        active_and_on = on.T @ activity.astype(np.float32)
        work["words"] = float(words * decisions)
        adds += float(active_and_on.sum() + LOOKS * (active_and_on * links).sum())
    return work | {"multiply-adds": adds}


def least_seconds(work: dict[str, float], machine: dict[str, float]) -> dict[str, float]:
    """Return the seconds bytes and operations take at this machine's best; the larger is the limit."""
    return {
        "bytes": work["bytes"] / machine["bytes from memory"],
        "operations": work["words"] / machine["words and counted"]
        + work["multiply-adds"] / machine["multiply-adds"]
        + work["random numbers"] / machine["random numbers"],
    }
