"""A run's folder: what was asked for, and the draws.

`settings.json` says how the run was made and can be repeated; `draws.npz` holds the draws as `Draws.packed`
does, chain by chain. Nothing in it can be executed.
"""

from __future__ import annotations

import json
import platform
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.folders import output_folder
from hiddencauses.sampling.draws import ChainDraws

if TYPE_CHECKING:
    from hiddencauses.data.table import Table
    from hiddencauses.sampling.draws import Draws

__all__ = ["SCHEMA", "write_run"]

SCHEMA = "hiddencauses/run/0"


def write_run(
    draws: Draws, table: Table, folder: str | Path, *, warmup: int, init: str, force: bool = False
) -> None:
    """Write a finished run."""
    # A run holds people's rows.
    with output_folder(folder, force=force, private=True) as draft:
        settings = json.dumps(_settings(draws, table, warmup=warmup, init=init), indent=2)
        (draft / "settings.json").write_text(settings + "\n", encoding="utf-8")
        arrays = {
            f"chain{c}_{item.name}": getattr(chain, item.name)
            for c, chain in enumerate(draws.packed)
            for item in fields(ChainDraws)
        }
        np.savez_compressed(draft / "draws.npz", **arrays)


def _settings(draws: Draws, table: Table, *, warmup: int, init: str) -> dict[str, Any]:
    """Say how the run was made."""
    return {
        "schema": SCHEMA,
        "spec": draws.spec.to_dict(),
        "sampler": draws.sampler,
        "chains": draws.n_chains,
        "warmup": warmup,
        "draws": draws.n_draws,
        "seed": draws.seed,
        "init": init,
        "table": {
            "source": table.source,
            "rows": table.n_rows,
            "columns": list(table.columns),
            "fingerprint": table.fingerprint(),
        },
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("hiddencauses", "numpy", "numba", "scipy", "pyarrow")},
        },
    }
