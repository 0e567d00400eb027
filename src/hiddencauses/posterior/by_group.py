"""How prevalent each cause is in groups of rows: by site, by age group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.posterior.alignment import LEVEL, Alignment, align
from hiddencauses.posterior.matching import NOBODY
from hiddencauses.posterior.tables import as_table
from hiddencauses.validation import check_fitted_table, check_groups, check_probability

if TYPE_CHECKING:
    import pyarrow as pa

    from hiddencauses.sampling.draws import Draws

__all__ = ["prevalence_by"]

#: Groups at most; a column with more values is a number or a name, not a group.
MOST_GROUPS = 50


def prevalence_by(
    draws: Draws, table: Any, column: str, *, alignment: Alignment | None = None, level: float = LEVEL
) -> pa.Table:
    """Return for each group of rows, by a carried column, how prevalent each cause is in it.

    The interval is that of the prevalence among rows like these, of which the table's are a sample: in each
    draw the share of the group's rows in which the cause is at work, counted with one row more with it and
    one without, is a draw from a Beta distribution. Only draws that have the cause, and whose activity is
    kept, count; where there are none nothing is said.

    Parameters
    ----------
    draws
        Draws from the posterior given the table.
    table
        The fitted table, with the column carried.
    column
        A carried column with a few values. Rows without a value are a group of their own, told last.
    alignment
        The alignment of the draws, where it is there already.
    level
        What intervals hold.
    """
    import pyarrow as pa
    from scipy.stats import beta

    table, level = as_table(table), check_probability("level", level)
    check_fitted_table(table.n_rows, table.columns, draws.n_rows, draws.columns, table.source)
    values = check_groups(column, table.carried, table.source, most=MOST_GROUPS)
    aligned = align(draws) if alignment is None else alignment
    causes, told = aligned.causes, aligned.n_worth_telling
    groups = sorted({v for v in values if v is not None}) + [None] * (None in values)
    number = {value: g for g, value in enumerate(groups)}
    member = np.array([number[value] for value in values])
    sizes = np.bincount(member, minlength=len(groups))
    at_work: list[list[np.ndarray]] = [[] for _ in range(told)]
    for s in causes.with_activity:
        labels = aligned.label[causes.start[s] : causes.start[s + 1]]
        wanted = np.flatnonzero((labels != NOBODY) & (labels < told))
        if not len(wanted):
            continue
        activity = causes.activity(s)
        for j in wanted:
            at_work[labels[j]].append(np.bincount(member, weights=activity[:, j], minlength=len(groups)))
    lines: dict[str, list[object]] = {
        name: [] for name in (column, "rows", "cause", "prevalence", "prevalence_low", "prevalence_high")
    }
    for k in range(told):
        counts = np.asarray(at_work[k])  # draws × groups
        for g, value in enumerate(groups):
            said: tuple[float | None, ...] = (None, None, None)
            if len(counts):
                # the mixture of the draws' Beta distributions, by some of their quantiles
                on, off = counts[:, g] + 1.0, sizes[g] - counts[:, g] + 1.0
                inside = beta.ppf(np.linspace(0.01, 0.99, 50)[:, None], on, off)
                low, high = np.quantile(inside, ((1 - level) / 2, (1 + level) / 2))
                said = (float((on / (on + off)).mean()), float(low), float(high))
            line = (value, int(sizes[g]), aligned.names[k], *said)
            for name, part in zip(lines, line, strict=True):
                lines[name].append(part)
    types = {column: table.carried.schema.field(column).type if table.carried is not None else pa.string()}
    types |= {"rows": pa.int64(), "cause": pa.string()}
    return pa.table({n: pa.array(v, type=types.get(n, pa.float64())) for n, v in lines.items()})
