"""Infer the hidden causes behind a table of yes/no observations.

The public names below are loaded when first used, so that importing the package stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiddencauses.data.readers import read_table
    from hiddencauses.data.table import Table
    from hiddencauses.model.priors import Beta, FixedCount, Gamma, Geometric, TruncatedPoisson, UniformCount
    from hiddencauses.model.simulate import simulate
    from hiddencauses.model.spec import DEFAULT_SPEC, Finite, Infinite, ModelSpec
    from hiddencauses.oracle.exact import exact_posterior
    from hiddencauses.runs.fit import fit
    from hiddencauses.runs.run import Run
    from hiddencauses.sampling.draws import Draws
    from hiddencauses.sampling.sample import sample

__version__ = "0.1.0"

_HOMES = {
    "Beta": "hiddencauses.model.priors",
    "DEFAULT_SPEC": "hiddencauses.model.spec",
    "Finite": "hiddencauses.model.spec",
    "Draws": "hiddencauses.sampling.draws",
    "FixedCount": "hiddencauses.model.priors",
    "Gamma": "hiddencauses.model.priors",
    "Geometric": "hiddencauses.model.priors",
    "Infinite": "hiddencauses.model.spec",
    "ModelSpec": "hiddencauses.model.spec",
    "Table": "hiddencauses.data.table",
    "TruncatedPoisson": "hiddencauses.model.priors",
    "UniformCount": "hiddencauses.model.priors",
    "Run": "hiddencauses.runs.run",
    "exact_posterior": "hiddencauses.oracle.exact",
    "fit": "hiddencauses.runs.fit",
    "read_table": "hiddencauses.data.readers",
    "sample": "hiddencauses.sampling.sample",
    "simulate": "hiddencauses.model.simulate",
}

__all__ = [
    "DEFAULT_SPEC",
    "Beta",
    "Draws",
    "Finite",
    "FixedCount",
    "Gamma",
    "Geometric",
    "Infinite",
    "ModelSpec",
    "Run",
    "Table",
    "TruncatedPoisson",
    "UniformCount",
    "__version__",
    "exact_posterior",
    "fit",
    "read_table",
    "sample",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
