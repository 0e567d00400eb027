"""How kernels are compiled: once, without the interpreter's lock, and kept on disk where that is possible."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba

__all__ = ["compiled", "compiled_door"]

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function that only compiled functions call.

    Without the code that Python would need to call it, which for a state of a dozen arrays takes longer to
    compile than the function itself.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def compiled_door(function: Function) -> Function:
    """Compile a function that Python calls."""
    return _compile(function)


def _compile(function: Function, **options: bool) -> Function:
    """Compile when first called, without the interpreter's lock, cached where that is possible.

    numba refuses at import to cache where neither the package folder nor the user's cache folder can be
    written, as in a read-only container; there kernels are compiled anew in each process.
    """
    return numba.njit(function, nogil=True, cache=_can_cache(), error_model="numpy", **options)  # type: ignore[no-any-return, call-overload]


@lru_cache(maxsize=1)
def _can_cache() -> bool:
    """Tell whether one of the places numba tries can be written."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return _writable(Path(os.environ["NUMBA_CACHE_DIR"]))
    try:
        from numba.misc.appdirs import AppDirs

        users = Path(AppDirs(appname="numba", appauthor=False).user_cache_dir)  # type: ignore[no-untyped-call]
    except (ImportError, RuntimeError):  # no home folder
        return _writable(Path(__file__).parent)
    return _writable(Path(__file__).parent) or _writable(users)


def _writable(folder: Path) -> bool:
    """Try it: permissions alone do not tell (read-only mounts, the superuser)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
