"""What was found, beside the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.recovery.tables import Line, Problem
from hiddencauses.sampling.draws import Draws

__all__ = ["compare", "found_at_any_cut", "found_at_half", "succeeds"]

#: The intervals whose coverage is counted.
INTERVAL = (5, 95)


def compare(draws: Draws, problem: Problem) -> dict[str, Any]:
    """Return, as plain data, which true causes one chain found and how many causes it thinks there are.

    A true cause is found when a cause with exactly its links is in more than half of the kept draws.
    Strengths are looked at in the draws that have the cause; a true link is covered when its strength lies
    within the central 90 % of these.
    """
    true = {column.tobytes(): k for k, column in enumerate(problem.links.T.copy())}
    times = np.zeros(len(true))
    strengths: dict[int, list[NDArray[np.float64]]] = {k: [] for k in true.values()}
    for draw in range(draws.n_draws):
        world = draws.world(0, draw)
        columns = {column.tobytes(): k for k, column in enumerate(world.links.T.copy())}
        for key in columns.keys() & true.keys():
            times[true[key]] += 1
            linked = problem.links[:, true[key]] == 1
            own = np.broadcast_to(world.parameters.strength, world.links.shape)
            strengths[true[key]].append(own[linked, columns[key]])
    found = times > draws.n_draws / 2
    covered = links = 0
    for k in np.flatnonzero(found):
        linked = problem.links[:, k] == 1
        low, high = np.percentile(np.stack(strengths[k]), INTERVAL, axis=0)
        truth = np.broadcast_to(problem.truth.parameters.strength, problem.links.shape)[linked, k]
        covered += int(((low <= truth) & (truth <= high)).sum())
        links += int(linked.sum())
    shares = draws.n_causes_distribution()
    return {
        "found": found.astype(int).tolist(),
        "share": (times / draws.n_draws).round(3).tolist(),
        "n_causes": {str(k): round(float(share), 3) for k, share in enumerate(shares) if share > 0},
        "mode": int(shares.argmax()),
        "log_joint": float(draws.log_joint[0].mean()),
        "links_covered": covered,
        "links_asked": links,
    }


def found_at_any_cut(weights: NDArray[np.float64], links: NDArray[np.int8]) -> list[int]:
    """Tell which true causes some component has exactly, at whatever cut of its weights.

    Weights are variables × components. This is generous: no user could know the cut.
    """
    found = []
    for cause in links.T:
        inside, outside = weights[cause == 1], weights[cause == 0]
        lowest = inside.min(axis=0)
        highest = outside.max(axis=0) if len(outside) else np.full(weights.shape[1], -np.inf)
        found.append(int((lowest > highest).any()))
    return found


def found_at_half(weights: NDArray[np.float64], links: NDArray[np.int8]) -> list[int]:
    """Tell which true causes some component has exactly when it is cut at half of its largest weight."""
    cut = {column.tobytes() for column in (weights > 0.5 * weights.max(axis=0)).T.copy()}
    return [int((cause == 1).tobytes() in cut) for cause in links.T]


def succeeds(line: Line, result: Mapping[str, Any], main: NDArray[np.bool_]) -> bool | None:
    """Tell whether a seed shows what its line asks for; None where only the pooled share of causes counts."""
    found = np.array(result["found"], dtype=bool)
    if line.asked == "all":
        return bool(found.all()) and result["mode"] == len(found)
    if line.asked == "main":
        return bool(found[main].all())
    if line.asked == "none":
        return bool(result["mode"] == 0)
    return None
