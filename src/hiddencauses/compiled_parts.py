"""Compiling a function that only compiled functions call without making machine code of it alone.

numba turns every function into machine code twice: alone, with all that it calls optimised into it, and again
as a part of each caller. Alone it is never run here. What goes into callers is kept, the rest left out: a
sampler is ready in four fifths of the time. Nor does such a function need files in the cache: those of the
functions that Python calls hold the whole.

numba has no setting for this, so its classes are derived from. `compiled.py` does without them if a later
numba has other ones.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

__all__ = ["PartCompiler"]


class _NoMachineCode:
    """What stands for the code generator of a part: it has no code to attach an environment to."""

    def set_env(self, *_: Any) -> None:
        """Do nothing: an environment is for code that falls back on the interpreter."""


class _PartLibrary(JITCodeLibrary):
    """A function in the compiler's intermediate form, to be optimised with its callers."""

    def _optimize_final_module(self) -> None:
        """Leave it to the callers."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return the null pointer, by which numba marks what has no code."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> _NoMachineCode:
        return _NO_MACHINE_CODE


class PartCompiler(Compiler):
    """numba's compiler, ending in a `_PartLibrary`."""

    def define_pipelines(self) -> Any:
        """Return numba's own passes."""
        if self.state.library is None:
            name = self.state.func_id.func_qualname
            codegen = self.state.targetctx.codegen()
            self.state.library = _PartLibrary(codegen, name)  # type: ignore[no-untyped-call]
        return super().define_pipelines()  # type: ignore[no-untyped-call]


_NO_MACHINE_CODE = _NoMachineCode()
