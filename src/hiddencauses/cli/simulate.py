"""`hiddencauses simulate`: draw a table from the model, with its truth."""

from __future__ import annotations

from pathlib import Path

import click

from hiddencauses.cli.options import force_option, out_option, seed_option
from hiddencauses.cli.output import message

__all__ = ["command"]


@click.command(
    "simulate",
    epilog="Example: hiddencauses simulate --rows 500 --variables 12 --causes 3 --leak 0.01 -o sim",
)
@click.option("--rows", type=int, required=True, metavar="R", help="How many rows.")
@click.option("--variables", type=int, required=True, metavar="N", help="How many variables.")
@click.option("--causes", type=int, default=None, metavar="K", help="How many causes; drawn when not given.")
@click.option(
    "--spec", "spec_file", type=click.Path(path_type=Path), metavar="FILE", help="The model, as JSON."
)
@click.option("--strength", type=float, metavar="NUMBER", help="Fix the strength of links.")
@click.option("--leak", type=float, metavar="NUMBER", help="Fix the leak of variables.")
@click.option("--prevalence", type=float, metavar="NUMBER", help="Fix the prevalence of causes.")
@click.option("--concentration", type=float, metavar="NUMBER", help="Fix the concentration.")
@click.option(
    "--missing", type=float, default=0.0, show_default=True, metavar="RATE", help="Share of cells to hide."
)
@seed_option
@out_option
@force_option
def command(
    rows: int,
    variables: int,
    causes: int | None,
    spec_file: Path | None,
    missing: float,
    seed: int | None,
    out: Path,
    force: bool,
    **fixed: float | None,
) -> None:
    """Draw a table from the model, with the truth behind it.

    Writes into the folder PATH: table.csv, truth_links.csv, truth_activity.csv,
    truth_parameters.json and spec.json.
    """
    from hiddencauses.model.simulate import simulate
    from hiddencauses.model.simulation_files import write_simulation
    from hiddencauses.model.spec import DEFAULT_SPEC, read_spec
    from hiddencauses.validation import check_output

    spec = (read_spec(spec_file) if spec_file else DEFAULT_SPEC).with_fixed(
        **{name: value for name, value in fixed.items() if value is not None}
    )
    check_output(out, force=force)
    simulation = simulate(
        rows=rows, variables=variables, causes=causes, spec=spec, missing_rate=missing, seed=seed
    )
    write_simulation(simulation, out, force=force)
    truth = simulation.truth
    message(
        f"wrote {out}: {rows} rows × {variables} variables from {truth.n_causes} causes "
        f"with {int(truth.links.sum())} links (seed {simulation.seed})"
    )
