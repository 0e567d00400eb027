"""Every check on user input, each written once.

Callers are the doors of the package: the model specification, the readers, the command line and the
Python functions. A check returns the value in the type the rest of the package works with, or raises
a `UserError` that says what is wrong, where, the rule, and what to do next.
"""

from __future__ import annotations

import math
import numbers
import os
import shlex
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from hiddencauses.errors import InputError, OutputError, SpecError, UserError, shorten

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = [
    "check_at_least",
    "check_choice",
    "check_column",
    "check_delimiter",
    "check_ending",
    "check_fitted_table",
    "check_flag",
    "check_folder",
    "check_folds",
    "check_groups",
    "check_held_cells",
    "check_known_cells",
    "check_known_keys",
    "check_links",
    "check_names",
    "check_not_input",
    "check_output",
    "check_positive",
    "check_probability",
    "check_rate",
    "check_rising_numbers",
    "check_row",
    "check_row_ids",
    "check_same_columns",
    "check_seed",
    "check_shape",
    "check_size",
    "check_specs",
    "check_text",
    "check_total_count",
    "check_until",
    "refuse_cell",
]

SEED_LIMIT = 2**64
VARIABLE_LIMIT = 200_000
#: Cells of a table: two bits each, so 16 GB at most.
CELL_LIMIT = 2**36
#: Rows of a table, and those with names that counts may add up to.
ROW_LIMIT, NAMED_ROW_LIMIT = 10**8, 10**7


# -- numbers ---------------------------------------------------------------------------------------


def is_number(value: object) -> bool:
    """Tell a real number from everything else; True and False are not numbers here."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_probability(name: str, value: object) -> float:
    """A probability strictly between 0 and 1."""
    if not is_number(value) or not 0.0 < float(value) < 1.0:  # type: ignore[arg-type]
        raise SpecError(
            f"{name} is {shorten(value)}; a probability lies strictly between 0 and 1, for example 0.9"
        )
    return float(value)  # type: ignore[arg-type]


def check_rate(name: str, value: object) -> float:
    """A share that may be 0 but not 1."""
    if not is_number(value) or not 0.0 <= float(value) < 1.0:  # type: ignore[arg-type]
        raise UserError(f"{name} is {shorten(value)}; a rate is at least 0 and below 1, for example 0.1")
    return float(value)  # type: ignore[arg-type]


def check_positive(name: str, value: object) -> float:
    """A finite number above 0."""
    if not is_number(value) or not 0.0 < float(value) < math.inf:  # type: ignore[arg-type]
        raise SpecError(f"{name} is {shorten(value)}; it must be a finite number above 0")
    return float(value)  # type: ignore[arg-type]


def check_at_least(name: str, value: object, least: int) -> int:
    """A whole number of at least `least`."""
    if not is_number(value) or not math.isfinite(float(value)) or int(value) != value or value < least:  # type: ignore[arg-type, operator, call-overload]
        raise UserError(f"{name} is {shorten(value)}; it must be a whole number of at least {least}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def check_seed(value: object) -> int:
    """A seed: a whole number from 0 to 2**64 − 1."""
    if not is_number(value) or not isinstance(value, numbers.Integral) or not 0 <= int(value) < SEED_LIMIT:
        raise UserError(f"seed is {shorten(value)}; it must be a whole number from 0 to 2**64 - 1")
    return int(value)


def check_rising_numbers(name: str, value: object) -> tuple[float, ...]:
    """Check one finite number or a list of different ones, and return them in rising order."""
    given: Sequence[Any] = value if isinstance(value, (list, tuple)) else [value]
    for number in given:
        if not is_number(number) or not -1e300 < number < 1e300:
            raise UserError(
                f"{name} has {shorten(number)}; give a number or a list of numbers, such as [140, 160]"
            )
    if not given or len(set(given)) < len(given):
        raise UserError(f"{name} is {shorten(value)}; give at least one number, and none twice")
    return tuple(sorted(given))


def check_until(value: object) -> dict[str, float]:
    """What a run is to reach before it stops: R-hat, effective draws, or both."""
    example = "give rhat, ess or both, for example rhat=1.01,ess=400"
    given: dict[str, object] = {}
    if isinstance(value, str):
        for part in value.split(","):
            name, _, number = part.partition("=")
            if name.strip() in given:
                raise UserError(f"until names {name.strip()} twice; {example}")
            try:
                given[name.strip()] = float(number)
            except ValueError:
                raise UserError(f"until has {shorten(part)}; {example}") from None
    elif isinstance(value, Mapping):
        given = dict(value)
    if not given or not set(given) <= {"rhat", "ess"}:
        raise UserError(f"until is {shorten(value)}; {example}")
    least = {"rhat": 1.0, "ess": 0.0}
    for name, level in given.items():
        if not is_number(level) or not least[name] < level < math.inf:  # type: ignore[operator]
            raise UserError(f"until has {name}={level}; it must be a number above {least[name]:g}; {example}")
    return {name: float(given[name]) for name in ("rhat", "ess") if name in given}  # type: ignore[arg-type]


# -- words -----------------------------------------------------------------------------------------


def check_choice(name: str, value: object, choices: Sequence[str]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise SpecError(f"{name} is {shorten(value)}; choose one of {', '.join(choices)}")
    return value


def check_flag(name: str, value: object) -> bool:
    """True or false, and nothing that could pass for it."""
    if not isinstance(value, bool):
        raise UserError(f"{name} is {shorten(value)}; it must be true or false")
    return value


def check_text(name: str, value: object) -> str:
    """A text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{name} is {shorten(value)}; it must be a text that is not blank")
    return value.strip()


def check_known_keys(name: str, keys: Iterable[str], known: Sequence[str]) -> None:
    """No key that nothing reads: it would be an option that does nothing."""
    for key in keys:
        if key not in known:
            raise SpecError(f"{name} has an unknown key {shorten(key)}; known keys are {', '.join(known)}")


def check_delimiter(value: object) -> str:
    """One character that can separate cells; the words tab and space are understood."""
    named = {"tab": "\t", "\\t": "\t", "space": " "}
    mark = named.get(value, value) if isinstance(value, str) else value
    if not isinstance(mark, str) or len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0':
        raise UserError(
            f"delimiter is {shorten(value)}; it must be one plain character, for example ',' or ';' or tab"
        )
    return mark


# -- tables ----------------------------------------------------------------------------------------


def check_names(names: Sequence[str], source: str) -> tuple[str, ...]:
    """Column names: none empty, none twice."""
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise InputError(
                f"column {position} has no name",
                source=source,
                rule="every column needs a name",
                fix="name it in the header",
            )
    _refuse_unwritable(names, source)
    _refuse_repeats(
        names,
        "is the name of {n} columns",
        source,
        rule="column names must differ",
        fix="the first line looks like cells: put a line of names above it"
        if all(name.strip() in ("0", "1", "0.0", "1.0") for name in names)
        else "rename all but one in the header",
    )
    return tuple(names)


def check_row_ids(ids: Sequence[str], source: str) -> tuple[str, ...]:
    """Row names: none empty, none twice."""
    for row, name in enumerate(ids, start=1):
        if not name.strip():
            raise InputError(
                "the row has no id",
                source=source,
                row=row,
                rule="an id column is filled in every row",
                fix="fill it, or leave the id column out",
            )
    _refuse_unwritable(ids, source)
    _refuse_repeats(
        ids,
        "is the id of {n} rows",
        source,
        rule="row ids must differ",
        fix="make them unique, or carry the column along instead",
    )
    return tuple(ids)


def _refuse_repeats(names: Sequence[Hashable], what: str, source: str, *, rule: str, fix: str) -> None:
    if len(set(names)) == len(names):
        return
    name, n = Counter(names).most_common(1)[0]
    places = [i + 1 for i, other in enumerate(names) if other == name]
    what = what.format(n=n) + f" (the first two are {places[0]} and {places[1]})"
    raise InputError(what, source=source, value=name, rule=rule, fix=fix)


def _refuse_unwritable(names: Sequence[str], source: str) -> None:
    """Refuse names that no text file can hold: zero characters and halves of surrogate pairs."""
    for position, name in enumerate(names, start=1):
        if "\0" in name or (not name.isascii() and any("\ud800" <= c <= "\udfff" for c in name)):
            raise InputError(
                f"is name number {position} and holds a character that cannot be written as text",
                source=source,
                value=name.encode("unicode_escape").decode("ascii"),
                rule="names are plain Unicode text",
                fix="rename it",
            )


def check_column(name: str, columns: Sequence[str], source: str) -> str:
    """A column that is there."""
    if name not in columns:
        near = get_close_matches(str(name), columns, n=3, cutoff=0.5)
        shown = near or list(columns[:5])
        listed = ", ".join(shorten(column) for column in shown)
        more = f" and {len(columns) - len(shown)} more" if not near and len(columns) > len(shown) else ""
        raise InputError(
            f"there is no column {shorten(name)}",
            source=source,
            rule=f"did you mean {listed}?" if near else f"the columns are {listed}{more}",
        )
    return name


def check_same_columns(
    given: Sequence[str], needed: Sequence[str], source: str, *, may_lack_some: bool
) -> tuple[str, ...]:
    """New rows have the variables that were fitted; return those they lack, where that is allowed."""
    absent = tuple(name for name in needed if name not in set(given))
    extra = [name for name in given if name not in set(needed)]
    if extra:
        near = get_close_matches(extra[0], absent, n=1, cutoff=0.5)
        raise InputError(
            f"the column {shorten(extra[0])} was not fitted"
            if len(extra) == 1
            else f"{len(extra)} columns were not fitted, such as {shorten(extra[0])}",
            source=source,
            rule=f"the fitted {shorten(near[0])} is not there"
            if near
            else "new rows have the fitted variables",
            fix="rename the column if that is what it is"
            if near
            else "leave out what was not fitted, or carry it beside the table (--carry)",
        )
    if absent and (not may_lack_some or len(absent) == len(needed)):
        raise InputError(
            f"the fitted variable {shorten(absent[0])} is not there"
            if len(absent) == 1
            else f"{len(absent)} fitted variables are not there, such as {shorten(absent[0])}",
            source=source,
            rule="new rows have the fitted variables",
            fix="none of them is there, so nothing can be said"
            if len(absent) == len(needed)
            else "add them, or take what is not there as unobserved (--missing-columns-unobserved, "
            "missing_columns_are_unobserved=True)",
        )
    return absent


def check_fitted_table(
    n_rows: int, columns: Sequence[str], fitted_rows: int, fitted_columns: Sequence[str], source: str
) -> None:
    """The table that a run was fitted to, where its rows are needed."""
    if n_rows != fitted_rows or tuple(columns) != tuple(fitted_columns):
        raise InputError(
            f"the table has {n_rows} rows and {len(columns)} variables, and the run is of one with "
            f"{fitted_rows} rows and {len(fitted_columns)}",
            source=source,
            rule="the very table that was fitted is needed",
            fix="give that one, with its columns as they were",
        )


def check_held_cells(held: NDArray[np.bool_], hidden: NDArray[np.bool_], known: NDArray[np.bool_]) -> None:
    """Cells to be scored: hidden from the fit, and known."""
    if held.shape != hidden.shape:
        raise UserError(f"held is {held.shape}; it must be rows × variables, {hidden.shape}")
    if not held.any():
        raise UserError("no cell is held out; hold out at least one")
    for wrong, what in ((held & ~hidden, "was not hidden from the fit"), (held & ~known, "is not known")):
        if wrong.any():
            row, column = (int(place[0]) + 1 for place in wrong.nonzero())
            raise UserError(
                f"the cell of row {row} and variable {column} is to be scored and {what}; "
                "hide cells with with_hidden and score those alone"
            )


def check_folds(folds: int, n_rows: int) -> int:
    """No more parts than there are rows."""
    if folds > n_rows:
        raise UserError(f"folds is {folds} and there are {n_rows} rows; take at most one part for each row")
    return folds


def check_specs(specs: object) -> dict[str, Any]:
    """At least one spec, each under a name."""
    if not isinstance(specs, Mapping) or not specs:
        raise UserError(
            "specs must be a dictionary of names and specs, such as "
            "{'default': DEFAULT_SPEC, 'paper': ModelSpec.paper()}"
        )
    return {check_text("name of a spec", name): spec for name, spec in specs.items()}


def check_groups(column: str, carried: pa.Table | None, source: str, *, most: int) -> list[Any]:
    """A carried column with few values; return them row by row, None where there is none."""
    names = () if carried is None else carried.column_names
    if carried is None or column not in names:
        listed = f"; carried are {', '.join(names)}" if names else ""
        raise InputError(
            f"no column {shorten(column)} is carried{listed}",
            source=source,
            rule="groups are those of a carried column",
            fix=f"read the table with carry=[{column!r}] (--carry {shlex.quote(column)})",
        )
    values = carried.column(column).to_pylist()
    n_groups = len(set(values))
    if n_groups > most:
        raise InputError(
            f"the column has {n_groups:,} different values",
            source=source,
            column=column,
            rule=f"at most {most} groups are compared",
            fix="carry a column of groups, such as age groups in place of ages",
        )
    return list(values)


def check_known_cells(cells: object, columns: Sequence[str]) -> dict[str, int]:
    """Variables that are on, or variables with 0 or 1."""
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise UserError(
            f"known cells are {shorten(cells)}; give names of variables that are on, such as ['fever'], "
            "or names with 0 or 1"
        )
    known = dict(cells) if isinstance(cells, Mapping) else dict.fromkeys(cells, 1)
    for name, value in known.items():
        check_column(name, columns, "the fitted table")
        if value not in (0, 1):
            raise UserError(f"{shorten(name)} is said to be {shorten(value)}; a known cell is 0 or 1")
    return {name: int(value) for name, value in known.items()}


def check_row(row: object, n_rows: int, row_ids: Sequence[str] | None, source: str) -> int:
    """A row's name, or its number counted from 1; return its place counted from 0."""
    if row_ids is not None and isinstance(row, str):
        if row in row_ids:
            return row_ids.index(row)
        near = get_close_matches(row, row_ids[:10_000], n=1)
        raise InputError(
            f"there is no row {shorten(row)}",
            source=source,
            rule=f"did you mean {shorten(near[0])}?" if near else f"the first is {shorten(row_ids[0])}",
        )
    if isinstance(row, str) and row.isdecimal():
        row = int(row)
    if not is_number(row) or not 1 <= row <= n_rows or int(row) != row:  # type: ignore[operator, call-overload]
        raise InputError(
            f"there is no row {shorten(row)}",
            source=source,
            rule=f"rows without names are numbered 1 to {n_rows}"
            if row_ids is None
            else f"give a row's name, such as {shorten(row_ids[0])}, or its number, 1 to {n_rows}",
        )
    return int(row) - 1  # type: ignore[call-overload, no-any-return]


def refuse_cell(
    value: object, *, source: str, row: int, column: str, first_column: bool, others: Sequence[object]
) -> NoReturn:
    """Refuse a cell that is none of yes, no and missing, with the likeliest way out."""
    shown = shlex.quote(column) if column.isprintable() else shorten(column)
    encode = "draft an encoding with `hiddencauses inspect FILE --draft encoding.toml`"
    seen = [other for other in others if other is not None]
    if len(seen) > 2 and len(set(map(str, seen))) == len(seen) and (first_column or isinstance(value, str)):
        fix = f"if the column names the rows say --id {shown}, or {encode}"
    elif isinstance(value, str) and len(value) <= 3:
        fix = f"recode it, or {encode}"
    else:
        fix = f"recode it, keep it beside the table with --carry {shown}, or {encode}"
    raise InputError(
        "is not a yes/no value",
        source=source,
        row=row,
        column=column,
        value=value,
        rule="cells are 0/1, true/false, yes/no, t/f, y/n or present/absent; empty, NA, NaN and null "
        "are missing",
        fix=fix,
    )


def check_size(n_rows: int, n_variables: int, source: str) -> None:
    """No more variables and rows than can be modelled, and no more cells than fit in memory as bits."""
    if n_variables > VARIABLE_LIMIT:
        raise InputError(
            f"the table would have {n_variables:,} variables",
            source=source,
            rule=f"at most {VARIABLE_LIMIT:,} are taken; rows go down and variables across",
            fix="check that the table is not on its side",
        )
    if n_rows > ROW_LIMIT:
        raise InputError(
            f"the table would have {n_rows:,} rows",
            source=source,
            rule=f"at most {ROW_LIMIT:,} are taken",
            fix="check that this is the right file and that it is not damaged",
        )
    if n_rows * n_variables > CELL_LIMIT:
        raise InputError(
            f"the table would have {n_rows:,} rows × {n_variables:,} variables",
            source=source,
            rule=f"at most {CELL_LIMIT:,} cells fit in memory",
            fix="check that this is the right file and that its columns have the right roles",
        )


def check_total_count(total: int, column: str, source: str, *, named: bool) -> None:
    """Counts that add up to a number of rows that can be held."""
    limit = NAMED_ROW_LIMIT if named else ROW_LIMIT
    if total > limit:
        kind = "rows with ids or carried columns" if named else "rows"
        raise InputError(
            f"the counts add up to more than {limit:,} {kind}",
            source=source,
            column=column,
            rule="every counted row is kept as a row of its own",
            fix="check that this is the count column",
        )


def check_shape(n_rows: int, n_variables: int, source: str) -> None:
    """At least one row and one variable."""
    if n_rows == 0 or n_variables == 0:
        missing = "rows" if n_rows == 0 else "variables"
        raise InputError(
            f"the table has no {missing}",
            source=source,
            rule="a table needs at least one row and one variable",
            fix="check that this is the right file and that it is complete",
        )


def check_links(values: object) -> NDArray[np.int8]:
    """Links as variables × causes of 0 and 1, each cause with at least one variable."""
    import numpy as np

    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.zeros(0)
    if array.ndim != 2 or array.shape[0] == 0:
        raise UserError(
            "links must be a two-dimensional array, variables × causes, with at least one variable"
        )
    wrong = np.argwhere(~np.isin(array, (0.0, 1.0)))
    if len(wrong):
        i, k = (int(x) for x in wrong[0])
        raise UserError(
            f"links holds {array[i, k]:g} for variable {i + 1} and cause {k + 1}; a link is 0 or 1"
        )
    unlinked = np.flatnonzero(~array.any(axis=0))
    if len(unlinked):
        raise UserError(f"cause {unlinked[0] + 1} of links drives no variable; leave it out")
    return array.astype(np.int8)


# -- outputs ---------------------------------------------------------------------------------------


def check_output(path: str | Path, *, force: bool) -> Path:
    """A place to write to: absent (or to be replaced on request), in a folder that exists."""
    target = Path(path)
    if target.exists() and not force:
        raise OutputError(
            f"{target} exists already and would be overwritten; choose another name or add --force"
        )
    if not target.parent.is_dir():
        raise OutputError(
            f"{target.parent} is not a folder, so {target.name} cannot be written there; make it first"
        )
    return target


def check_ending(path: str | Path, endings: Sequence[str]) -> str:
    """A file's ending that says in which format it is to be written."""
    ending = Path(path).suffix.lower()
    if ending not in endings:
        raise OutputError(
            f"{path} has an ending that this is not written in; use one of {', '.join(endings)}"
        )
    return ending


def check_not_input(path: str | Path, inputs: Iterable[str | Path]) -> None:
    """Refuse to write over what is being read, even when asked to replace."""
    for given in map(Path, inputs):
        if given.exists() and Path(path).exists() and given.samefile(path):
            raise OutputError(f"{path} is also what is read, and would be lost; choose another name")


def check_folder(path: str | Path) -> Path:
    """A folder to be made or used again, in a folder that exists."""
    target = Path(path)
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target} is a file, and a folder is to be made there; move it away first")
    if not target.parent.is_dir() or not os.access(target if target.exists() else target.parent, os.W_OK):
        raise OutputError(f"{target} cannot be written to; go to a folder of your own first")
    return target
