"""`hiddencauses encode`: make yes/no columns of raw ones."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path

import click

from hiddencauses.cli.options import force_option, json_option, out_option
from hiddencauses.cli.output import message, print_json
from hiddencauses.errors import HiddenCausesWarning

__all__ = ["command"]


@click.command(
    "encode",
    epilog="Example:  hiddencauses encode raw.csv --encoding encoding.toml --out signs.csv",
)
@click.argument("source", metavar="RAW")
@click.option(
    "--encoding",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="TOML from `inspect RAW --draft FILE`, or the .encoding.json beside an encoded table.",
)
@out_option
@click.option("--delimiter", metavar="CHAR", help="What separates cells; guessed when not given.")
@click.option("--keep-unexpressed", is_flag=True, help="Keep variables that are 1 in no row.")
@force_option
@json_option
def command(
    source: str,
    encoding: Path,
    out: Path,
    delimiter: str | None,
    keep_unexpressed: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make yes/no columns of raw ones (grades, sides, categories, measurements), as an encoding says.

    Variables that no row expresses are left out and named. The encoding, with the variables kept, is saved
    as TABLE.encoding.json; give that to --encoding to make the same columns of new data.
    """
    from hiddencauses.data.encoding import FittedEncoding, apply_encoding, read_encoding
    from hiddencauses.data.readers import open_raw
    from hiddencauses.data.writers import write_table
    from hiddencauses.errors import UserError
    from hiddencauses.files import atomic_write
    from hiddencauses.validation import check_not_input, check_output

    saved = out.with_name(out.name + ".encoding.json")
    check_output(out, force=force)
    check_output(saved, force=force)
    check_not_input(out, (source, encoding))
    check_not_input(saved, (source, encoding))
    rules = read_encoding(encoding)
    if keep_unexpressed and isinstance(rules, FittedEncoding):
        raise UserError(f"--keep-unexpressed has no meaning here: {encoding} says which variables to keep")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HiddenCausesWarning)  # `inspect` says it of the table that is made
        raw = open_raw(source, delimiter=delimiter)
        made = apply_encoding(raw, rules, drop_unexpressed=not keep_unexpressed)
    write_table(made.table, out, force=force)
    with atomic_write(saved, force=force) as stream:
        stream.write(made.fitted.to_json().encode())
    for line in made.report.lines():
        message(line)
    carried = (
        "".join(f" --carry {shlex.quote(name)}" for name in made.report.carried)
        if out.suffix not in _TYPED
        else ""
    )
    message(
        f"wrote {out} and {saved}; look at it with: hiddencauses inspect {shlex.quote(str(out))}{carried}"
    )
    if as_json:
        print_json(made.report.to_dict())


#: Formats that say themselves which columns are carried along.
_TYPED = (".parquet", ".pq", ".feather", ".arrow", ".npz")
