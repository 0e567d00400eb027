"""Which spec predicts best: k-fold comparison on held-out cells or rows, beside baselines."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.readers import read_table
from hiddencauses.data.table import MISSING
from hiddencauses.errors import AllMissingWarning, ConstantColumnWarning
from hiddencauses.posterior.baselines import baselines
from hiddencauses.posterior.held_out import cell_folds, row_folds, with_hidden, with_rows
from hiddencauses.posterior.scores import clustered_error, score_cells, score_rows
from hiddencauses.rng import fresh_seed
from hiddencauses.sampling.sample import sample
from hiddencauses.validation import check_at_least, check_choice, check_folds, check_seed, check_specs

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hiddencauses.data.table import Table
    from hiddencauses.model.spec import ModelSpec
    from hiddencauses.posterior.baselines import Mixture
    from hiddencauses.sampling.draws import Draws

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, eq=False, slots=True)
class Comparison:
    """Log predictive densities of the same held-out cells or rows by several models.

    Attributes
    ----------
    what
        "cells" or "rows".
    names
        The models, best first.
    each
        Models × cells (rows): log predictive density.
    group
        The row that each cell is from.
    seed
        The seed that gives the same again.
    """

    what: str
    names: tuple[str, ...]
    each: NDArray[np.float64]
    group: NDArray[np.int64]
    seed: int

    def to_frame(self) -> pa.Table:
        """Return a row for each model, best first: mean, and by how much it falls short of the best."""
        import pyarrow as pa

        behind = self.each[0] - self.each
        return pa.table(
            {
                "model": list(self.names),
                "log_score": self.each.mean(axis=1),
                "standard_error": [clustered_error(e, self.group) for e in self.each],
                "behind_best": behind.mean(axis=1),
                "behind_best_error": [clustered_error(b, self.group) for b in behind],
            }
        )


def compare(
    table: Any,
    specs: Mapping[str, ModelSpec],
    *,
    what: str = "cells",
    folds: int = 5,
    with_baselines: bool = True,
    seed: int | None = None,
    draws_used: int | None = 200,
    **sampling: Any,
) -> Comparison:
    """Compare specs by k-fold prediction of what a fit was not shown.

    Every cell that is there (or every row) is held out once, so that each spec is fitted `folds` times.

    Parameters
    ----------
    table
        Whatever `read_table` takes.
    specs
        Specs by the names they are told under.
    what
        "cells": single cells, predicted from the rest of their rows; or "rows": whole rows.
    folds
        Parts that the table is divided into.
    with_baselines
        Whether independent variables are compared with too, and latent classes where StepMix is installed.
    seed
        The same seed gives the same comparison. Drawn, and recorded, when None.
    draws_used
        Draws that predict; all when None.
    sampling
        Passed to `sample`: draws, warmup, chains, sampler, …
    """
    read = read_table(table)
    specs = check_specs(specs)
    what = check_choice("what", what, ("cells", "rows"))
    folds = check_folds(check_at_least("folds", folds, 2), read.n_rows)
    seed = fresh_seed() if seed is None else check_seed(seed)
    models: dict[str, _Fit | _Baseline] = {
        name: _Fit(spec, seed, draws_used, sampling) for name, spec in specs.items()
    }
    if with_baselines:
        models |= {name: _Baseline(learn, seed) for name, learn in baselines().items()}
    scores: dict[str, list[NDArray[np.float64]]] = {name: [] for name in models}
    groups: list[NDArray[np.int64]] = []
    if what == "cells":
        for held in cell_folds(read, folds, seed):
            groups.append(np.nonzero(held)[0])
            for name, model in models.items():
                scores[name].append(model.of_cells(read, held))
    else:
        for part in row_folds(read, folds, seed):
            groups.append(part)
            rest = with_rows(read, np.setdiff1d(np.arange(read.n_rows), part))
            for name, model in models.items():
                scores[name].append(model.of_rows(rest, with_rows(read, part)))
    each = np.stack([np.concatenate(parts) for parts in scores.values()])
    order = np.argsort(-each.mean(axis=1), kind="stable")
    names = list(scores)
    return Comparison(what, tuple(names[m] for m in order), each[order], np.concatenate(groups), seed)


@dataclass(frozen=True, slots=True)
class _Fit:
    """A spec, fitted to what is shown."""

    spec: ModelSpec
    seed: int
    draws_used: int | None
    sampling: dict[str, Any]

    def of_cells(self, table: Table, held: NDArray[np.bool_]) -> NDArray[np.float64]:
        shown = with_hidden(table, held)
        return score_cells(self._draws(shown), shown, table, held, draws_used=self.draws_used).each

    def of_rows(self, rest: Table, part: Table) -> NDArray[np.float64]:
        return score_rows(self._draws(rest), part, draws_used=self.draws_used).each

    def _draws(self, shown: Table) -> Draws:
        with warnings.catch_warnings():
            for kind in (ConstantColumnWarning, AllMissingWarning):
                warnings.simplefilter("ignore", kind)  # hiding may leave such columns
            return sample(shown, self.spec, seed=self.seed, **self.sampling)


@dataclass(frozen=True, slots=True)
class _Baseline:
    """A baseline, learnt from what is shown."""

    learn: Callable[[NDArray[np.int8], int], Mixture]
    seed: int

    def of_cells(self, table: Table, held: NDArray[np.bool_]) -> NDArray[np.float64]:
        codes = table.codes()
        shown = np.where(held, MISSING, codes).astype(np.int8)
        chance = self.learn(shown, self.seed).chances(shown)[held]
        return np.asarray(np.log(np.where(codes[held] == 1, chance, 1.0 - chance)))

    def of_rows(self, rest: Table, part: Table) -> NDArray[np.float64]:
        return self.learn(rest.codes(), self.seed).log_density(part.codes())
