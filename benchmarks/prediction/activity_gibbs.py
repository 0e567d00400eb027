"""Chances of unseen cells given the seen cells of their rows, in one world, by Gibbs sweeps over activity.

Given strengths, leaks and prevalences, rows are independent. A row's activity begins at a draw from the
prevalences; a sweep draws each cause given the others and the cells seen. What is averaged over sweeps is not
cells but their chances given the activity.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hiddencauses.compiled import compiled_door
from hiddencauses.model.world import World

__all__ = ["chances"]

Floats = NDArray[np.float64]

#: Chances of off are kept above this, so that their ratios exist.
TINY = 1e-12


def chances(
    rng: np.random.Generator, world: World, cells: Floats, asked: NDArray[np.bool_], *, sweeps: int
) -> Floats:
    """Return P(cell = 1) of each asked cell, in row-major order.

    Parameters
    ----------
    rng
        Where its randomness comes from.
    world
        Whose strengths, leaks and prevalences hold; its activity is that of other rows and not used.
    cells
        Rows × variables: 0, 1, and NaN where not seen.
    asked
        Which cells to predict; they must be NaN.
    sweeps
        Sweeps averaged; as many as a quarter of them go before, unused.
    """
    if not np.isnan(cells[asked]).all():
        raise ValueError("a cell that is asked for can be seen")
    n_variables, causes = world.links.shape
    parameters = world.parameters
    strength = np.broadcast_to(parameters.strength, (n_variables, causes))
    off_by_cause = np.where(world.links == 1, 1.0 - strength, 1.0).T  # causes × variables
    off_by_leak = np.broadcast_to(1.0 - parameters.leak, n_variables)
    prevalence = np.clip(np.broadcast_to(parameters.prevalence, causes), TINY, 1 - TINY)
    codes = np.where(np.isnan(cells), -1, cells).astype(np.int8)
    on = _average(
        int(rng.integers(2**31)),
        codes,
        asked,
        np.maximum(off_by_cause, TINY),
        np.clip(off_by_leak, TINY, 1.0 - TINY),
        np.log(prevalence / (1.0 - prevalence)),
        -(-sweeps // 4),
        sweeps,
    )
    return on[asked]


@compiled_door
def _average(
    seed: int,
    codes: NDArray[np.int8],
    asked: NDArray[np.bool_],
    off_by_cause: Floats,
    off_by_leak: Floats,
    log_odds: Floats,
    unused: int,
    sweeps: int,
) -> Floats:
    np.random.seed(seed)  # noqa: NPY002 (of the compiled code, and of no one else)
    n_rows, n_variables = codes.shape
    causes = len(log_odds)
    on = np.zeros((n_rows, n_variables))
    active = np.zeros(causes, dtype=np.bool_)
    from_zeros = np.empty(causes)
    off = np.empty(n_variables)
    for row in range(n_rows):
        for k in range(causes):
            active[k] = np.random.random() < 1.0 / (1.0 + np.exp(-log_odds[k]))  # noqa: NPY002
            from_zeros[k] = log_odds[k]
            for i in range(n_variables):
                if codes[row, i] == 0:
                    from_zeros[k] += np.log(off_by_cause[k, i])
        for sweep in range(unused + sweeps):
            for i in range(n_variables):  # anew in each sweep, so that errors of rounding do not add up
                off[i] = off_by_leak[i]
                for k in range(causes):
                    if active[k]:
                        off[i] *= off_by_cause[k, i]
            for k in range(causes):
                log_ratio, ratio = from_zeros[k], 1.0
                for i in range(n_variables):
                    if off_by_cause[k, i] < 1.0:
                        if active[k]:
                            off[i] /= off_by_cause[k, i]
                        if codes[row, i] == 1:
                            ratio *= (1.0 - off[i] * off_by_cause[k, i]) / (1.0 - off[i])
                            if ratio > 1e100:
                                log_ratio += np.log(ratio)
                                ratio = 1.0
                log_ratio += np.log(ratio)
                active[k] = np.random.random() * (1.0 + np.exp(-log_ratio)) < 1.0  # noqa: NPY002
                if active[k]:
                    for i in range(n_variables):
                        off[i] *= off_by_cause[k, i]
            if sweep >= unused:
                for i in range(n_variables):
                    if asked[row, i]:
                        on[row, i] += 1.0 - off[i]
    return on / sweeps
