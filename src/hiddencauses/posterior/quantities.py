"""What chains can be compared by: numbers that do not depend on how causes are labelled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.posterior.collection import spread_rows
from hiddencauses.posterior.structure_errors import shared_causes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.posterior.collection import Collection

__all__ = ["Quantity", "quantities"]

#: Of all pairs of variables, and of rows, those are followed whose number varies most over the draws.
MOST_PAIRS = 200
#: Pairs of rows are taken from so many rows, spread evenly.
ROWS_IN_PAIRS = 40


@dataclass(frozen=True, eq=False, slots=True)
class Quantity:
    """A number per draw.

    Attributes
    ----------
    kind
        "count", "density", "parameter", "in-degree", "shared causes" (of two variables) or "common activity"
        (causes at work in both of two rows).
    name
        What it is.
    values
        Chains × draws; for common activity, those draws whose activity is kept.
    """

    kind: str
    name: str
    values: NDArray[np.float64]


def quantities(causes: Collection) -> Iterator[Quantity]:
    """Yield everything that chains are compared by."""
    draws = causes.draws
    columns = draws.columns
    yield Quantity("count", "number of causes", draws.n_causes.astype(np.float64))
    yield Quantity("count", "number of links", causes.by_chain(causes.per_draw(causes.n_links)))
    yield Quantity("density", "log joint density", draws.log_joint)
    yield from _parameters(causes)
    degrees = np.zeros((causes.n_draws, causes.n_variables))
    np.add.at(degrees, (np.repeat(causes.draw_of, causes.n_links), causes.link_variable), 1.0)
    for i, name in enumerate(columns):
        yield Quantity("in-degree", f"causes of {name}", causes.by_chain(degrees[:, i]))
    yield from _shared_by_variables(causes)
    yield from _common_in_rows(causes)


def _parameters(causes: Collection) -> Iterator[Quantity]:
    draws, spec = causes.draws, causes.draws.spec
    if isinstance(spec.concentration, Gamma):
        yield Quantity("parameter", "concentration", draws.concentration)
    for name in ("strength", "prevalence"):
        if isinstance(getattr(spec, name), Beta) and getattr(spec, f"{name}_scope") == "shared":
            yield Quantity("parameter", name, getattr(draws, name))
    if isinstance(spec.leak, Beta):
        if spec.leak_scope == "shared":
            yield Quantity("parameter", "leak", draws.leak)
        else:
            for i, column in enumerate(draws.columns):
                yield Quantity("parameter", f"leak of {column}", draws.leak[..., i])


def _shared_by_variables(causes: Collection) -> Iterator[Quantity]:
    shared, columns = shared_causes(causes), causes.draws.columns
    for pair in _most_varied(shared.spread()):
        i, j = shared.pairs[pair]
        values = causes.by_chain(shared.of_pair(pair))
        yield Quantity("shared causes", f"causes shared by {columns[i]} and {columns[j]}", values)


def _common_in_rows(causes: Collection) -> Iterator[Quantity]:
    some = spread_rows(len(causes.rows), ROWS_IN_PAIRS)
    rows, activity = causes.rows[some], np.asarray(causes.activity_in_rows[:, some].toarray())
    first, second = np.triu_indices(len(rows), 1)
    kept = causes.with_activity
    common = np.zeros((len(kept), len(first)))
    for place, number in enumerate(kept):
        mine = activity[causes.start[number] : causes.start[number + 1]]
        common[place] = (mine.T @ mine)[first, second]
    for pair in _most_varied(common.var(axis=0)):
        name = f"causes at work in both row {rows[first[pair]] + 1} and row {rows[second[pair]] + 1}"
        yield Quantity("common activity", name, causes.by_chain(common[:, pair]))


def _most_varied(variance: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the places of the largest variances above 0, in their order."""
    varied = np.flatnonzero(variance > 0)
    return np.sort(varied[np.argsort(-variance[varied], kind="stable")[:MOST_PAIRS]])
