"""How kernels are compiled: once, without the interpreter's lock, and kept on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

try:
    from hiddencauses.compiled_cache import cache_of
    from hiddencauses.compiled_parts import PartCompiler
except ImportError:  # a numba of other parts: slow to start, but right
    cache_of = None  # type: ignore[assignment]
    PartCompiler = None  # type: ignore[assignment,misc]

__all__ = ["compiled", "compiled_any_order", "compiled_door", "compiled_into_caller"]

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function that only compiled functions call.

    Without the code that Python would need to call it, which for a state of a dozen arrays takes longer to
    compile than the function itself.
    """
    return _compile_part(function)


def compiled_any_order(function: Function) -> Function:
    """Compile a function as `compiled` does, but let its sums be added up in any order.

    In the order written a sum is one long chain of additions. The order that the compiler chooses is the same
    every time.
    """
    return _compile_part(function, fastmath={"reassoc", "nsz"})


def compiled_into_caller(function: Function) -> Function:
    """Compile a function as a part of whatever calls it.

    Code of a called function goes through the compiler once more with each caller around it; for a large
    function with one caller this saves a round. Small functions gain nothing.
    """
    return _compile_part(function, inline="always")


def compiled_door(function: Function) -> Function:
    """Compile a function that Python calls, and keep it on disk with all that it calls."""
    dispatcher = _compile(function)
    cache = cache_of(function) if cache_of is not None else None
    if cache is not None and hasattr(dispatcher, "_cache"):  # it has none when compilation is switched off
        dispatcher._cache = cache
    return dispatcher


def _compile_part(function: Function, **options: Any) -> Function:
    if PartCompiler is not None:
        options["pipeline_class"] = PartCompiler
    return _compile(function, no_cpython_wrapper=True, **options)


def _compile(function: Function, **options: Any) -> Function:
    """Compile when first called, without the interpreter's lock."""
    options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    return numba.njit(**options)(function)  # type: ignore[no-any-return]
