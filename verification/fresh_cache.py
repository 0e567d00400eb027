"""Compiled code that cannot be older than its source.

numba renews a cached function when its own file has changed, not when a function that it calls has, in
another file. A proof must not run on yesterday's kernels, so the cache of this run has a name made from their
sources.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

__all__ = ["use_fresh_cache"]

ROOT = Path(__file__).parent.parent


def use_fresh_cache() -> None:
    """Have numba cache in a folder of its own for these sources; numba must not be loaded yet."""
    assert "numba" not in sys.modules, "numba has already chosen its cache"
    digest = hashlib.sha256()
    for path in sorted(
        [
            *(ROOT / "src" / "hiddencauses").glob("*.py"),
            *(ROOT / "src" / "hiddencauses" / "kernels").rglob("*.py"),
            *(ROOT / "verification").rglob("*.py"),
        ]
    ):
        digest.update(path.read_bytes())
    user = getattr(os, "getuid", int)()
    folder = Path(tempfile.gettempdir()) / f"hiddencauses-verification-{user}-{digest.hexdigest()[:16]}"
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
