"""What a run was asked for and made with: `settings.json`."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddencauses.errors import DamagedRunError, FormatVersionError, NotARunError, SpecError
from hiddencauses.files import atomic_write
from hiddencauses.model.spec import ModelSpec
from hiddencauses.model.world import World
from hiddencauses.runs.blocks import Shape
from hiddencauses.runs.layout import settings_file

if TYPE_CHECKING:
    from hiddencauses.sampling.plan import Plan

__all__ = ["SCHEMA", "Settings", "TableFacts", "read_settings", "versions", "write_settings"]

_FAMILY, _VERSION = "hiddencauses/run/", 1
SCHEMA = f"{_FAMILY}{_VERSION}"
#: Packages that have a hand in what is drawn.
DRAWING = ("hiddencauses", "numpy", "numba", "scipy")


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What identifies a table.

    Attributes
    ----------
    source
        Where it was read from.
    source_digest
        SHA-256 of that file, if it is one.
    rows, columns
        How many rows, and the names of the variables.
    fingerprint
        Digest of cells and names.
    """

    source: str
    source_digest: str | None
    rows: int
    columns: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run was asked for and made with.

    Attributes
    ----------
    run
        A name of its own, in every file that belongs to it.
    spec, sampler, chains, warmup, seed, max_new
        As `fit` takes them.
    init
        Where chains start, in words; the starts themselves are the first checkpoints.
    draws
        Draws asked for; the most, with `until`.
    until
        What must be reached to stop earlier, by name (`runs.until`), or None.
    activity_every
        Of every how many draws the activity is kept.
    table
        What identifies the table.
    versions
        Of Python and the packages that draw.
    """

    run: str
    spec: ModelSpec
    sampler: str
    chains: int
    warmup: int
    seed: int
    max_new: int | None
    init: str
    draws: int
    until: dict[str, float] | None
    activity_every: int
    table: TableFacts
    versions: dict[str, str]

    @classmethod
    def of(
        cls, plan: Plan, *, run: str, until: dict[str, float] | None, activity_every: int, table: TableFacts
    ) -> Settings:
        """Return the settings of a new run."""
        return cls(
            run=run,
            spec=plan.spec,
            sampler=plan.sampler,
            chains=plan.chains,
            warmup=plan.warmup,
            seed=plan.seed,
            max_new=plan.max_new,
            init="world" if isinstance(plan.init, World) else plan.init,
            draws=plan.draws,
            until=until,
            activity_every=activity_every,
            table=table,
            versions=versions(),
        )

    @property
    def shape(self) -> Shape:
        """What its draws look like on disk."""
        return Shape.of(
            self.spec,
            n_rows=self.table.rows,
            n_variables=len(self.table.columns),
            every=self.activity_every,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        table = asdict(self.table) | {"columns": list(self.table.columns)}
        return {"schema": SCHEMA} | plain | {"spec": self.spec.to_dict(), "table": table}


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that draw."""
    return {"python": platform.python_version(), **{name: version(name) for name in DRAWING}}


def write_settings(settings: Settings, folder: Path) -> None:
    """Write `settings.json`, whole or not at all."""
    text = json.dumps(settings.to_dict(), indent=2, ensure_ascii=False)
    with atomic_write(settings_file(folder), force=True) as stream:
        stream.write(text.encode() + b"\n")


def read_settings(folder: Path) -> Settings:
    """Read the settings of a run, refusing a folder that is none."""
    path = settings_file(folder)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise NotARunError(f"{folder} {what}; give the folder of a run, as hiddencauses fit --out makes it")
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        schema = plain["schema"]
    except FileNotFoundError:
        raise NotARunError(
            f"{folder} is not a run (it has no {path.name}); give a folder that hiddencauses fit --out made"
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise NotARunError(f"{path} cannot be read as the settings of a run; is {folder} a run?") from None
    if schema != SCHEMA:
        if not str(schema).startswith(_FAMILY):
            raise NotARunError(f"{path} belongs to something else ({schema!r}); give the folder of a run")
        raise FormatVersionError(
            f"{folder} is a run in format {str(schema).removeprefix(_FAMILY)} and this version of "
            f"hiddencauses reads format {_VERSION}; use the version that made it, or fit again"
        )
    try:
        return _from_plain(plain)
    except (KeyError, TypeError, ValueError, SpecError):
        raise DamagedRunError(f"{path} is damaged; restore it from a copy, or fit again") from None


def _from_plain(plain: dict[str, Any]) -> Settings:
    plain = dict(plain)
    del plain["schema"]
    table = dict(plain.pop("table"))
    table["columns"] = tuple(table["columns"])
    return Settings(**plain | {"spec": ModelSpec.from_dict(plain["spec"]), "table": TableFacts(**table)})
