"""Match the columns of an encoding with those of a raw table."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Collection, Sequence

from hiddencauses.data.encoding.encoding import Encoding
from hiddencauses.data.encoding.rules import Binary, Carry, ColumnRule, Drop
from hiddencauses.errors import InputError, shorten

__all__ = ["match_columns"]

_RULE_FOR_OTHERS: dict[str, ColumnRule] = {"drop": Drop(), "carry": Carry(), "binary": Binary()}


def match_columns(
    encoding: Encoding, columns: Sequence[str], source: str, *, may_be_absent: Collection[str] = ()
) -> Encoding:
    """Give every raw column a rule and check that every rule has its raw column.

    Parameters
    ----------
    encoding
        The encoding, which may leave some columns to `others`.
    columns
        The raw table's header.
    source
        The raw table's name, for messages.
    may_be_absent
        Columns of the encoding that the raw table need not have.
    """
    _refuse_undecided(encoding)
    for name, rule in encoding.columns.items():
        if name not in columns and rule.kind != "drop" and name not in may_be_absent:
            near = difflib.get_close_matches(name, columns, n=1)
            raise InputError(
                "is in the encoding but not in the table",
                source=source,
                column=name,
                rule=f"every column of {encoding.source} must be there"
                + (f" (is it {near[0]!r}?)" if near else ""),
                fix=f"correct the name, or take the section out of {encoding.source}",
            )
    unlisted = [name for name in columns if name not in encoding.columns]
    if unlisted and encoding.others == "refuse":
        also = f" (and {len(unlisted) - 1} more columns)" if len(unlisted) > 1 else ""
        raise InputError(
            f"is not in the encoding {encoding.source}{also}",
            source=source,
            column=unlisted[0],
            rule="every raw column needs a section",
            fix='add one (kind = "drop" leaves the column out), or set others = "drop" at the top',
        )
    rules = dict(encoding.columns)
    rules.update((name, _RULE_FOR_OTHERS[encoding.others]) for name in unlisted)
    # What was decided here must not be decided anew for the next table: it may have other columns.
    later = "drop" if encoding.others == "drop" else "refuse"
    matched = dataclasses.replace(encoding, columns=rules, others=later)
    if not matched.variables():
        raise InputError(
            "no column makes a variable",
            source=encoding.source,
            rule="an encoding needs a binary, graded, sided, category or numeric column",
            fix="change the kind of the columns that are to be modelled",
        )
    return matched


def _refuse_undecided(encoding: Encoding) -> None:
    waiting = encoding.of_kind("undecided")
    if waiting:
        listed = ", ".join(shorten(name) for name in waiting[:5]) + (", …" if len(waiting) > 5 else "")
        raise InputError(
            f"{len(waiting)} column{'s are' if len(waiting) > 1 else ' is'} undecided: {listed}",
            source=encoding.source,
            rule="their codes can mean different things, which only you can know",
            fix='read the comment above each, and replace kind = "undecided" by one of the kinds offered',
        )
