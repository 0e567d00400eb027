"""The mixing benchmark: structures and the paper's measures."""

import numpy as np
import pytest

from benchmarks.mixing.errors import co_linkage, in_degree_error, structure_error
from benchmarks.mixing.structures import STRUCTURES, table_of
from hiddencauses import ModelSpec, sample


def test_structures_are_what_the_paper_says_of_them():
    assert {name: links.shape[1] for name, links in STRUCTURES.items()} == {
        "degree 1": 6,
        "disconnected": 4,
        "undercomplete": 4,
        "overcomplete": 8,
    }
    assert (STRUCTURES["degree 1"].sum(axis=1) == 1).all()
    shared = STRUCTURES["disconnected"].T.astype(int) @ STRUCTURES["disconnected"]
    assert not shared[:2, 2:].any()
    for name, links in STRUCTURES.items():
        assert (links.shape[1] > len(links)) == (name == "overcomplete")
        assert len({column.tobytes() for column in links.T}) == links.shape[1]
        assert links.any(axis=1).all()


def test_tables_have_150_rows_and_follow_from_the_seed():
    cells = [table_of("undercomplete", seed).table.codes() for seed in (1, 1, 2)]
    assert np.array_equal(cells[0], cells[1])
    assert not np.array_equal(cells[0], cells[2])
    assert table_of("overcomplete", 0).table.shape == (150, 6)


def test_errors_by_hand():
    links = np.array([[1, 1], [0, 1], [0, 0]], dtype=np.int8)  # ZZᵀ = [[2, 1, 0], [1, 1, 0], [0, 0, 0]]
    expected = np.array([[1.5, 0.25, 0.5], [0.25, 1.0, 0.0], [0.5, 0.0, 0.25]])
    assert in_degree_error(expected, links) == pytest.approx(0.75)
    assert structure_error(expected, links) == pytest.approx(1.25)
    assert structure_error(links.astype(float) @ links.T, links) == 0.0


def test_co_linkage_is_that_of_each_draw():
    draws = sample([[1, 0], [0, 1]], ModelSpec.paper(), draws=5, warmup=5, chains=2, seed=1)
    pairs = co_linkage(draws, 1)
    for draw in range(5):
        links = draws.links(1, draw).astype(int)
        assert (pairs[draw] == links @ links.T).all()
