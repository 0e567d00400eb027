"""The posterior of tiny tables by importance sampling from the prior.

A second road to the numbers of `oracle/exact.py` that shares none of its algebra: worlds are drawn by the
simulator and weighted by the likelihood of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.data.table import Table
from hiddencauses.model.noisy_or import log_likelihood
from hiddencauses.model.simulate import draw_world
from hiddencauses.model.spec import ModelSpec, as_spec
from hiddencauses.oracle.quantities import label_free_quantities
from hiddencauses.validation import check_at_least, check_seed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Estimate", "importance_posterior"]


@dataclass(frozen=True, eq=False, slots=True)
class Estimate:
    """A Monte-Carlo estimate: mean and standard error, of the same shape."""

    mean: NDArray[np.float64]
    error: NDArray[np.float64]


def importance_posterior(
    table: Table | ArrayLike, spec: ModelSpec | None = None, *, draws: int, seed: int
) -> dict[str, Estimate]:
    """Estimate the evidence and the label-free quantities of a tiny table.

    Parameters
    ----------
    table
        A table so small that worlds from the prior explain it now and then.
    spec
        The variant of the model; `DEFAULT_SPEC` when left out.
    draws
        How many worlds to draw.
    seed
        The same seed gives the same estimate.

    Returns
    -------
    dict
        `evidence`, and the quantities of `label_free_quantities`.
    """
    spec = as_spec(spec)
    draws, seed = check_at_least("draws", draws, 2), check_seed(seed)
    codes = (table if isinstance(table, Table) else Table.from_array(table)).codes()
    rows, variables = codes.shape
    weights = np.empty(draws)
    values: dict[str, list[NDArray[np.float64]]] = {}
    for replicate in range(draws):
        world = draw_world(spec, rows=rows, variables=variables, seed=seed, replicate=replicate)
        weights[replicate] = np.exp(log_likelihood(codes, world))
        for name, value in label_free_quantities(world, spec).items():
            values.setdefault(name, []).append(value)
    share = weights / weights.sum()
    estimates = {"evidence": Estimate(weights.mean(), weights.std(ddof=1) / np.sqrt(draws))}
    for name, listed in values.items():
        stacked = np.stack(listed)
        mean = np.einsum("d,d...->...", share, stacked)
        # the delta method for a ratio of means
        error = np.sqrt(np.einsum("d,d...->...", share**2, (stacked - mean) ** 2))
        estimates[name] = Estimate(mean, error)
    return estimates
