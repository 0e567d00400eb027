"""Explanations of a row, conditional probabilities and prevalences by group, against sums written out."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

from hiddencauses import Table
from hiddencauses.errors import InputError, UserError
from hiddencauses.model.noisy_or import strength_per_link
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.by_group import prevalence_by
from hiddencauses.posterior.conditional import probabilities_given
from hiddencauses.posterior.explanation import explain
from tests.posterior.known_draws import KnownDraws, random_world, world
from tests.posterior.runs import known_run, known_simulation

CAUSE = world([[1], [1], [1], [0]], [[1], [0], [0]], strength=0.9, leak=0.01, prevalence=0.2)


def test_a_cause_accounts_for_its_ones_and_the_leak_for_others():
    draws = KnownDraws([[CAUSE] * 5])
    found = explain(draws, Table.from_array([[1, 1, 0, 1], [0, 0, 0, 0]], source="two rows"), 1)
    assert found.row == "1" and found.causes == ("x1 + x2 + x3",)
    assert found.at_work[0] > 0.9
    np.testing.assert_allclose(found.by_leak[3], 1.0)
    assert (found.by_cause[0, :2] > 0.9).all() and (found.by_cause[0, 2:] == 0).all()
    assert (found.by_leak[:2] < 0.2).all()
    assert found.absent_but_expected == ("x3",)
    assert found.expected[2] == pytest.approx(1 - (1 - 0.01) * (1 - 0.9 * found.at_work[0]))
    frame = found.to_frame().to_pydict()
    assert frame["by_leak"][2] is None and frame["expected"][3] is None
    causes = found.causes_to_frame().to_pydict()
    assert causes["ones_accounted_for"][0] == pytest.approx(found.by_cause.sum())


def test_rows_by_name_and_number():
    draws = KnownDraws([[CAUSE] * 5])
    table = Table.from_array([[1, 1, 0, 1], [0, 0, 0, 0]], row_ids=["ann", "bob"], source="people")
    assert explain(draws, table, "bob").row == explain(draws, table, 2).row == "bob"
    for row in ("bop", 0, 3, 1.5, True):
        with pytest.raises(InputError, match="people: there is no row"):
            explain(draws, table, row)
    unnamed = Table.from_array([[1, 1, 0, 1]])
    assert explain(draws, unnamed, "1").row == "1"
    with pytest.raises(InputError, match="numbered 1 to 1"):
        explain(draws, unnamed, "ann")


def test_no_cause_at_all():
    draws = KnownDraws([[world(np.zeros((2, 0)), np.zeros((3, 0)), leak=[0.2, 0.4])] * 4])
    found = explain(draws, Table.from_array([[1, 0]]), 1)
    np.testing.assert_allclose(found.by_leak, [1.0, 0.0])
    assert found.to_frame().num_rows == 2 and found.causes_to_frame().num_rows == 0
    told = probabilities_given(draws, ["x1"]).to_pydict()
    np.testing.assert_allclose(told["probability"], [0.4])
    grouped = prevalence_by(draws, with_site(Table.from_array([[1, 0]] * 3), ["a", "b", "a"]), "site")
    assert grouped.num_rows == 0 and grouped.column_names[0] == "site"


def joint(one):
    """P of every setting of the cells in one world."""
    strength, leak, p = strength_per_link(one), one.parameters.leak, one.parameters.prevalence
    table = np.zeros((2,) * len(leak))
    for state in product((0, 1), repeat=one.n_total):
        y = np.array(state, dtype=float)
        off = (1 - leak) * np.prod(1 - strength * y, axis=1)
        weight = np.prod(np.where(y == 1, p, 1 - p))
        for cells in np.ndindex(table.shape):
            table[cells] += weight * np.prod(np.where(np.array(cells) == 1, 1 - off, off))
    return table


def test_conditional_probabilities_are_those_of_the_mixture_of_draws():
    rng = np.random.default_rng(8)
    worlds = [random_world(rng, 3, 4, k) for k in (2, 3, 0, 1)]
    together = np.mean([joint(one) for one in worlds], axis=0)
    told = probabilities_given(KnownDraws([worlds]), {"x1": 1, "x3": 0}).to_pydict()
    known = together[1, :, 0, :]
    assert told["variable"] == ["x2", "x4"]
    expected = [known[1].sum() / known.sum(), known[:, 1].sum() / known.sum()]
    np.testing.assert_allclose(told["probability"], expected)
    told = probabilities_given(KnownDraws([worlds]), []).to_pydict()
    np.testing.assert_allclose(told["probability"][0], together[1].sum())


@pytest.mark.parametrize("known", ["x1", {"x1": 2}, ["x9"], 3])
def test_known_cells_that_are_none(known):
    with pytest.raises(UserError):
        probabilities_given(KnownDraws([[CAUSE]]), known)


def with_site(table, values, name="site"):
    return Table(
        ones=table.ones,
        missing=table.missing,
        n_rows=table.n_rows,
        columns=table.columns,
        carried=pa.table({name: values}),
    )


def test_prevalence_by_group():
    truth, table = known_simulation().truth, known_simulation().table
    at_work = truth.activity[:, 0] == 1
    # a site where the first cause is always at work, one where it never is
    grouped = with_site(table, ["north" if yes else "south" for yes in at_work])
    alignment = align(known_run())
    mine = alignment.names[int(np.argmax(truth.links[:, 0] @ alignment.link_probability))]
    told = prevalence_by(known_run(), grouped, "site", alignment=alignment).to_pylist()
    by_site = {line["site"]: line for line in told if line["cause"] == mine}
    assert by_site["north"]["rows"] == at_work.sum()
    assert by_site["north"]["prevalence_low"] > 0.7 and by_site["south"]["prevalence_high"] < 0.3
    for line in told:
        assert line["prevalence_low"] < line["prevalence"] < line["prevalence_high"]


def test_groups_with_missing_values_come_last_and_numbers_stay_numbers():
    draws = KnownDraws([[CAUSE] * 3])
    table = with_site(Table.from_array([[1, 1, 0, 1]] * 3), [10, None, 2], "age")
    told = prevalence_by(draws, table, "age").to_pydict()
    assert told["age"] == [2, 10, None]
    # one more with it and one without: 1 of 1 row, 0 of 1 row
    np.testing.assert_allclose(told["prevalence"], [1 / 3, 2 / 3, 1 / 3])


def test_groups_that_are_none():
    draws = KnownDraws([[CAUSE] * 3])
    table = Table.from_array([[1, 1, 0, 1]] * 3)
    with pytest.raises(InputError, match="--carry site"):
        prevalence_by(draws, table, "site")
    with pytest.raises(InputError, match="carried are site"):
        prevalence_by(draws, with_site(table, ["a"] * 3), "age")
    with pytest.raises(InputError, match="very table that was fitted"):
        prevalence_by(draws, with_site(Table.from_array([[1, 1, 0, 1]]), ["a"]), "site")
    many = KnownDraws([[world(CAUSE.links, np.ones((60, 1)))] * 3])
    ages = with_site(Table.from_array([[1, 1, 0, 1]] * 60), list(range(60)), "age")
    with pytest.raises(InputError, match="60 different values"):
        prevalence_by(many, ages, "age")
