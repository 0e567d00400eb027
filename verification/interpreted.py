"""The moves on groups of causes, run as plain Python with every random choice followed.

Their compiled code has no readable twin: what they propose comes from some hundred lines of expectation
maximisation, of which any result is legitimate as long as its probability is reckoned rightly. So here the
package's own functions are run uncompiled on state spaces small enough to write down, each random choice
answered in every way, and the matrix that results is held against the slow log joint density: each of these
moves must be in detailed balance with the posterior.

This must be a process of its own, in which numba compiles nothing: `python -m verification.interpreted MOVE
MODEL WRONG`, which prints the largest violation as JSON. `summed_balance.py` is the suite.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

if __name__ == "__main__" and os.environ.get("NUMBA_DISABLE_JIT") != "1":
    sys.exit("set NUMBA_DISABLE_JIT=1: random choices of compiled code cannot be followed")

import numpy as np

from hiddencauses import Finite, Infinite, ModelSpec, UniformCount
from hiddencauses.kernels.bits import bit
from hiddencauses.kernels.names import Rng
from hiddencauses.kernels.state import NEEDS_ROOM, State, enlarge
from hiddencauses.kernels.summed import births, rearrangements, redraw, splits, swaps
from hiddencauses.model.joint import log_joint
from hiddencauses.model.world import Parameters, World
from hiddencauses.sampling.convert import kernel_spec, state_of
from verification.cells import data_of
from verification.transition import FIXED, StateKey, every_cause, every_state
from verification.twin.enumeration import Script, every_outcome

#: Moves, with the functions that carry them out.
MOVES: dict[str, Callable[..., Any]] = {
    "births": partial(births.update_by_joint_birth_or_death, blind=False),
    "blind births": partial(births.update_by_joint_birth_or_death, blind=True),
    "splits": partial(splits.update_by_split_or_merge, blind=False),
    "blind splits": partial(splits.update_by_split_or_merge, blind=True),
    "rearrangements": rearrangements.update_by_rearrangement,
    "swaps": swaps.update_by_swap,
    "redraw": redraw.update_activity_jointly,
}
#: Models: cells (rows × variables), kind of causes, and the numbers of causes of the states looked at.
MODELS: dict[str, tuple[list[list[int]], ModelSpec, range]] = {
    "infinite 1×2": ([[1, 1]], ModelSpec(**FIXED, causes=Infinite()), range(3)),
    "infinite 2×1": ([[1], [0]], ModelSpec(**FIXED, causes=Infinite()), range(3)),
    "finite 1×2": ([[1, 0]], ModelSpec(**FIXED, causes=Finite(UniformCount(2))), range(1, 3)),
    "infinite 1×3, missing": ([[1, -1, 1]], ModelSpec(**FIXED, causes=Infinite()), range(2)),
    "infinite 2×2": ([[1, 1], [1, 0]], ModelSpec(**FIXED, causes=Infinite()), range(2)),
    "infinite 1×2, three causes": ([[1, 1]], ModelSpec(**FIXED, causes=Infinite()), range(4)),
    "infinite 1×3, three causes": ([[1, 0, 1]], ModelSpec(**FIXED, causes=Infinite()), range(3, 4)),
}
#: What a wrong version leaves out of its acceptance ratio: the function that then returns 0.
WRONG = {
    "blind births without the density of links": (births, "log_blind_density"),
    "births without the density of links": (births, "log_links_density"),
    "splits without the chance of the pair": (splits, "log_pair_chance"),
    "splits without the density of links": (splits, "log_links_density"),
    "rearrangements without the chance of the pair": (rearrangements, "log_pair_chance"),
    "rearrangements without the density of links": (rearrangements, "log_links_density"),
    "swaps without the chance of the taker": (swaps, "_log_chance"),
}


def follow(script: Script) -> None:
    """Have all random choices of the package's kernels answered by a script."""
    answers: dict[str, Callable[..., Any]] = {
        "open_stream": lambda *name: None,
        "uniform": lambda stream: 0.5,  # where to begin when rows are sampled: these tables are not
        "bernoulli": lambda stream, probability: script.bernoulli(probability),
        "pick": lambda stream, n: script.integer(n),
        "accept": lambda stream, log_ratio: script.accept(log_ratio),
        "draw_place": lambda stream, weight: script.choice(list(weight)),
    }
    for name, module in list(sys.modules.items()):
        if name.startswith("hiddencauses.kernels.") and not name.endswith((".streams", ".accept")):
            for answer, function in answers.items():
                if hasattr(module, answer):
                    setattr(module, answer, function)


def world_of(key: StateKey, n_variables: int, n_rows: int) -> World:
    """Return the world of a state, parameters at their fixed values."""
    links = np.array([cause[0] for cause in key], dtype=np.int8).reshape(len(key), n_variables)
    active = np.array([cause[1] for cause in key], dtype=np.int8).reshape(len(key), n_rows)
    strength, leak, prevalence = (np.array(FIXED[name]) for name in ("strength", "leak", "prevalence"))
    return World(links.T, active.T, Parameters(strength, leak, prevalence, FIXED["concentration"]))


def key_of(state: State) -> StateKey:
    """Return which state this is, whatever the order of its causes."""
    return tuple(sorted((tuple(map(int, state.z[:, k])), _activity(state, k)) for k in range(state.count[0])))


def _activity(state: State, k: int) -> tuple[int, ...]:
    return tuple(int(bit(state.y[k], r)) for r in range(state.count[1]))


def largest_violation(move: str, cells: list[list[int]], spec: ModelSpec, counts: range) -> dict[str, float]:
    """Return the largest |π(a) P(a → b) − π(b) P(b → a)|, and how much moves at all."""
    data = data_of(cells)
    n_variables, n_rows = len(data.ones), data.n_rows
    plain = kernel_spec(spec)
    kinds = every_cause(n_variables, n_rows, unlinked=isinstance(spec.causes, Finite))
    states = every_state(kinds, counts)
    place = {key: p for p, key in enumerate(states)}
    matrix, logs = np.zeros((len(states), len(states))), np.empty(len(states))
    codes = np.array(cells, dtype=np.int8)
    for p, key in enumerate(states):
        logs[p] = log_joint(codes, world_of(key, n_variables, n_rows), spec).total

        def run(script: Script, key: StateKey = key) -> StateKey:
            follow(script)
            state = state_of(world_of(key, n_variables, n_rows), spec)
            while MOVES[move](Rng(np.uint64(1), 0, 0, False), state, data, plain, 0) == NEEDS_ROOM:
                state = enlarge(state, plain)
            return key_of(state)

        for outcome, probability in every_outcome(run).items():
            if outcome in place:  # a birth may leave the states looked at; balance is looked at in pairs
                matrix[p, place[outcome]] += probability
    pi = np.exp(logs - logs.max())
    flow = (pi / pi.sum())[:, None] * matrix
    return {
        "states": len(states),
        "violation": float(np.abs(flow - flow.T).max()),
        "flow": float(flow.sum() - np.trace(flow)),
    }


def main(move: str, model: str, wrong: str = "") -> int:
    """Print what one move does on one model."""
    if wrong:
        module, function = WRONG[wrong]
        setattr(module, function, lambda *ignored: 0.0)
    sys.stdout.write(json.dumps(largest_violation(move, *MODELS[model])) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
