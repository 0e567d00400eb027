"""Many draws of a small table fit into memory."""

import subprocess
import sys

import pytest

CODE = """
import resource, sys
import numpy as np
from hiddencauses import sample
cells = np.array([[1, 1], [0, 1], [1, 0]])
found = sample(cells, draws={draws}, warmup=100, chains={chains}, seed=1)
assert found.log_joint.shape == ({chains}, {draws}) and np.isfinite(found.log_joint).all()
found.links({chains} - 1, {draws} - 1), found.world(0, {draws} // 2)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak if sys.platform == "darwin" else 1024 * peak)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory use is asked of the POSIX resource module")
@pytest.mark.parametrize(
    ("draws", "chains"), [(400_000, 1), pytest.param(100_000, 4, marks=pytest.mark.long)]
)
def test_400_000_draws_of_a_3_by_2_table_take_less_than_a_gigabyte(draws, chains):
    code = CODE.format(draws=draws, chains=chains)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1e9
