"""Optional libraries: imported when needed, or asked for with the command that installs them."""

from __future__ import annotations

import importlib
from typing import Any

from hiddencauses.errors import MissingExtraError

__all__ = ["needed"]


def needed(module: str, package: str, name: str) -> Any:
    """Import an optional library.

    Parameters
    ----------
    module
        What to import.
    package
        What it is called on the package index.
    name
        The file that needs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(
            f"{name}: reading it needs {package}; install it with: pip install 'hiddencauses[formats]'"
        ) from None
