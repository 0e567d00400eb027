"""Cells grouped by their active causes: the same likelihood as cell by cell, however many causes and rows."""

import numpy as np
import pytest

from hiddencauses.compiled import compiled_door
from hiddencauses.data.bits import pack_rows
from hiddencauses.kernels.failure_profile import clear, empty_profile
from hiddencauses.kernels.grouped import CHUNK, FEW_CAUSES, MOST_CAUSES, add_groups, log_likelihood_on


@compiled_door
def grouped(cells, y, causes, failures, alike, start, failure):
    profile = empty_profile()
    clear(profile)
    profile = add_groups(profile, cells, y, causes, failures, alike, start)
    return log_likelihood_on(profile, failure), profile.sizes[0], profile.weight[: profile.sizes[0]].sum()


SIZES = (0, 1, 2, FEW_CAUSES, FEW_CAUSES + 1, 9, 21, MOST_CAUSES, MOST_CAUSES + 3)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 700, 64 * CHUNK + 5])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("alike", [False, True])
def test_groups_have_the_likelihood_of_their_cells(rows, size, alike):
    random = np.random.default_rng((rows, size, alike))
    on = random.random((rows, 1)) < 0.4
    active = random.random((rows, size + 2)) < 0.3
    causes = np.sort(random.choice(size + 2, size, replace=False))
    failures = np.log1p(-(np.full(size, 0.7) if alike else random.uniform(0.05, 0.95, size)))
    cells, y = pack_rows(on)[0], pack_rows(active)
    found, groups, weight = grouped(cells, y, causes, failures, alike, -0.01, -0.02)
    base = -0.01 - 0.02 + active[on[:, 0]][:, causes] @ failures
    assert found == pytest.approx(np.log(-np.expm1(base)).sum(), rel=1e-10, abs=1e-12)
    assert weight == on.sum()
    assert groups <= min(on.sum(), size + 1 if alike else 2.0**size)


def test_no_cell_is_on():
    cells, y = np.zeros(3, dtype=np.uint64), np.full((9, 3), 2**63, dtype=np.uint64)
    for size in (0, 2, 8):
        causes, failures = np.arange(size), np.full(size, -0.5)
        assert grouped(cells, y, causes, failures, False, -0.1, 0.0) == (0.0, 0, 0)
