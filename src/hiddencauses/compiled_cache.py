"""Machine code on disk that is never older than its source, and that is never needed.

numba's own cache differs in three ways that matter here:

* It renews a function when the function's own file has changed, not when a function that it calls has, in
  another file: after an upgrade in place the old sampler would go on running. Here a digest of every source
  that may take part is in the files' names.
* It raises where no folder can be written, and where the disk is full. Here nothing is kept then, and
  kernels are compiled anew in each process.
* Without a home folder it makes one called "~" where the user happens to be.

It has no setting for any of this, so its classes are derived from. Should a later numba have other ones,
nothing is cached: slow to start, but right.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)
from numba.misc.appdirs import AppDirs

__all__ = ["cache_of", "source_digest"]

PACKAGE = Path(__file__).parent


def cache_of(function: Callable[..., Any]) -> Any:
    """Return a cache for one function, or None where nothing can be kept."""
    try:
        return _Cache(function)
    except (RuntimeError, OSError, AttributeError, TypeError):
        # no place can be written; no source can be read; a numba of other parts
        return None


@lru_cache(maxsize=16)
def source_digest(folder: Path) -> str:
    """Return a digest of the kernels' sources and of all sources in and below a folder."""
    digest = hashlib.sha256()
    folders = [PACKAGE / "kernels", *([folder] if folder != PACKAGE / "kernels" else [])]
    own = [PACKAGE / "compiled.py", PACKAGE / "compiled_cache.py"]
    for path in [*own, *(path for each in folders for path in sorted(each.rglob("*.py")))]:
        source = path.read_bytes()
        digest.update(f"{path.name} {len(source)} ".encode() + source)
    return digest.hexdigest()[:16]


class _Places(CompileResultCacheImpl):
    """Where one function's code is kept, and under which names."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._digest = source_digest(Path(function.__code__.co_filename).parent)
        self._locator_classes = [UserProvidedCacheLocator, InTreeCacheLocator]
        # without a home folder this is a relative path
        if Path(AppDirs(appname="numba", appauthor=False).user_cache_dir).is_absolute():
            self._locator_classes.append(UserWideCacheLocator)
        super().__init__(function)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return what the names of this function's files begin with."""
        plain = super().get_filename_base(fullname, abiflags)
        self.function_name = plain.rpartition("-")[0]
        self.version = plain.rpartition(".")[2]
        return f"{plain}.{self._digest}"


class _Cache(FunctionCache):
    """The cache of one function; that it cannot be read or written is no error."""

    _impl_class = _Places

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function, or None to have it compiled."""
        try:
            return super().load_overload(sig, target_context)
        except OSError:
            return None
        except (EOFError, pickle.UnpicklingError):  # cut off, as by a loss of power
            self._forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, and drop what older sources left."""
        try:
            super().save_overload(sig, data)
            self._drop_older()
        except (OSError, EOFError, pickle.UnpicklingError):
            self.disable()

    def _forget(self) -> None:
        try:
            self.flush()
        except OSError:
            self.disable()

    def _drop_older(self) -> None:
        """Remove code of this function made from other sources, for the same version of Python."""
        names = self._impl
        for path in Path(self.cache_path).glob(f"{names.function_name}-*.{names.version}.*nb[ic]"):
            if not path.name.startswith(f"{names.filename_base}."):
                path.unlink(missing_ok=True)
