"""Ratios of the moves on groups of causes with free parameters, by taking random paths there and back.

What `summed_balance.py` cannot see: fits and the densities of parameters, launches on a sample of the rows,
and all that differs between the variants of the model.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from verification.case import Case, Outcome, Settings
from verification.followed import MOVES, WRONG

__all__ = ["cases"]

#: Log ratios may be off by this much; a wrong version must be off by much more.
TOLERANCE, NOTICED = 1e-9, 1e-4
#: Paths begun for each move.
FAST_TRIALS, FULL_TRIALS = 300, 6000
#: Shares of these that must propose something, and be of each kind: what never moves proves nothing.
LEAST_SHARE, LEAST_SHARE_OF_KIND = 1 / 20, 1 / 300
#: Paths begun with a wrong version; the rarest shows once in some two hundred.
FAST_CONTROL_TRIALS, FULL_CONTROL_TRIALS = 200, 2000
FAST_CONTROLS = (
    "births without the density of parameters",
    "births back on other rows",
    "swaps without the chance of the taker",
    "redraw given what it replaces",
)


def followed(move: str, trials: int, seed: int, wrong: str = "") -> dict[str, Any]:
    """Take paths of one move in a process in which nothing is compiled."""
    done = subprocess.run(
        [sys.executable, "-m", "verification.followed", move, str(trials), str(seed), wrong],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    return dict(json.loads(done.stdout))


def _run(settings: Settings) -> Outcome:
    trials = FAST_TRIALS if settings.fast else FULL_TRIALS
    seeds = {move: settings.seed_of(number) for number, move in enumerate(MOVES)}
    found = {move: followed(move, trials, seed) for move, seed in seeds.items()}
    worst = max(found, key=lambda move: found[move]["off"])
    off, trial, why = (found[worst][name] for name in ("off", "trial", "why"))
    rows = [
        {"move": move, "kind": kind, "paths": paths, "largest disagreement of the move": found[move]["off"]}
        for move in MOVES
        for kind, paths in found[move]["paths"].items()
    ]
    few = [f"{row['move']}, {row['kind']}" for row in rows if row["paths"] < trials * _least(row["kind"])]
    return Outcome(
        off < TOLERANCE and not few,
        {move: found[move]["paths"]["any"] for move in MOVES} | {"largest disagreement": off},
        f"largest for {worst}, trial {trial} of seed {seeds[worst]}"
        + (f" ({why})" if why else "")
        + (f"; too few: {few}" if few else ""),
        tuple(rows),
    )


def _least(kind: str) -> float:
    return LEAST_SHARE if kind == "any" else LEAST_SHARE_OF_KIND


def _control(settings: Settings, *, wrong: str) -> Outcome:
    trials = FAST_CONTROL_TRIALS if settings.fast else FULL_CONTROL_TRIALS
    found = followed(WRONG[wrong].move, trials, settings.seed_of(100), wrong)
    noticed = found["off"] > NOTICED
    return Outcome(
        noticed,
        {"paths": found["paths"]["any"], "largest disagreement": found["off"]},
        found["why"] if noticed else "was not rejected",
    )


def cases() -> list[Case]:
    """Return the suite."""

    def control(wrong: str) -> Callable[[Settings], Outcome]:
        return partial(_control, wrong=wrong)

    return [
        Case("paths", True, _run),
        *(Case(f"paths/control: {wrong}", wrong in FAST_CONTROLS, control(wrong)) for wrong in WRONG),
    ]
