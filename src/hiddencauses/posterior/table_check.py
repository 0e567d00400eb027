"""Does the fitted model make tables like the one it was fitted to? And what tables does the prior make?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.table import MISSING
from hiddencauses.model.simulate import draw_table, draw_world
from hiddencauses.model.spec import as_spec
from hiddencauses.posterior.collection import collect
from hiddencauses.posterior.rows import spread_draws
from hiddencauses.posterior.statistics_of_tables import kinds_and_names, statistics
from hiddencauses.posterior.tables import as_table
from hiddencauses.rng import Purpose, fresh_seed, stream
from hiddencauses.validation import check_at_least, check_fitted_table, check_seed

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hiddencauses.data.table import Table
    from hiddencauses.model.spec import ModelSpec
    from hiddencauses.posterior.collection import Collection
    from hiddencauses.sampling.draws import Draws

__all__ = ["TableCheck", "check", "check_prior"]

#: Tables that are simulated.
TABLES = 200
#: What intervals hold.
LEVEL = 0.95


@dataclass(frozen=True, eq=False, slots=True)
class TableCheck:
    """A table beside simulated ones.

    Attributes
    ----------
    kinds, names
        What each number is.
    observed
        In the table.
    simulated
        In the simulated tables, tables × numbers.
    """

    kinds: tuple[str, ...]
    names: tuple[str, ...]
    observed: NDArray[np.float64]
    simulated: NDArray[np.float64]

    @property
    def p_value(self) -> NDArray[np.float64]:
        """Share of simulated tables with a larger number, equal ones counted half; near 0 or 1 is bad."""
        above = (self.simulated > self.observed).mean(axis=0)
        return np.asarray(above + 0.5 * (self.simulated == self.observed).mean(axis=0))

    @property
    def outside(self) -> NDArray[np.bool_]:
        """Whether the table's number is outside of what 95 % of simulated tables have, 1 of 20 by chance."""
        low, high = self._interval()
        return np.asarray((self.observed < low) | (self.observed > high))

    def _interval(self) -> NDArray[np.float64]:
        return np.asarray(np.quantile(self.simulated, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), axis=0))

    def to_frame(self) -> pa.Table:
        """Return a row for each number."""
        import pyarrow as pa

        low, high = self._interval()
        return pa.table(
            {
                "kind": list(self.kinds),
                "name": list(self.names),
                "observed": self.observed,
                "simulated_mean": self.simulated.mean(axis=0),
                "simulated_low": low,
                "simulated_high": high,
                "p_value": self.p_value,
                "outside": self.outside,
            }
        )

    def kinds_to_frame(self) -> pa.Table:
        """Return a row for each kind: how many numbers there are, and how many are outside."""
        import pyarrow as pa

        kinds = list(dict.fromkeys(self.kinds))
        member = np.array([kinds.index(kind) for kind in self.kinds])
        return pa.table(
            {
                "kind": kinds,
                "numbers": np.bincount(member),
                "outside": np.bincount(member, weights=self.outside).astype(np.int64),
            }
        )


def check(draws: Draws, table: Any, *, tables: int = TABLES, seed: int | None = None) -> TableCheck:
    """Simulate tables from the posterior, with new rows, and compare them with the fitted one.

    Cells that are missing in the table are missing in simulated ones.

    Parameters
    ----------
    draws
        Draws from the posterior given the table.
    table
        The fitted table.
    tables
        How many are simulated, each from another draw as far as there are enough.
    seed
        The same seed gives the same tables; that of the run when None.
    """
    table = as_table(table)
    check_fitted_table(table.n_rows, table.columns, draws.n_rows, draws.columns, table.source)
    number = check_at_least("tables", tables, 1)
    seed = draws.seed if seed is None else check_seed(seed)
    return _compared(table, _from_draws(collect(draws), table, number, seed))


def check_prior(
    spec: ModelSpec | None, table: Any, *, tables: int = TABLES, seed: int | None = None
) -> TableCheck:
    """Simulate tables from the prior, of the size of a table, and compare them with it.

    Parameters
    ----------
    spec
        The model; `DEFAULT_SPEC` when None.
    table
        A table. What the prior makes should be of its kind, but need not be near it.
    tables
        How many are simulated.
    seed
        The same seed gives the same tables; drawn when None.
    """
    table, number = as_table(table), check_at_least("tables", tables, 1)
    seed = fresh_seed() if seed is None else check_seed(seed)
    return _compared(table, _from_prior(as_spec(spec), table, number, seed))


def _compared(table: Table, simulated: Iterable[NDArray[np.int8]]) -> TableCheck:
    kinds, names = zip(*kinds_and_names(table.columns), strict=True)
    numbers = np.stack([statistics(codes) for codes in simulated])
    return TableCheck(kinds, names, statistics(table.codes()), numbers)


def _from_draws(causes: Collection, table: Table, tables: int, seed: int) -> Iterator[NDArray[np.int8]]:
    missing = table.codes() == MISSING
    most = min(tables, causes.n_draws)
    numbers = np.resize(spread_draws(causes.n_draws, most), tables)
    for n, s in enumerate(numbers):
        rng = stream(seed, Purpose.REPLICATED_TABLES, sweep=n)
        of_draw = slice(causes.start[s], causes.start[s + 1])
        active = rng.random((table.n_rows, of_draw.stop - of_draw.start)) < causes.prevalence[of_draw]
        strength = causes.strengths[of_draw].toarray()
        log_off = np.log1p(-causes.leak[s]) + active @ np.log1p(-strength)
        on = rng.random(log_off.shape) < -np.expm1(log_off)
        yield np.where(missing, MISSING, on).astype(np.int8)


def _from_prior(spec: ModelSpec, table: Table, tables: int, seed: int) -> Iterator[NDArray[np.int8]]:
    missing = table.codes() == MISSING
    for n in range(tables):
        world = draw_world(spec, rows=table.n_rows, variables=table.n_variables, seed=seed, replicate=n)
        yield np.where(missing, MISSING, draw_table(world, seed=seed, replicate=n).codes()).astype(np.int8)
