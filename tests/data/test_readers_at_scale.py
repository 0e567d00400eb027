"""Memory, and a slice of the fuzz run, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.peak_memory import peak_megabytes

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs limits that Windows lacks")


def test_damaged_files_give_a_table_or_one_clear_line() -> None:
    command = [sys.executable, "-m", "verification.fuzz_readers", "--files", "300", "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def peak_of_reading(path: Path, shape: tuple[int, int]) -> float:
    program = (
        "import sys; from hiddencauses import read_table; table = read_table(sys.argv[1])\n"
        f"assert table.shape == {shape}"
    )
    return peak_megabytes(program, path)


def write_big(folder: Path, n_rows: int, n_columns: int) -> tuple[Path, Path]:
    random, block = np.random.default_rng(0), 50_000
    names = [f"v{i}" for i in range(n_columns)]
    text, columnar = folder / "t.csv", folder / "t.parquet"
    schema = pa.schema([(name, pa.int64()) for name in names])
    with text.open("wb") as lines, parquet.ParquetWriter(columnar, schema) as writer:
        lines.write((",".join(names) + "\n").encode())
        for _ in range(0, n_rows, block):
            cells = random.random((block, n_columns)) < 0.1
            letters = np.full((block, 2 * n_columns), ord(","), np.uint8)
            letters[:, 0::2], letters[:, -1] = 48 + cells, ord("\n")
            lines.write(letters.tobytes())
            writer.write_table(
                pa.table([pa.array(column) for column in cells.T.astype(np.int64)], schema=schema)
            )
    return text, columnar


def test_reading_streams(tmp_path: Path) -> None:
    for path in write_big(tmp_path, 100_000, 100):
        assert peak_of_reading(path, (100_000, 100)) < 450


@pytest.mark.long
def test_a_million_rows_of_two_hundred_within_a_gigabyte(tmp_path: Path) -> None:
    for path in write_big(tmp_path, 1_000_000, 200):
        assert peak_of_reading(path, (1_000_000, 200)) < 1000
