"""The picture of `check`: a table beside the tables that the model makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hiddencauses.pictures.style import AS_EXPECTED, EXPECTED, NOT_AS_EXPECTED, PAGE_WIDTH, SMALL, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from numpy.typing import NDArray

    from hiddencauses.posterior.table_check import TableCheck

__all__ = ["draw_check"]

#: Variables that have room, each a line; of more, those furthest off are shown.
MOST_VARIABLES = 40
#: Pairs of variables that are told by name.
NAMED_PAIRS = 5
#: From so many pairs on, dots in an SVG are drawn as one image.
MANY_DOTS = 5000
#: Numbers of a table as a whole, each a panel: kind and name, and how the panel is titled.
WHOLE_TABLE = {
    ("row sum", "mean"): "row sums: mean",
    ("row sum", "standard deviation"): "row sums: deviation",
    ("row sum", "largest"): "largest row sum",
    ("row sum", "share of rows without a one"): "rows without a one",
    ("distinct rows", "number"): "distinct rows",
}
#: Those that are whole numbers.
COUNTS = (("row sum", "largest"), ("distinct rows", "number"))


class _Numbers(NamedTuple):
    """Some of the numbers of a check: each in the table, and mean and interval in simulated ones."""

    names: list[str]
    observed: NDArray[np.float64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    outside: NDArray[np.bool_]

    def furthest_first(self) -> NDArray[np.int64]:
        """Return places by distance from the mean, in widths of the interval."""
        width = np.maximum(self.high - self.low, 1e-12)
        return np.argsort(-np.abs(self.observed - self.mean) / width, kind="stable")

    def of(self, places: NDArray[np.int64]) -> _Numbers:
        """Return those at some places."""
        return _Numbers(
            [self.names[n] for n in places],
            self.observed[places],
            self.mean[places],
            self.low[places],
            self.high[places],
            self.outside[places],
        )


def draw_check(checked: TableCheck) -> Figure:
    """Draw what `check` or `check_prior` has found.

    Above left, how often each variable is on, beside the interval of simulated tables; right, how often two
    are on together; below, numbers of the table as a whole, each with its p-value. What is outside of the
    interval of 95 % of simulated tables is a diamond in another colour, as 1 of 20 is by chance.

    Parameters
    ----------
    checked
        What `hiddencauses.posterior.check` returned.

    Returns
    -------
    A figure that belongs to no window: `figure.savefig(...)`, or show it in a notebook.
    """
    from matplotlib.figure import Figure

    variables = _of_kind(checked, "variable rate")
    lines = min(len(variables.names), MOST_VARIABLES)
    above = max(3.2, 0.9 + 0.14 * lines)
    figure = Figure(figsize=(PAGE_WIDTH, above + 2.0), layout="constrained")
    halves: Any = figure.subfigures(2, 1, height_ratios=(above, 2.0))
    rates, whole = halves
    left, right = rates.subplots(1, 2)
    _draw_variables(left, variables)
    _draw_pairs(right, _of_kind(checked, "co-occurrence"))
    _add_legend(rates, left, right)
    for axes, (which, title) in zip(whole.subplots(1, len(WHOLE_TABLE)), WHOLE_TABLE.items(), strict=True):
        _draw_number(axes, checked, which, title)
    whole.supxlabel(
        f"line: the table; grey: {len(checked.simulated)} simulated tables; "
        "p: share of them above it, near 0 or 1 is bad",
        fontsize=SMALL,
    )
    return figure


def _of_kind(checked: TableCheck, kind: str) -> _Numbers:
    frame = checked.to_frame()
    mine = np.array([n for n, one in enumerate(checked.kinds) if one == kind], dtype=np.int64)
    names = ("observed", "simulated_mean", "simulated_low", "simulated_high", "outside")
    parts = [frame.column(name).to_numpy()[mine] for name in names]
    return _Numbers([checked.names[n] for n in mine], *parts)


def _draw_variables(axes: Axes, variables: _Numbers) -> None:
    """Draw a line for each variable: the interval in grey, the table's rate on it."""
    total = len(variables.names)
    title = "How often variables are on"
    if total > MOST_VARIABLES:
        variables = variables.of(variables.furthest_first()[:MOST_VARIABLES])
        title += f"\n(of {total}, the {MOST_VARIABLES} furthest off)"
    variables = variables.of(np.argsort(variables.observed, kind="stable"))
    places = np.arange(len(variables.names))
    axes.hlines(
        places,
        variables.low,
        variables.high,
        color=EXPECTED,
        linewidth=6,
        zorder=0,
        label="95% of simulated tables",
    )
    _draw_dots(axes, variables.observed, places, variables.outside)
    axes.set_yticks(places, [plain(name) for name in variables.names])
    axes.set_xlim(left=0)
    axes.set_ylim(-0.8, len(places) - 0.2)
    axes.set_xlabel("share of rows", fontsize=SMALL)
    _finish(axes, title)


def _draw_pairs(axes: Axes, pairs: _Numbers) -> None:
    """Draw a dot for each pair of variables: simulated mean across, the table's share up."""
    _finish(axes, "How often two variables are on together")
    if not pairs.names:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "one variable: no pairs", ha="center", transform=axes.transAxes, fontsize=SMALL)
        return
    largest = max(pairs.observed.max(), pairs.mean.max(), 1e-3)
    axes.axline((0, 0), slope=1, color=EXPECTED, zorder=0)
    _draw_dots(axes, pairs.mean, pairs.observed, pairs.outside)
    # most pairs are rare, and would lie on one another on even axes
    for set_scale in (axes.set_xscale, axes.set_yscale):
        set_scale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
    axes.set(xlim=(0, largest * 1.1), ylim=(0, largest * 1.1))
    ticks = _round_numbers(largest)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xlabel("share of rows, mean of simulated tables", fontsize=SMALL)
    axes.set_ylabel("share of rows, the table", fontsize=SMALL)
    furthest = [n for n in pairs.furthest_first() if pairs.outside[n]][:NAMED_PAIRS]
    if furthest:
        listed = "\n".join(plain(pairs.names[n]) for n in furthest)
        axes.text(
            0.03, 0.97, f"furthest off:\n{listed}", va="top", fontsize=SMALL - 1, transform=axes.transAxes
        )


def _add_legend(figure: SubFigure, *panels: Axes) -> None:
    """Say below the panels what the signs in any of them are."""
    signs: dict[str, Any] = {}
    for axes in panels:
        handles, names = axes.get_legend_handles_labels()
        signs |= dict(zip(names, handles, strict=True))
    place: Any = "outside lower center"  # newer than the types of matplotlib
    figure.legend(
        list(signs.values()), list(signs), loc=place, ncols=len(signs), fontsize=SMALL, frameon=False
    )


def _draw_dots(
    axes: Axes, across: NDArray[np.float64], up: NDArray[np.float64 | np.int64], outside: NDArray[np.bool_]
) -> None:
    """Draw numbers of the table: dots, and diamonds where they are outside."""
    as_image = len(across) > MANY_DOTS
    inside = ~outside
    axes.scatter(
        across[inside],
        up[inside],
        s=9,
        c=AS_EXPECTED,
        label="the table",
        rasterized=as_image,
        clip_on=False,
        zorder=3,
    )
    if outside.any():
        axes.scatter(
            across[outside],
            up[outside],
            s=16,
            c=NOT_AS_EXPECTED,
            marker="D",
            label="the table, outside",
            rasterized=as_image,
            clip_on=False,
            zorder=4,
        )


def _draw_number(axes: Axes, checked: TableCheck, which: tuple[str, str], title: str) -> None:
    """Draw one number of the table as a line over its histogram in simulated tables."""
    from matplotlib.ticker import MaxNLocator

    place = list(zip(checked.kinds, checked.names, strict=True)).index(which)
    simulated, observed = checked.simulated[:, place], float(checked.observed[place])
    colour = NOT_AS_EXPECTED if checked.outside[place] else AS_EXPECTED
    counts = which in COUNTS
    axes.hist(simulated, bins=_bins(simulated, observed, counts=counts), color=EXPECTED)
    axes.axvline(observed, color=colour, linestyle="--" if checked.outside[place] else "-")
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=3, integer=counts, min_n_ticks=1))
    axes.margins(x=0.1 if np.ptp(simulated) or counts else 3.0)
    _finish(axes, f"{title}\n{_shown(observed)}, p = {checked.p_value[place]:.2f}")


def _bins(numbers: NDArray[np.float64], observed: float, *, counts: bool) -> list[float]:
    """Return edges of bins; counts are in the middle of theirs."""
    low, high = float(numbers.min()), float(numbers.max())
    if counts:
        step = max(1, round((high - low) / 15))
        return [float(edge) for edge in np.arange(low - 0.5, high + step + 0.5, step)]
    if high == low:  # a bar too narrow to be taken for an interval
        half = 0.03 * max(abs(observed - low), abs(low), 0.1)
        return [low - half, low + half]
    return [float(edge) for edge in np.linspace(low, high, 16)]


def _round_numbers(largest: float) -> list[float]:
    """Return ticks for an axis of roots, from 0 to the largest number."""
    ticks = [tick * 10.0**power for power in range(-4, 1) for tick in (1, 4)]
    return [0.0, *(tick for tick in ticks if 0.04 * largest <= tick <= largest * 1.1)]


def _shown(number: float) -> str:
    return f"{number:,.0f}" if number == round(number) else f"{number:.3g}"


def _finish(axes: Axes, title: str) -> None:
    axes.set_title(title, fontsize=SMALL + 1)
    axes.tick_params(labelsize=SMALL - 0.5, length=2)
    axes.spines[["top", "right"]].set_visible(False)
