"""The sampler as it was when its moves on groups were new, taken out of the repository's history."""

from __future__ import annotations

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

__all__ = ["FIRST", "ROOT", "NoHistoryError", "extract_first_version"]

#: The commit that issue 3 ended with.
FIRST = "1b275d9"
ROOT = Path(__file__).parents[2]
#: The package, and the doors to its single moves.
PARTS = ("src/hiddencauses", "benchmarks/__init__.py", "benchmarks/mixing", "benchmarks/recovery")


class NoHistoryError(Exception):
    """The history is not there."""


def extract_first_version(folder: Path) -> list[Path]:
    """Write the first version into a folder, and return what must be on the path to run it."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), "archive", "--format=tar", FIRST, *PARTS], capture_output=True
        )
    except FileNotFoundError as error:
        raise NoHistoryError("git is not installed, so there is no first version to compare with") from error
    if done.returncode:
        raise NoHistoryError(
            f"commit {FIRST} is not here ({done.stderr.decode().strip().splitlines()[-1]}), so there is no "
            "first version to compare with; run this in a clone with its history"
        )
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return [folder / "src", folder]
