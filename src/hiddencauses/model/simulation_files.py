"""A simulation as files: the table, and the truth behind it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddencauses.data.writers import write_table
from hiddencauses.folders import output_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.model.simulate import Simulation

__all__ = ["SCHEMA", "write_simulation"]

SCHEMA = "hiddencauses/truth/1"


def write_simulation(simulation: Simulation, folder: str | Path, *, force: bool = False) -> None:
    """Write a simulation into a folder.

    `table.csv` (a header, no id column), `truth_links.csv` (a row per variable, a column per cause),
    `truth_activity.csv` (a row per row, a column per cause), `truth_parameters.json`, `spec.json`.
    """
    truth = simulation.truth
    causes = [f"cause{k + 1}" for k in range(truth.n_total)]
    with output_folder(folder, force=force) as draft:
        write_table(simulation.table, draft / "table.csv")
        linked = (
            [name, *row] for name, row in zip(simulation.table.columns, truth.links.tolist(), strict=True)
        )
        _write_csv(draft / "truth_links.csv", ["variable", *causes], linked)
        _write_csv(draft / "truth_activity.csv", causes, truth.activity.tolist())
        (draft / "truth_parameters.json").write_text(json.dumps(_parameters(simulation), indent=2) + "\n")
        (draft / "spec.json").write_text(simulation.spec.to_json() + "\n")


def _write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _parameters(simulation: Simulation) -> dict[str, Any]:
    """The true parameters as plain data; null where a pair has no link and so no strength."""
    par = simulation.truth.parameters
    return {
        "schema": SCHEMA,
        "seed": simulation.seed,
        "n_causes": simulation.truth.n_causes,
        "n_total": simulation.truth.n_total,
        "strength": _plain(par.strength),
        "leak": _plain(par.leak),
        "prevalence": _plain(par.prevalence),
        "concentration": par.concentration,
    }


def _plain(array: NDArray[np.float64]) -> Any:
    def clean(value: Any) -> Any:
        if isinstance(value, list):
            return [clean(item) for item in value]
        return None if value != value else value

    return clean(np.asarray(array).tolist())
