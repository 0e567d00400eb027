"""How kernels are compiled: once, without the interpreter's lock, and kept on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

try:
    from hiddencauses.compiled_cache import cache_of
except ImportError:  # a numba of other parts: slow to start, but right
    cache_of = None  # type: ignore[assignment]

__all__ = ["compiled", "compiled_door", "compiled_into_caller"]

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function that only compiled functions call.

    Without the code that Python would need to call it, which for a state of a dozen arrays takes longer to
    compile than the function itself.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def compiled_into_caller(function: Function) -> Function:
    """Compile a function as a part of whatever calls it.

    Code of a called function goes through the compiler once more with each caller around it; for a large
    function with one caller this saves a round. Small functions gain nothing.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, inline="always")


def compiled_door(function: Function) -> Function:
    """Compile a function that Python calls."""
    return _compile(function, no_cfunc_wrapper=True)


def _compile(function: Function, **options: bool | str) -> Function:
    """Compile when first called, without the interpreter's lock, cached where that is possible."""
    dispatcher = numba.njit(function, nogil=True, error_model="numpy", **options)  # type: ignore[call-overload]
    cache = cache_of(function) if cache_of is not None else None
    if cache is not None and hasattr(dispatcher, "_cache"):  # it has none when compilation is switched off
        dispatcher._cache = cache
    return dispatcher  # type: ignore[no-any-return]
