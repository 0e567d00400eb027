"""`hiddencauses inspect`: describe a table, or draft an encoding for a raw one."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hiddencauses.cli.options import TableReader, force_option, json_option, reads_table
from hiddencauses.cli.output import message, print_json
from hiddencauses.cli.tabular import print_heading, print_line, print_rows
from hiddencauses.errors import HiddenCausesWarning, UserError

if TYPE_CHECKING:
    from hiddencauses.data.inspection import Inspection, Pair, VariableCount

__all__ = ["command", "show_inspection"]


@click.command(
    "inspect",
    epilog="\b\nExamples:\n  hiddencauses inspect dataset:nhefs\n"
    "  hiddencauses inspect raw.csv --draft encoding.toml",
)
@reads_table
@click.option(
    "--draft",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read TABLE as raw columns of any kind and write a draft of their encoding to FILE.",
)
@force_option
@json_option
def command(table: TableReader, draft: Path | None, force: bool, as_json: bool) -> None:
    """Describe a table of yes/no observations: its shape, what is odd about it, what matters for the model.

    With --draft, look at raw columns (grades, sides, categories, measurements) instead, and write a file
    that says how to make yes/no columns of them, for you to check and to give to `encode`.
    """
    if draft is not None:
        _draft(table, draft, force=force, as_json=as_json)
        return
    if force:
        raise UserError("--force replaces the file that --draft writes; inspect writes none without --draft")
    from hiddencauses.data.inspection import inspect_table

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HiddenCausesWarning)  # the description says the same and more
        inspection = inspect_table(table.read())
    if as_json:
        print_json(inspection.to_dict())
    else:
        show_inspection(inspection)


def _draft(table: TableReader, target: Path, *, force: bool, as_json: bool) -> None:
    from hiddencauses.data.encoding import draft_encoding, parse_encoding
    from hiddencauses.data.readers import open_raw
    from hiddencauses.files import atomic_write
    from hiddencauses.validation import check_output

    useless = {
        "--json": as_json,
        "--id": table.id_column,
        "--carry": table.carry,
        "--count": table.count_column,
        "--events": table.events,
        "--item": table.item_column,
        "--drop-constant": table.drop_constant,
    }
    for option, given in useless.items():
        if given:
            raise UserError(
                f"{option} has no meaning with --draft: the draft itself says what each column is"
            )
    check_output(target, force=force)
    text = draft_encoding(open_raw(table.source, delimiter=table.delimiter))
    with atomic_write(target, force=force) as stream:
        stream.write(text.encode())
    encoding = parse_encoding(text, str(target))
    message(
        f"wrote {target}; check it, then: hiddencauses encode {shlex.quote(table.source)} "
        f"--encoding {shlex.quote(str(target))} --out TABLE.csv"
    )
    undecided = encoding.of_kind("undecided")
    if undecided:
        message(
            f"to be decided by you first, as its comments explain ({len(undecided)}): {', '.join(undecided)}"
        )


# -- showing ---------------------------------------------------------------------------------------


def show_inspection(seen: Inspection) -> None:
    """Print a description of a table."""
    print_line(f"{seen.source}: {seen.rows} rows × {seen.variables} variables")
    facts = [
        ("ones among the known cells", _percent(seen.density)),
        ("missing cells", _percent(seen.missing_share)),
        ("ones in a row, on average", f"{seen.ones_per_row:.2f}"),
        ("different rows", f"{seen.distinct_rows} (the commonest occurs {seen.largest_repeat} times)"),
        ("rows without a 1", str(seen.rows_without_ones)),
        ("carried along", ", ".join(seen.carried) or "nothing"),
    ]
    width = max(len(name) for name, _ in facts)
    for name, fact in facts:
        print_line(f"  {name.ljust(width)}  {fact}")
    _show_variables("Commonest variables", seen.commonest)
    shown = {v.name for v in seen.commonest}
    _show_variables("Rarest variables", tuple(v for v in seen.rarest if v.name not in shown))
    note = f" ({seen.pairs_from})" if seen.pairs_from else ""
    _show_pairs(f"Most surely together{note}", seen.together)
    _show_pairs(f"Most surely apart{note}", tuple(pair for pair in seen.apart if pair.z <= -2))
    print_heading("What matters for the model")
    for notice in seen.warnings:
        print_line(f"  {notice.message}")
    if not seen.warnings:
        print_line("  nothing odd")


def _show_variables(heading: str, variables: tuple[VariableCount, ...]) -> None:
    if not variables:
        return
    print_heading(heading)
    rows = [(v.name, v.ones, v.known, _percent(v.share)) for v in variables]
    print_rows(("variable", "ones", "known", "share"), rows, right=(1, 2, 3))


def _show_pairs(heading: str, pairs: tuple[Pair, ...]) -> None:
    if not pairs:
        return
    print_heading(heading)
    rows = [
        (p.first, p.second, p.together, f"{p.expected:.1f}", f"{p.log_odds_ratio:.2f}", f"{p.z:.1f}")
        for p in pairs
    ]
    print_rows(("variable", "with", "together", "expected", "log odds ratio", "z"), rows, right=(2, 3, 4, 5))


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.1%}"
