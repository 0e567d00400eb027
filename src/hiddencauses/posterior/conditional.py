"""P(variable | these variables on or off), by the posterior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

from hiddencauses.data.table import MISSING
from hiddencauses.posterior.collection import collect
from hiddencauses.posterior.matching import NOBODY
from hiddencauses.posterior.rows import Inference, spread_draws, worlds_of
from hiddencauses.validation import check_known_cells

if TYPE_CHECKING:
    import pyarrow as pa

    from hiddencauses.sampling.draws import Draws

__all__ = ["probabilities_given"]


def probabilities_given(
    draws: Draws, cells: Mapping[str, int] | Sequence[str], *, draws_used: int | None = None
) -> pa.Table:
    """Return the probability of every other variable in a new row of which some cells are known.

    Parameters
    ----------
    draws
        Draws from the posterior.
    cells
        Variables that are on, or variables with 0 or 1.
    draws_used
        Draws averaged over, spread evenly; all when None.

    Examples
    --------
    >>> from hiddencauses import ModelSpec, sample
    >>> spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.3)
    >>> table = [[1, 1, 1, 0]] * 5 + [[0, 0, 0, 0]] * 9 + [[0, 0, 0, 1]]
    >>> draws = sample(table, spec, draws=100, warmup=100, chains=2, seed=1)
    >>> told = probabilities_given(draws, ["x1", "x2"]).to_pydict()
    >>> told["variable"], [round(p, 1) for p in told["probability"]]
    (['x3', 'x4'], [0.9, 0.1])
    """
    import pyarrow as pa

    known = check_known_cells(cells, draws.columns)
    others = [i for i, name in enumerate(draws.columns) if name not in known]
    codes = np.full((1 + len(others), len(draws.columns)), MISSING, dtype=np.int8)
    for name, value in known.items():
        codes[:, draws.columns.index(name)] = value
    codes[np.arange(1, 1 + len(others)), others] = 1
    causes = collect(draws)
    nobody = np.full(causes.n_causes, NOBODY)
    worlds = worlds_of(causes, nobody, 0, spread_draws(causes.n_draws, draws_used))
    # Draws under which the known cells are likelier count more: P(both) / P(known), each averaged over draws.
    log_density = Inference(worlds, 0, draws.seed).of_rows(codes, density=True).log_density
    log_mean = logsumexp(log_density, axis=1)
    names = [draws.columns[i] for i in others]
    return pa.table({"variable": names, "probability": np.exp(log_mean[1:] - log_mean[0])})
