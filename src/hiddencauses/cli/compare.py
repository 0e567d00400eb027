"""`hiddencauses compare`: which spec predicts best what a fit was not shown."""

from __future__ import annotations

from pathlib import Path

import click

from hiddencauses.cli.options import TableReader, json_option, reads_table, seed_option
from hiddencauses.cli.output import message, print_json
from hiddencauses.cli.tabular import print_frame

__all__ = ["command"]


@click.command("compare", epilog="Example: hiddencauses compare dataset:davis --spec spec.json --folds 3")
@reads_table
@click.option(
    "--spec",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A model, as JSON; repeatable.  [default: the default and the paper's]",
)
@click.option(
    "--what", default="cells", show_default=True, metavar="cells|rows", help="What is held out, each once."
)
@click.option("--folds", type=int, default=5, show_default=True, metavar="N", help="Fits of each model.")
@click.option("--chains", type=int, default=2, show_default=True, metavar="N", help="Independent chains.")
@click.option("--warmup", type=int, default=500, show_default=True, metavar="N", help="Sweeps thrown away.")
@click.option("--draws", type=int, default=500, show_default=True, metavar="N", help="Sweeps kept.")
@click.option("--no-baselines", is_flag=True, help="Leave out independent variables and latent classes.")
@seed_option
@json_option
def command(
    table: TableReader,
    files: tuple[Path, ...],
    what: str,
    folds: int,
    chains: int,
    warmup: int,
    draws: int,
    no_baselines: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Compare models of TABLE by the log probability of held-out cells or rows; larger is better."""
    from hiddencauses.model.spec import DEFAULT_SPEC, ModelSpec, read_spec
    from hiddencauses.posterior import compare

    specs = {str(path): read_spec(path) for path in files}
    found = compare(
        table.read(),
        specs or {"default": DEFAULT_SPEC, "paper": ModelSpec.paper()},
        what=what,
        folds=folds,
        with_baselines=not no_baselines,
        seed=seed,
        draws=draws,
        warmup=warmup,
        chains=chains,
    )
    if as_json:
        print_json({"what": found.what, "seed": found.seed, "models": found.to_frame().to_pylist()})
        return
    print_frame(found.to_frame())
    message(f"log probability of a held-out {what.removesuffix('s')}, natural logarithm (seed {found.seed})")
