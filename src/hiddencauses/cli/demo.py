"""`hiddencauses demo`: what the package can do, on data that ships with it."""

from __future__ import annotations

from pathlib import Path

import click

from hiddencauses.cli.inspect import show_inspection
from hiddencauses.cli.output import message
from hiddencauses.cli.tabular import print_heading, print_line, print_rows

__all__ = ["command"]

FOLDER = Path("hiddencauses-demo")
SEED = 2006


@click.command("demo", epilog="Example: hiddencauses demo")
def command() -> None:
    """Describe a real table and draw one from the model, into ./hiddencauses-demo.

    The folder is used again when it is there already.
    """
    from hiddencauses.data.inspection import inspect_table
    from hiddencauses.data.writers import write_table
    from hiddencauses.datasets import load_dataset
    from hiddencauses.model.simulate import simulate
    from hiddencauses.model.simulation_files import write_simulation
    from hiddencauses.model.spec import ModelSpec
    from hiddencauses.validation import check_folder

    check_folder(FOLDER)
    survey = load_dataset("nhefs")
    show_inspection(inspect_table(survey))
    spec = ModelSpec(strength=0.9, leak=0.02, prevalence=0.2, concentration=3.0)
    simulation = simulate(rows=500, variables=12, causes=3, spec=spec, seed=SEED)
    print_heading("A table drawn from the model: 500 rows, 12 variables, 3 hidden causes")
    truth = simulation.truth
    rows = [
        (
            f"cause {k + 1}",
            int(truth.activity[:, k].sum()),
            ", ".join(
                name
                for name, linked in zip(simulation.table.columns, truth.links[:, k], strict=True)
                if linked
            ),
        )
        for k in range(truth.n_causes)
    ]
    print_rows(("", "rows where it is at work", "variables it drives"), rows, right=(1,))
    FOLDER.mkdir(exist_ok=True)
    write_table(survey, FOLDER / "nhefs.csv", force=True)
    write_simulation(simulation, FOLDER / "simulated", force=True)
    print_line()
    message(f"saved in {FOLDER}: nhefs.csv (the survey), simulated/ (the drawn table with its truth)")
