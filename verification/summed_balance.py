"""Detailed balance of the moves on groups of causes, by following every random choice of their own code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from verification.case import Case, Outcome, Settings

__all__ = ["cases"]

TOLERANCE = 1e-10
MOVES = ("births", "blind births", "splits", "blind splits", "rearrangements", "swaps", "redraw")
FAST_MODELS = ("infinite 1×2", "finite 1×2")
FULL_MODELS = (
    *FAST_MODELS,
    "infinite 2×1",
    "infinite 1×3, missing",
    "infinite 2×2",
    "infinite 1×2, three causes",
)
#: What a wrong version leaves out, the move it belongs to, and a model on which that shows.
CONTROLS = {
    "births without the density of links": ("births", "infinite 1×2"),
    "blind births without the density of links": ("blind births", "infinite 1×2"),
    "splits without the chance of the pair": ("splits", "infinite 1×2"),
    "splits without the density of links": ("splits", "infinite 1×2"),
    "rearrangements without the chance of the pair": ("rearrangements", "infinite 1×2, three causes"),
    "rearrangements without the density of links": ("rearrangements", "infinite 1×2"),
    "swaps without the chance of the taker": ("swaps", "infinite 1×3, three causes"),
}
#: A wrong version must be off by this much.
NOTICED = 1e-4


def interpreted(move: str, model: str, wrong: str = "") -> dict[str, float]:
    """Run one move on one model in a process in which nothing is compiled."""
    done = subprocess.run(
        [sys.executable, "-m", "verification.interpreted", move, model, *([wrong] if wrong else [])],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    return dict(json.loads(done.stdout))


def _run(settings: Settings) -> Outcome:
    models = FAST_MODELS if settings.fast else FULL_MODELS
    rows = [{"model": model, "move": move} | interpreted(move, model) for model in models for move in MOVES]
    worst = max(rows, key=lambda row: row["violation"])
    moved = {move: sum(row["flow"] for row in rows if row["move"] == move) for move in MOVES}
    still = [move for move, flow in moved.items() if flow < 0.01]  # what never moves proves nothing
    return Outcome(
        worst["violation"] < TOLERANCE and not still,
        {"models": len(models), "moves": len(MOVES), "largest violation": worst["violation"]},
        f"largest for {worst['move']} on {worst['model']}" + (f"; still: {still}" if still else ""),
        tuple(rows),
    )


def _control(settings: Settings, *, wrong: str) -> Outcome:
    move, model = CONTROLS[wrong]
    found = interpreted(move, model, wrong)
    return Outcome(
        found["violation"] > NOTICED, found, "" if found["violation"] > NOTICED else "was not rejected"
    )


def cases() -> list[Case]:
    """Return the suite."""

    def control(wrong: str) -> Callable[[Settings], Outcome]:
        return partial(_control, wrong=wrong)

    return [
        Case("balance", True, _run),
        *(
            Case(f"balance/control: {wrong}", model in FAST_MODELS, control(wrong))
            for wrong, (_, model) in CONTROLS.items()
        ),
    ]
