"""The picture of a check: it shows the numbers of the check, for tables of any size."""

import numpy as np
import pytest

from hiddencauses.errors import OutputError
from hiddencauses.pictures import check_picture, draw_check, write_picture
from hiddencauses.pictures.table_check import MOST_VARIABLES
from hiddencauses.posterior.statistics_of_tables import kinds_and_names, statistics
from hiddencauses.posterior.table_check import TableCheck


def checked(variables=5, rows=40, tables=20, seed=1, rate=0.3, names=None):
    """A check of a table beside others of its kind."""
    rng = np.random.default_rng(seed)
    columns = names or [f"x{n + 1}" for n in range(variables)]
    kinds, named = zip(*kinds_and_names(columns), strict=True)
    some = [statistics((rng.random((rows, len(columns))) < rate).astype(np.int8)) for _ in range(tables + 1)]
    return TableCheck(kinds, named, some[0], np.stack(some[1:]))


def altered(found, kind, values):
    """The same check of a table in which the numbers of one kind are others."""
    observed = found.observed.copy()
    observed[[one == kind for one in found.kinds]] = values
    return TableCheck(found.kinds, found.names, observed, found.simulated)


def panels(figure):
    figure.draw_without_rendering()
    return figure.get_axes()


def dots(axes):
    """Dots as they were given, those within the intervals and those outside."""
    parts = [np.asarray(c.get_offsets()) for c in axes.collections if "PathCollection" in type(c).__name__]
    return [part.tolist() for part in parts]


def test_every_number_of_the_check_is_shown():
    found = checked()
    rates, pairs, *whole = panels(draw_check(found))
    shown = sorted(x for part in dots(rates) for x, _ in part)
    np.testing.assert_allclose(shown, sorted(found.observed[:5]))
    shown = sorted(y for part in dots(pairs) for _, y in part)
    np.testing.assert_allclose(shown, sorted(found.observed[10:]))
    shown = [axes.lines[0].get_xdata()[0] for axes in whole]
    np.testing.assert_allclose(shown, found.observed[5:10])
    for axes, p in zip(whole, found.p_value[5:10], strict=True):
        assert f"p = {p:.2f}" in axes.get_title()


def test_what_is_outside_is_told_apart_by_shape_and_by_name():
    found = altered(checked(), "co-occurrence", [0.99] + [0.1] * 9)
    outside = int(found.outside[10:].sum())
    pairs = panels(draw_check(found))[1]
    assert outside and len(dots(pairs)[1]) == outside
    inside, marked = (c for c in pairs.collections if "PathCollection" in type(c).__name__)
    assert inside.get_paths()[0].vertices.shape != marked.get_paths()[0].vertices.shape
    assert pairs.texts[0].get_text().splitlines()[1] == "x1 and x2"


def test_of_many_variables_those_furthest_off_are_shown():
    found = checked(variables=120)
    found = altered(found, "variable rate", [*found.simulated[:, :119].mean(axis=0), 0.95])
    rates = panels(draw_check(found))[0]
    names = [label.get_text() for label in rates.get_yticklabels()]
    assert len(names) == MOST_VARIABLES and names[-1] == "x120"
    assert "of 120" in rates.get_title()


def test_a_share_that_is_the_same_in_all_simulated_tables_is_not_drawn_as_wide():
    found = checked(rate=1.0)  # no row is ever without a one
    place = list(found.names).index("share of rows without a one")
    observed = found.observed.copy()
    observed[place] = 0.1
    whole = panels(draw_check(TableCheck(found.kinds, found.names, observed, found.simulated)))[5]
    (bar,) = whole.patches
    assert bar.get_x() < 0 < bar.get_x() + bar.get_width() < 0.05
    assert whole.lines[0].get_xdata()[0] == pytest.approx(0.1)


@pytest.mark.parametrize(
    "found",
    [
        checked(variables=1),
        checked(variables=2, rows=1, tables=1),
        checked(rate=0.0),
        checked(rate=1.0),
        checked(names=["a $\\x$ b_1^2", "x" * 300, "two\nlines", "ä", "%"]),
    ],
    ids=["one variable", "one row", "never on", "always on", "odd names"],
)
@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_any_table_can_be_drawn(found, ending, tmp_path):
    path = tmp_path / f"picture{ending}"
    write_picture(draw_check(found), path)
    assert path.read_bytes()[:5] in (b"<?xml", b"\x89PNG\r")


def test_the_same_picture_is_the_same_file_and_none_is_lost(tmp_path):
    found = checked()
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    write_picture(draw_check(found), one)
    write_picture(draw_check(found), other)
    assert one.read_bytes() == other.read_bytes() and b">x5<" in one.read_bytes()
    with pytest.raises(OutputError, match="exists already"):
        write_picture(draw_check(found), one)
    write_picture(draw_check(checked(seed=2)), one, force=True)
    assert one.read_bytes() != other.read_bytes()
    with pytest.raises(OutputError, match=r"use one of \.svg, \.png"):
        check_picture(tmp_path / "picture.pdf")
