"""The encoding: what each raw column is and how its values become yes/no cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import MISSING as REQUIRED
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from hiddencauses.data.encoding.checks import check_codes
from hiddencauses.data.encoding.rules import KINDS, ColumnRule, Numeric, Variables
from hiddencauses.data.encoding.toml_text import toml_key, toml_lines
from hiddencauses.data.encoding.words import code_key
from hiddencauses.data.table import MISSING
from hiddencauses.errors import UserError, shorten
from hiddencauses.validation import check_choice, check_known_keys

__all__ = ["MISSING_CODES", "OTHERS", "SCHEMA", "Encoding", "options_of"]

SCHEMA = "hiddencauses/encoding/1"

#: Codes that mean missing when an encoding says nothing else: those of a yes/no table.
MISSING_CODES = ("", "NA", "NaN", "null")

#: What to do with raw columns that the encoding does not list.
OTHERS = ("refuse", "drop", "carry", "binary")


@dataclass(frozen=True)
class Encoding:
    """What each raw column is and how its values become yes/no cells.

    Attributes
    ----------
    columns
        The rule of each raw column, in the order in which the variables are wanted.
    missing
        Codes that mean missing in every column, unless a column lists them itself.
    others
        What becomes of raw columns without a rule: they are refused, dropped, carried along, or read
        as yes/no.
    source
        The file that the encoding came from, for messages.
    """

    columns: Mapping[str, ColumnRule]
    missing: tuple[str, ...] = MISSING_CODES
    others: str = "refuse"
    source: str = field(default="encoding", compare=False)

    def __post_init__(self) -> None:
        """Check what the rules cannot check alone."""
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))
        object.__setattr__(self, "missing", check_codes("missing", self.missing))
        check_choice("others", self.others, OTHERS)
        for kind in ("id", "count"):
            named = self.of_kind(kind)
            if len(named) > 1:
                listed = " and ".join(shorten(name) for name in named[:2])
                raise UserError(
                    f'{listed} are both of kind = "{kind}"; a table has one at most: drop or carry one'
                )
        for name, times in Counter(self.output_columns()).items():
            if times > 1:
                raise UserError(
                    f"{shorten(name)} would be the name of {times} columns of the encoded table; "
                    'give one of the raw columns another with name = "..."'
                )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle: a read-only view of a dictionary cannot be."""
        return Encoding, (dict(self.columns), self.missing, self.others, self.source)

    # -- what comes out ----------------------------------------------------------------------------

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Name the raw columns of these kinds."""
        return tuple(name for name, rule in self.columns.items() if rule.kind in kinds)

    def variable_rules(self) -> dict[str, Variables]:
        """Return the rules that make variables."""
        return {name: rule for name, rule in self.columns.items() if isinstance(rule, Variables)}

    def variables(self) -> tuple[str, ...]:
        """Name the variables, in order."""
        return tuple(v for name, rule in self.variable_rules().items() for v in rule.variables(name))

    def carried(self) -> dict[str, str]:
        """Map each raw column that is carried along to its name in the encoded table."""
        return {name: getattr(self.columns[name], "name", None) or name for name in self.of_kind("carry")}

    def output_columns(self) -> tuple[str, ...]:
        """Name all columns of the encoded table: row ids, count, carried columns, variables."""
        return (*self.of_kind("id"), *self.of_kind("count"), *self.carried().values(), *self.variables())

    # -- values ------------------------------------------------------------------------------------

    def is_missing(self, column: str, text: str) -> bool:
        """Tell whether a value means missing in a column; an empty cell always does."""
        codes = (*self.missing, *getattr(self.columns[column], "missing", ()), "")
        key = code_key(text)
        return any(code_key(code) == key for code in codes)

    def cells(self, column: str, text: str) -> tuple[int, ...] | None:
        """Return the cells (0, 1, `MISSING`) of one value, or None when the encoding does not know it."""
        rule = self.columns[column]
        assert isinstance(rule, Variables)
        # A code for missing can look like a number, so there the codes go first; elsewhere the column's
        # own lists do, so that "" or "9" can be a level of one column and missing in all others.
        if isinstance(rule, Numeric) and self.is_missing(column, text):
            return (MISSING,) * len(rule.thresholds)
        found = rule.cells(text)
        if found is None and self.is_missing(column, text):
            return (MISSING,) * len(rule.variables(column))
        return found

    # -- plain data --------------------------------------------------------------------------------

    def to_dict(self, *, in_full: bool = False) -> dict[str, Any]:
        """Return the encoding as plain data, as it stands in a TOML file.

        `in_full` writes options that have their default value too, so that a saved encoding means the same
        for ever.
        """
        return {
            "schema": SCHEMA,
            "missing": list(self.missing),
            "others": self.others,
            "columns": {
                name: {"kind": rule.kind, **options_of(rule, in_full=in_full)}
                for name, rule in self.columns.items()
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], source: str = "encoding") -> Encoding:
        """Read plain data, refusing what it does not know."""
        check_known_keys(source, data, ("schema", "missing", "others", "columns"))
        if data.get("schema", SCHEMA) != SCHEMA:
            raise UserError(f"{source}: schema is {shorten(data['schema'])}; this version reads '{SCHEMA}'")
        columns = data.get("columns")
        if not isinstance(columns, Mapping) or not columns:
            raise UserError(
                f"{source}: there are no columns; write a [columns.NAME] section for each raw column"
            )
        rules = {name: _rule(name, options, source) for name, options in columns.items()}
        try:
            return cls(rules, data.get("missing", MISSING_CODES), data.get("others", "refuse"), source)
        except UserError as error:
            raise UserError(f"{source}: {error}") from None

    def to_toml(self) -> str:
        """Write the encoding as TOML."""
        data = self.to_dict()
        lines = toml_lines({key: data[key] for key in ("schema", "missing", "others")})
        for name, options in data["columns"].items():
            lines += ["", f"[columns.{toml_key(name)}]", *toml_lines(options)]
        return "\n".join(lines) + "\n"


def options_of(rule: ColumnRule, *, in_full: bool = False) -> dict[str, Any]:
    """Return the options of a rule as plain data: those unlike their defaults, or all that are set."""
    options = {}
    for option in fields(rule):
        value = getattr(rule, option.name)
        if value is not None and (in_full or option.default is REQUIRED or value != option.default):
            options[option.name] = list(value) if isinstance(value, tuple) else value
    return options


def _rule(name: str, options: object, source: str) -> ColumnRule:
    where = f"{source}, column {shorten(name)}"
    if not isinstance(options, Mapping):
        raise UserError(
            f'{where}: this is {shorten(options)}, not a section; write [columns.NAME] and kind = "..."'
        )
    for key, value in options.items():
        if isinstance(value, Mapping):
            raise UserError(
                f"{where}: a section within a section; a name with a dot or a blank goes in quotes, as in "
                f'[columns."{name}.{key}"]'
            )
    if "kind" not in options:
        raise UserError(f"{where}: kind is missing; choose one of {', '.join(KINDS)}")
    kind = KINDS[check_choice(f"{where}: kind", options["kind"], tuple(KINDS))]
    given = {key: value for key, value in options.items() if key != "kind"}
    known = fields(kind)
    check_known_keys(f"{where} (kind {kind.kind})", given, ["kind", *(option.name for option in known)])
    _require(where, given, (option.name for option in known if option.default is REQUIRED))
    try:
        return kind(**given)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None


def _require(where: str, given: Mapping[str, Any], needed: Iterable[str]) -> None:
    for key in needed:
        if key not in given:
            raise UserError(f"{where}: {key} is missing; this kind needs {key} = [...]")
