"""Every exception and warning class of the package.

A user's mistake is a `UserError`: the command line prints its message as one line and exits with 2.
Anything else that escapes is our bug. Warnings derive from `HiddenCausesWarning`, so that each kind
can be silenced or turned into an error by its class.
"""

from __future__ import annotations

__all__ = [
    "AllMissingWarning",
    "ChainsDisagreeWarning",
    "ChangedTableWarning",
    "ConstantColumnWarning",
    "ConvergenceWarning",
    "DamagedRunError",
    "DiskSpaceWarning",
    "FewEffectiveDrawsWarning",
    "FormatVersionError",
    "HiddenCausesError",
    "HiddenCausesWarning",
    "InputError",
    "MissingExtraError",
    "NotARunError",
    "OtherVersionsWarning",
    "OutputError",
    "RunError",
    "RunInUseError",
    "RunStoppedError",
    "SpecError",
    "UnreliableWeightsWarning",
    "UserError",
]


class HiddenCausesError(Exception):
    """Base class of every error this package raises on purpose."""


class UserError(HiddenCausesError, ValueError):
    """Something the user can put right: an option, a file, a value."""


class SpecError(UserError):
    """A model specification that is malformed or contradicts itself."""


class OutputError(UserError):
    """An output that exists already, or cannot be written."""


class RunError(UserError):
    """Something about a run's folder."""


class NotARunError(RunError):
    """A folder that is no run, or none at all."""


class FormatVersionError(RunError):
    """A file of a run in another version of its format."""


class DamagedRunError(RunError):
    """A file of a run that is damaged, missing, or belongs to another run."""


class RunInUseError(RunError):
    """A run that another process is working on."""


class RunStoppedError(RunError):
    """A run that could not go on: a full disk, a folder removed. What it had drawn is kept."""


class MissingExtraError(UserError, ImportError):
    """An optional dependency is needed; the message holds the install command."""


class InputError(UserError):
    """A table (file, frame or array) that cannot be taken as it is.

    Parameters
    ----------
    what
        What is wrong, as a clause without a full stop.
    source
        The file (or "table" for something in memory).
    row
        The data row, counted from 1 below the header.
    column
        The column's name.
    value
        The offending value, shown shortened.
    rule
        The rule that it breaks.
    fix
        What to do next.
    """

    def __init__(
        self,
        what: str,
        *,
        source: str | None = None,
        row: int | None = None,
        column: str | None = None,
        value: object = None,
        rule: str | None = None,
        fix: str | None = None,
    ) -> None:
        self.what, self.source, self.row, self.column = what, source, row, column
        self.value, self.rule, self.fix = value, rule, fix
        place = [] if source is None else [source]
        if row is not None:
            place.append(f"row {row}")
        if column is not None:
            place.append(f"column {shorten(column)}")
        said = what if value is None else f"{shorten(value)} {what}"
        text = f"{', '.join(place)}: {said}" if place else said
        super().__init__("; ".join([text, *(part for part in (rule, fix) if part)]))

    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the parts, so that the error survives a process border."""
        return (
            _rebuild_input_error,
            (type(self), self.what, self.source, self.row, self.column, self.value, self.rule, self.fix),
        )


def _rebuild_input_error(
    kind: type[InputError],
    what: str,
    source: str | None,
    row: int | None,
    column: str | None,
    value: object,
    rule: str | None,
    fix: str | None,
) -> InputError:
    return kind(what, source=source, row=row, column=column, value=value, rule=rule, fix=fix)


def shorten(value: object, limit: int = 40) -> str:
    """Show a value in quotes on one line, cut to `limit` characters."""
    text = value if isinstance(value, str) else repr(value)
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(text) if isinstance(value, str) else text.replace("\n", " ")


class HiddenCausesWarning(UserWarning):
    """Base class of every warning this package gives."""


class ConstantColumnWarning(HiddenCausesWarning):
    """A variable that is the same in every row: legal, but it says little and costs time."""


class AllMissingWarning(HiddenCausesWarning):
    """A row or column with every cell missing: legal, but it carries no information."""


class ConvergenceWarning(HiddenCausesWarning):
    """Chains that disagree, or too few effective draws."""


class ChainsDisagreeWarning(ConvergenceWarning):
    """Chains of one run that tell different things: it is not to be relied on yet."""


class FewEffectiveDrawsWarning(ConvergenceWarning):
    """Draws so alike that they are worth few independent ones: means and intervals are rough."""


class UnreliableWeightsWarning(HiddenCausesWarning):
    """Importance weights that a few draws dominate: what is computed with them may be far off."""


class DiskSpaceWarning(HiddenCausesWarning):
    """A run that is likely to need more room than the disk has."""


class ChangedTableWarning(HiddenCausesWarning):
    """A file that has changed since a run was fitted to it; the run goes on with its own copy."""


class OtherVersionsWarning(HiddenCausesWarning):
    """A run that goes on with other versions of the packages that draw: valid, but not bit for bit."""
