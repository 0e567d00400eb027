"""New rows: calibration on held-out rows, order, blocks, and columns that do not fit."""

import dataclasses

import numpy as np
import pandas
import pytest
from pyarrow import csv, feather, parquet

from hiddencauses import Table, simulate
from hiddencauses.errors import InputError, OutputError
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.new_rows import apply, apply_in_blocks
from hiddencauses.posterior.new_rows_file import write_new_rows
from tests.posterior.known_draws import KnownDraws, world
from tests.posterior.runs import KNOWN, LINKS, known_run

NEW = simulate(rows=4000, links=LINKS, spec=KNOWN, missing_rate=0.1, seed=11)


def in_order_of_truth(alignment):
    """The aligned cause that each true one is."""
    shared = LINKS.T @ alignment.link_probability
    assert (shared.argmax(axis=1) < 3).all()
    return shared.argmax(axis=1)


def assert_calibrated(chance, came_true):
    """In every tenth of the chances: what came true differs by chance alone, at most 4 standard errors."""
    tenth = np.minimum((chance * 10).astype(int), 9)
    for t in np.unique(tenth):
        these = tenth == t
        error = np.sqrt((chance[these] * (1 - chance[these])).sum())
        assert abs((came_true[these] - chance[these]).sum()) <= 4 * error + 1e-9


def test_activity_of_held_out_rows_is_calibrated():
    alignment = align(known_run())
    found = apply(known_run(), NEW.table, alignment=alignment)
    chance = found.at_work[:, in_order_of_truth(alignment)].astype(float)
    assert ((chance > 0.1) & (chance < 0.9)).mean() > 0.05  # there is something to get wrong
    for k in range(3):
        assert_calibrated(chance[:, k], NEW.truth.activity[:, k])
    with pytest.raises(AssertionError):  # negative control: overconfidence is noticed
        assert_calibrated(np.clip(1.5 * chance[:, 0] - 0.25, 0, 1), NEW.truth.activity[:, 0])


def test_missing_cells_are_calibrated():
    whole = simulate(rows=4000, links=LINKS, spec=KNOWN, seed=11).table.codes()  # the same, nothing missing
    hidden = NEW.table.codes() < 0
    np.testing.assert_array_equal(np.where(hidden, -1, whole), NEW.table.codes())
    found = apply(known_run(), NEW.table)
    assert found.variables == NEW.table.columns
    np.testing.assert_array_equal(np.isnan(found.on), ~hidden)
    assert_calibrated(found.on[hidden].astype(float), whole[hidden])


def test_every_row_comes_back_in_order_an_empty_one_too():
    codes = NEW.table.codes()[:7].astype(float)
    codes[codes < 0] = np.nan
    codes[3] = np.nan
    table = Table.from_array(codes, columns=NEW.table.columns, row_ids=list("gfedcba"))
    found = apply(known_run(), table)
    assert found.row_ids == tuple("gfedcba")
    frame = found.to_frame()
    assert frame.column("row").to_pylist() == list("gfedcba")
    assert frame.column("P(x1)").null_count == np.sum(~np.isnan(codes[:, 0]))
    alignment = align(known_run())
    # with nothing seen only prevalence speaks: 0.3, known
    np.testing.assert_allclose(found.at_work[3, : alignment.n_established], 0.3, atol=1e-6)
    one_by_one = [
        apply(known_run(), Table.from_array(codes[[r]], columns=table.columns)).at_work for r in range(7)
    ]
    np.testing.assert_array_equal(np.concatenate(one_by_one), found.at_work)


@pytest.mark.parametrize("block_rows", [1, 63, 64, 100, 1000])
def test_blocks_and_threads_change_nothing(block_rows):
    alignment = align(known_run())
    table = Table.from_array(NEW.table.to_array()[:200], columns=NEW.table.columns)
    whole = apply(known_run(), table, alignment=alignment, threads=1, draws_used=5)
    blocks = list(
        apply_in_blocks(known_run(), table, alignment=alignment, block_rows=block_rows, draws_used=5)
    )
    assert [b.first for b in blocks] == list(range(0, 200, block_rows))
    np.testing.assert_array_equal(np.concatenate([b.at_work for b in blocks]), whole.at_work)
    np.testing.assert_array_equal(np.concatenate([b.on for b in blocks]), whole.on)
    assert blocks[-1].to_frame().column("row").to_pylist()[-1] == 200


def test_columns_in_another_order_are_fine():
    table = NEW.table
    turned = table.with_variables(table.columns[::-1])
    one, other = apply(known_run(), table, draws_used=5), apply(known_run(), turned, draws_used=5)
    np.testing.assert_array_equal(one.at_work, other.at_work)
    assert one.variables == other.variables
    np.testing.assert_array_equal(one.on, other.on)


def test_columns_that_do_not_fit_are_refused():
    table = NEW.table
    fewer = table.with_variables(table.columns[1:])
    with pytest.raises(InputError, match="'x1' is not there"):
        apply(known_run(), fewer)
    renamed = dataclasses.replace(table, columns=("X1", *table.columns[1:]))
    with pytest.raises(InputError, match=r"'X1' was not fitted; the fitted 'x1' is not there"):
        apply(known_run(), renamed)
    more = dataclasses.replace(
        table,
        ones=np.concatenate([table.ones, table.ones[:1]]),
        missing=None,
        columns=(*table.columns, "age"),
    )
    with pytest.raises(InputError, match="'age' was not fitted"):
        apply(known_run(), more, missing_columns_are_unobserved=True)
    nothing_shared = dataclasses.replace(table, columns=tuple(f"y{i}" for i in range(12)))
    with pytest.raises(InputError, match="12 columns were not fitted"):
        apply(known_run(), nothing_shared, missing_columns_are_unobserved=True)


def test_columns_that_are_not_there_are_unobserved_on_request():
    table = NEW.table
    fewer = table.with_variables(table.columns[1:])
    found = apply(known_run(), fewer, missing_columns_are_unobserved=True, draws_used=5)
    cells = table.to_array()
    cells[:, 0] = np.nan
    same = apply(known_run(), Table.from_array(cells, columns=table.columns), draws_used=5)
    np.testing.assert_array_equal(found.at_work, same.at_work)
    np.testing.assert_array_equal(found.on, same.on)


def test_no_cause_at_all():
    draws = KnownDraws([[world(np.zeros((2, 0)), np.zeros((3, 0)), leak=[0.2, 0.4])] * 4])
    table = Table.from_array([[1, np.nan], [np.nan, np.nan]])
    found = apply(draws, table)
    assert found.at_work.shape == (2, 0)
    np.testing.assert_allclose(found.on, [[np.nan, 0.4], [0.2, 0.4]], rtol=1e-6)
    assert found.to_frame().column_names == ["row", "P(x1)", "P(x2)"]


def test_a_cause_that_no_used_draw_has_is_told_as_unknown():
    one = world([[1], [1]], [[1], [0], [1]])
    none = world(np.zeros((2, 0)), np.zeros((3, 0)))
    draws = KnownDraws([[one, none, none, none]])
    table = Table.from_array([[1, 1]])
    assert np.isnan(apply(draws, table, draws_used=1).at_work).all()
    assert not np.isnan(apply(draws, table, draws_used=None).at_work).any()


def test_names_do_not_clash():
    draws = KnownDraws([[world([[1], [0]], [[1], [0], [1]])] * 4])
    draws.columns = ("row", "x2")
    frame = apply(draws, Table.from_array([[1, 0]], columns=["row", "x2"])).to_frame()
    assert frame.column_names == ["row_0", "row"]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".feather", ".arrow"])
def test_answers_are_written_block_by_block(tmp_path, ending):
    table = Table.from_array(NEW.table.to_array()[:100], columns=NEW.table.columns)
    alignment, path = align(known_run()), tmp_path / f"answers{ending}"
    blocks = apply_in_blocks(known_run(), table, alignment=alignment, block_rows=30, draws_used=5)
    assert write_new_rows(blocks, path) == 100
    frame = READERS[ending](path)
    expected = apply(known_run(), table, alignment=alignment, draws_used=5).to_frame()
    assert frame.column_names == expected.column_names
    for name in expected.column_names:
        mine, theirs = frame.column(name).to_pylist(), expected.column(name).to_pylist()
        assert [v is None for v in mine] == [v is None for v in theirs]
        np.testing.assert_allclose(
            [v for v in mine if v is not None], [v for v in theirs if v is not None], rtol=1e-6
        )
    with pytest.raises(OutputError, match="exists already"):
        write_new_rows([], path)


def test_a_file_of_another_kind_is_refused(tmp_path):
    with pytest.raises(OutputError, match=r"use one of \.csv"):
        write_new_rows([], tmp_path / "answers.docx")
    assert not list(tmp_path.iterdir())


READERS = {
    ".csv": csv.read_csv,
    ".tsv": lambda path: csv.read_csv(path, parse_options=csv.ParseOptions(delimiter="\t")),
    ".parquet": parquet.read_table,
    ".feather": feather.read_table,
    ".arrow": feather.read_table,
}


def test_rows_may_be_whatever_can_be_read():
    cells = NEW.table.to_array()[:4]
    frame = pandas.DataFrame(cells, columns=NEW.table.columns)
    frame.iloc[0] = np.nan  # neither an empty row nor constant columns are worth a warning here
    found = apply(known_run(), frame, draws_used=5)
    same = apply(known_run(), Table.from_array(frame.to_numpy(), columns=NEW.table.columns), draws_used=5)
    np.testing.assert_array_equal(found.at_work, same.at_work)
