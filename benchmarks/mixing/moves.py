"""Each move by itself: how often it is proposed and accepted, what it gains, and what it costs.

A chain makes one sweep of the paper's moves, then as many of each kind of move on groups, and so on. The gain
of an accepted change of links is that in log density with the activity of the causes concerned summed out,
where it is positive. At first that is finding causes, later it is tidying up and moving about.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.mixing.doors import move_once, sweep_once
from benchmarks.recovery.tables import LINES
from hiddencauses import DEFAULT_SPEC
from hiddencauses.kernels.state import COUNTERS
from hiddencauses.kernels.summed.effort import (
    BIRTHS,
    BLIND,
    KINDS,
    LATELY,
    REARRANGEMENTS,
    REDRAWS,
    SPLITS,
    SWAPS,
)
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of
from hiddencauses.sampling.initial import initial_world

__all__ = ["TITLE", "run", "table"]

TITLE = "Moves one by one"
CHOSEN = ("sets24", "common", "lifelike", "rare", "flipped")
SWEEPS, EACH, EARLY = 60, 4, 15
#: Names of the moves of each kind, with their counters.
NAMES = {
    BIRTHS: {"births": "joint_births", "deaths": "joint_deaths"},
    SPLITS: {"splits": "splits", "merges": "merges"},
    REARRANGEMENTS: {"rearrangements": "rearrangements"},
    SWAPS: {"swaps": "swaps"},
    BLIND: {
        "blind births": "joint_births",
        "blind deaths": "joint_deaths",
        "blind splits": "splits",
        "blind merges": "merges",
    },
    REDRAWS: {"joint activity": ""},
}
PHASES = ("early", "late")


def run(seed: int) -> list[dict[str, Any]]:
    """Return what each kind of move did in both phases, over all chosen tables."""
    told = {
        (phase, name): {"proposed": 0, "accepted": 0, "gain": 0.0, "seconds": 0.0}
        for phase in PHASES
        for names in NAMES.values()
        for name in names
    }
    for line in LINES:
        if line.name in CHOSEN:
            _chain(line.make(seed).table, seed, told)
    return [{"phase": phase, "move": name} | figures for (phase, name), figures in told.items()]


def _chain(table: Any, seed: int, told: dict[tuple[str, str], dict[str, float]]) -> None:
    data, plain = kernel_data(table), kernel_spec(DEFAULT_SPEC)
    state = state_of(initial_world("empty", table, DEFAULT_SPEC, seed=seed, chain=0), DEFAULT_SPEC)
    key, n_variables = np.uint64(seed), table.n_variables
    places = {name: place for place, name in enumerate(COUNTERS)}
    for number in range(SWEEPS):
        state = sweep_once(key, number, state, data, plain)
        visit = number * n_variables + n_variables - 1
        for move in range(KINDS * EACH):
            kind = move % KINDS
            state.effort[KINDS, LATELY] = 0.0
            before = state.counters.copy()
            began = time.process_time()
            state = move_once(key, visit, kind, move, state, data, plain)
            seconds = time.process_time() - began
            change = state.counters - before
            if not number and move < 2 * KINDS:
                continue  # compiling
            for name, counter in NAMES[kind].items():
                if kind == REDRAWS:
                    proposed = accepted = 1
                else:
                    proposed = int(change[places[f"{counter}_proposed"]])
                    accepted = int(change[places[f"{counter}_accepted"]])
                if proposed:
                    figures = told[PHASES[number >= EARLY], name]
                    figures["proposed"] += proposed
                    figures["accepted"] += accepted
                    figures["gain"] += float(state.effort[KINDS, LATELY])
                    figures["seconds"] += seconds


def table(found: list[dict[str, Any]]) -> list[str]:
    """Return moves × what they did as lines of Markdown."""
    lines = [
        f"Tables {', '.join(CHOSEN)}, from empty; {SWEEPS} sweeps, {EACH} moves of each kind after each; "
        f"early: the first {EARLY} sweeps. Gain: in log density (nats), only increases counted.",
        "",
        "| phase | move | proposed | accepted | gain | milliseconds each | gain a second |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in found:
        if each["proposed"]:
            lines.append(
                f"| {each['phase']} | {each['move']} | {each['proposed']} | {each['accepted']} "
                f"({each['accepted'] / each['proposed']:.1%}) | {each['gain']:.0f} "
                f"| {1000 * each['seconds'] / each['proposed']:.1f} | {each['gain'] / each['seconds']:.0f} |"
            )
    return lines
