"""Many draws of a small table fit into memory."""

import sys

import pytest

from tests.peak_memory import peak_megabytes

CODE = """
import numpy as np
from hiddencauses import sample
cells = np.array([[1, 1], [0, 1], [1, 0]])
found = sample(cells, draws={draws}, warmup=100, chains={chains}, seed=1)
assert found.log_joint.shape == ({chains}, {draws}) and np.isfinite(found.log_joint).all()
found.links({chains} - 1, {draws} - 1), found.world(0, {draws} // 2)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory use is asked of the POSIX resource module")
@pytest.mark.parametrize(
    ("draws", "chains"), [(400_000, 1), pytest.param(100_000, 4, marks=pytest.mark.long)]
)
def test_400_000_draws_of_a_3_by_2_table_take_less_than_a_gigabyte(draws, chains):
    assert peak_megabytes(CODE.format(draws=draws, chains=chains)) < 1000
