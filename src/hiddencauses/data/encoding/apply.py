"""Apply an encoding: a raw source in, a table of yes/no variables out, with a report of what was done."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from hiddencauses.data.encoding.columns import match_columns
from hiddencauses.data.encoding.encoding import Encoding
from hiddencauses.data.encoding.fitted import FittedEncoding
from hiddencauses.data.encoding.stream import encoded_stream
from hiddencauses.data.raw import RawSource
from hiddencauses.data.table import Table
from hiddencauses.errors import InputError

__all__ = ["Encoded", "EncodingReport", "apply_encoding"]


@dataclass(frozen=True, slots=True)
class EncodingReport:
    """What encoding a raw table did.

    Attributes
    ----------
    source
        The raw table's name.
    rows
        Rows of the encoded table.
    raw_columns
        Columns of the raw table.
    made
        How many variables the encoding makes.
    kept
        The variables of the encoded table.
    dropped
        Variables left out because no row expressed them when the encoding was fitted.
    left_out
        Raw columns left out (`kind = "drop"`).
    carried
        Columns carried along.
    newly_expressed
        Variables left out before that rows of this table do express (only for a fitted encoding).
    """

    source: str
    rows: int
    raw_columns: int
    made: int
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    left_out: tuple[str, ...]
    carried: tuple[str, ...]
    newly_expressed: tuple[str, ...]

    def lines(self) -> list[str]:
        """Say it in a few lines."""
        said = [
            f"{self.source}: {self.raw_columns} raw columns made {self.made} yes/no variables, "
            f"of which {len(self.kept)} are kept, in {self.rows} rows"
        ]
        if self.dropped:
            said.append(f"dropped, never expressed ({len(self.dropped)}): {', '.join(self.dropped)}")
        if self.left_out:
            said.append(f"raw columns left out ({len(self.left_out)}): {', '.join(self.left_out)}")
        if self.carried:
            said.append(f"carried along, not modelled ({len(self.carried)}): {', '.join(self.carried)}")
        if self.newly_expressed:
            said.append(
                f"warning: expressed here, but not when the encoding was fitted, so left out "
                f"({len(self.newly_expressed)}): {', '.join(self.newly_expressed)}"
            )
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "schema": "hiddencauses/encoding-report/1",
            "source": self.source,
            "rows": self.rows,
            "raw_columns": self.raw_columns,
            "made": self.made,
            "kept": list(self.kept),
            "dropped": list(self.dropped),
            "left_out": list(self.left_out),
            "carried": list(self.carried),
            "newly_expressed": list(self.newly_expressed),
        }


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoded table, what was done, and the encoding to give new data the same variables."""

    table: Table
    report: EncodingReport
    fitted: FittedEncoding


def apply_encoding(
    raw: RawSource, encoding: Encoding | FittedEncoding, *, drop_unexpressed: bool = True
) -> Encoded:
    """Make yes/no variables of a raw table, batch by batch.

    Parameters
    ----------
    raw
        The raw table, from `open_raw`; it is gone through once.
    encoding
        An encoding, or one that was fitted to earlier data: then the table gets the variables kept then,
        in the same order, expressed or not.
    drop_unexpressed
        Whether to leave out variables that are 1 in no row. A fitted encoding has decided that already.

    Returns
    -------
    Encoded
        The table, a report, and the fitted encoding.
    """
    with closing(raw):
        if isinstance(encoding, FittedEncoding):
            return _apply_again(raw, encoding)
        return _apply_first(raw, encoding, drop_unexpressed)


def _apply_first(raw: RawSource, encoding: Encoding, drop_unexpressed: bool) -> Encoded:
    rules = match_columns(encoding, raw.columns, raw.name)
    full = _assemble(raw, rules)
    expressed = full.ones_per_column() > 0
    if drop_unexpressed and not expressed.any():
        raise InputError(
            f"none of the {full.n_variables} variables is 1 in any row",
            source=raw.name,
            rule="an encoded table keeps the variables that some row expresses",
            fix=f"check yes, levels and thresholds in {encoding.source}",
        )
    keep = expressed | (not drop_unexpressed)
    kept, dropped = _names(full, keep), _names(full, ~keep)
    table = full.with_variables(kept)
    fitted = FittedEncoding(rules, kept, dropped, PurePath(raw.name).name, table.n_rows)
    return Encoded(table, _report(raw, rules, table, dropped, ()), fitted)


def _apply_again(raw: RawSource, fitted: FittedEncoding) -> Encoded:
    unused = [
        name
        for name, rule in fitted.encoding.variable_rules().items()
        if not set(rule.variables(name)) & set(fitted.kept)
    ]
    rules = match_columns(fitted.encoding, raw.columns, raw.name, may_be_absent=unused)
    full = _assemble(raw, rules, fitted=True)
    new = set(_names(full, full.ones_per_column() > 0)) & set(fitted.dropped)
    newly = tuple(name for name in fitted.dropped if name in new)
    table = full.with_variables(fitted.kept)
    return Encoded(table, _report(raw, rules, table, fitted.dropped, newly), fitted)


def _assemble(raw: RawSource, rules: Encoding, *, fitted: bool = False) -> Table:
    from hiddencauses.data.assemble import assemble

    ids, counts = rules.of_kind("id"), rules.of_kind("count")
    return assemble(
        encoded_stream(raw, rules, fitted=fitted),
        id_column=ids[0] if ids else None,
        carry=tuple(rules.carried().values()),
        count_column=counts[0] if counts else None,
    )


def _names(table: Table, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[str, ...]:
    return tuple(name for name, yes in zip(table.columns, chosen, strict=True) if yes)


def _report(
    raw: RawSource, rules: Encoding, table: Table, dropped: tuple[str, ...], newly: tuple[str, ...]
) -> EncodingReport:
    return EncodingReport(
        source=raw.name,
        rows=table.n_rows,
        raw_columns=len(raw.columns),
        made=len(rules.variables()),
        kept=table.columns,
        dropped=dropped,
        left_out=tuple(name for name in rules.of_kind("drop") if name in raw.columns),
        carried=tuple(rules.carried().values()),
        newly_expressed=newly,
    )
