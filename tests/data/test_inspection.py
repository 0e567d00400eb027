"""Inspection against counts made by hand and by NumPy."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddencauses.data.inspection import inspect_table, pairs
from hiddencauses.data.inspection.duplicates import row_digests
from hiddencauses.data.table import Table

NaN = float("nan")


def table(values, **options):
    return Table.from_array(np.array(values, dtype=float), **options)


def codes(inspection):
    return [notice.code for notice in inspection.warnings]


def notice(inspection, code):
    (found,) = [notice for notice in inspection.warnings if notice.code == code]
    return found


def test_a_small_table_by_hand():
    seen = inspect_table(
        table([[1, 0, 1, NaN], [0, 0, 1, NaN], [1, 0, 1, NaN], [0, 0, 1, NaN]], columns=list("abcd"))
    )
    assert (seen.rows, seen.variables) == (4, 4)
    assert seen.density == 6 / 12
    assert seen.missing_share == 0.25
    assert seen.ones_per_row == 1.5
    assert (seen.distinct_rows, seen.largest_repeat) == (2, 2)
    assert (seen.rows_without_ones, seen.rows_all_missing) == (0, 0)
    assert seen.constant == ("b", "c")
    assert seen.all_missing == ("d",)
    assert [v.name for v in seen.rarest] == ["b", "a", "c"]
    assert [v.name for v in seen.commonest] == ["c", "a", "b"]
    assert seen.together == seen.apart == ()
    assert {"few_rows", "constant", "all_missing"} <= set(codes(seen))


def test_nothing_known_at_all():
    seen = inspect_table(table([[NaN], [NaN]]))
    assert (seen.density, seen.missing_share, seen.rows_all_missing) == (None, 1.0, 2)
    assert seen.rarest == ()


@pytest.mark.parametrize("missing_rate", [0.0, 0.2])
def test_pairs_against_numpy(missing_rate):
    rng = np.random.default_rng(1)
    values = (rng.random((300, 7)) < rng.random(7)).astype(float)
    values[:, 1] = np.where(rng.random(300) < 0.8, values[:, 0], values[:, 1])
    values[rng.random(values.shape) < missing_rate] = NaN
    counts = pairs.count_pairs(table(values))
    log_odds, z = counts.z_scores()
    for place, i in enumerate(counts.variables):
        for other, j in enumerate(counts.variables):
            if i == j:
                continue
            known = ~np.isnan(values[:, i]) & ~np.isnan(values[:, j])
            a, b = values[known, i], values[known, j]
            cells = [((a == x) & (b == y)).sum() for x in (1, 0) for y in (1, 0)]
            n11, n10, n01, n00 = (n + 0.5 for n in cells)
            assert counts.known[place, other] == known.sum()
            assert counts.both[place, other] == cells[0]
            assert log_odds[place, other] == pytest.approx(np.log(n11 * n00 / n10 / n01))
            error = np.sqrt(1 / n11 + 1 / n10 + 1 / n01 + 1 / n00)
            assert z[place, other] == pytest.approx(log_odds[place, other] / error)
    seen = inspect_table(table(values))
    assert {seen.together[0].first, seen.together[0].second} == {"x1", "x2"}


def test_the_work_on_pairs_is_bounded_and_said(monkeypatch):
    monkeypatch.setattr(pairs, "MOST_VARIABLES", 5)
    monkeypatch.setattr(pairs, "MOST_WORK", 5 * 5 * 4)
    rng = np.random.default_rng(2)
    values = rng.random((1000, 9)) < np.linspace(0.05, 0.5, 9)
    seen = inspect_table(Table.from_array(values))
    assert (
        seen.pairs_from
        == "the 5 variables that vary most (of 9) in 256 rows spread evenly over the table (of 1000)"
    )


small = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, NaN])] * 3), min_size=1, max_size=70)


@settings(max_examples=80, deadline=None)
@given(small)
def test_distinct_rows_and_duplicate_columns_are_exact(rows):
    values = np.array(rows)
    values = np.hstack([values, values[:, :1]])
    seen = inspect_table(Table.from_array(values))
    keys = np.where(np.isnan(values), 2, values)
    assert seen.distinct_rows == len(np.unique(keys, axis=0))
    groups = {}
    for i, name in enumerate(("x1", "x2", "x3", "x4")):
        groups.setdefault(keys[:, i].tobytes(), []).append(name)
    assert seen.duplicate_columns == tuple(tuple(g) for g in groups.values() if len(g) > 1)
    assert seen.rows_without_ones == int((~(keys == 1).any(axis=1)).sum())
    assert seen.rows_all_missing == int((keys == 2).all(axis=1).sum())
    json.dumps(seen.to_dict(), allow_nan=False)


def test_row_digests_do_not_depend_on_the_block(monkeypatch):
    from hiddencauses.data.inspection import duplicates

    values = np.random.default_rng(3).random((500, 11)) < 0.5
    whole = row_digests(Table.from_array(values))
    monkeypatch.setattr(duplicates, "_BLOCK_CELLS", 1)
    np.testing.assert_array_equal(whole, row_digests(Table.from_array(values)))


def test_exclusive_groups_are_found():
    rng = np.random.default_rng(4)
    levels = np.eye(3)[rng.integers(0, 3, 200)]
    other = rng.random((200, 2)) < 0.3
    names = ["region=n", "cough", "region=s", "region=w", "fever"]
    values = np.column_stack([levels[:, 0], other[:, 0], levels[:, 1], levels[:, 2], other[:, 1]])
    seen = inspect_table(table(values, columns=names))
    assert seen.exclusive == (("region=n", "region=s", "region=w"),)
    assert "exclude one another" in notice(seen, "exclusive").message
    assert "negative_dependence" not in codes(seen)  # said once
    values[:50, [0, 2, 3]] = NaN
    assert inspect_table(table(values, columns=names)).exclusive == seen.exclusive
    values[60:70, [0, 2, 3]] = 0
    assert inspect_table(table(values, columns=names)).exclusive == ()


def test_negative_dependence_is_said():
    rng = np.random.default_rng(5)
    first = rng.random(400) < 0.4
    second = np.where(first, rng.random(400) < 0.1, rng.random(400) < 0.6)
    seen = inspect_table(table(np.column_stack([first, second]), columns=["a", "b"]))
    assert seen.apart[0].z < -4
    assert notice(seen, "negative_dependence").columns == ("a", "b")


def test_what_matters_for_the_model_is_said():
    rng = np.random.default_rng(6)
    values = (rng.random((100, 6)) < 0.02).astype(float)
    values[:, 0] = rng.random(100) < 0.8
    values[:, 1] = 0
    values[:2, 1] = 1
    values[:, 5] = values[:, 1]
    values[10:40, [2, 3]] = NaN
    seen = inspect_table(table(values))
    assert notice(seen, "common").columns == ("x1",)
    assert notice(seen, "duplicate_columns").columns == ("x2", "x6")
    assert notice(seen, "missing_together").columns == ("x3", "x4")
    assert "x2" in notice(seen, "rare").columns
    sparse = np.zeros((100, 2))
    sparse[0] = 1
    assert "rows_without_ones" in codes(inspect_table(table(sparse)))


def test_independent_columns_are_not_odd():
    values = np.random.default_rng(7).random((500, 8)) < 0.3
    seen = inspect_table(Table.from_array(values))
    assert codes(seen) == []
    assert seen.to_dict()["schema"] == "hiddencauses/inspection/1"
