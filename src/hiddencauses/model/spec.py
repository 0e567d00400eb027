"""The model specification: one frozen, checked value that says which variant of the model is meant."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

from hiddencauses.errors import SpecError, shorten
from hiddencauses.model.priors import Beta, CountPrior, Gamma, Geometric, count_priors, to_plain
from hiddencauses.validation import (
    check_choice,
    check_known_keys,
    check_positive,
    check_probability,
    is_number,
)

__all__ = ["DEFAULT_SPEC", "Finite", "Infinite", "ModelSpec", "as_spec", "read_spec"]

SCHEMA = "hiddencauses/spec/1"

StrengthScope = Literal["shared", "per_cause", "per_link"]
LeakScope = Literal["shared", "per_variable"]
PrevalenceScope = Literal["shared", "per_cause"]


@dataclass(frozen=True, slots=True)
class Infinite:
    """No bound on the number of causes: the Indian buffet process."""

    kind: ClassVar[str] = "infinite"


@dataclass(frozen=True, slots=True)
class Finite:
    """A finite but unknown number of causes, with a prior on it (geometric(0.1) on K ≥ 1 by default)."""

    kind: ClassVar[str] = "finite"
    prior_on_k: CountPrior = field(default_factory=Geometric)

    def __post_init__(self) -> None:
        if not isinstance(self.prior_on_k, CountPrior):
            raise SpecError(
                f"prior_on_k is {shorten(self.prior_on_k)}; give one of "
                f"{', '.join(kind.__name__ for kind in count_priors().values())}, for example Geometric(0.1)"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSpec:
    """Which variant of the model is meant, with its priors.

    A probability or the concentration is either a prior (to be inferred) or a plain number (fixed, for
    all causes, links or variables alike). Every combination of the fields is a legal model.

    Parameters
    ----------
    strength
        λ, the probability that an active cause switches a linked variable on.
    leak
        ε, the probability that a variable is on with no cause at work.
    prevalence
        p, the probability that a cause is at work in a row.
    concentration
        α, which governs how many links there are.
    strength_scope
        One strength for all, one per cause, or one per link.
    leak_scope
        One leak for all, or one per variable.
    prevalence_scope
        One prevalence for all, or one per cause.
    causes
        `Infinite()`, or `Finite(prior_on_k)`.

    Examples
    --------
    >>> ModelSpec(leak=0.01, strength_scope="per_cause").leak
    0.01
    >>> ModelSpec.from_json(ModelSpec.paper().to_json()) == ModelSpec.paper()
    True
    """

    strength: Beta | float = field(default_factory=lambda: Beta(1, 1))
    leak: Beta | float = field(default_factory=lambda: Beta(1, 1))
    prevalence: Beta | float = field(default_factory=lambda: Beta(1, 1))
    concentration: Gamma | float = field(default_factory=lambda: Gamma(1, 1))
    strength_scope: StrengthScope = "shared"
    leak_scope: LeakScope = "shared"
    prevalence_scope: PrevalenceScope = "shared"
    causes: Infinite | Finite = field(default_factory=Infinite)

    def __post_init__(self) -> None:
        for name in ("strength", "leak", "prevalence"):
            object.__setattr__(self, name, _prior_or_number(name, getattr(self, name), Beta))
        object.__setattr__(
            self, "concentration", _prior_or_number("concentration", self.concentration, Gamma)
        )
        for name, choices in _SCOPES.items():
            check_choice(name, getattr(self, name), choices)
        if not isinstance(self.causes, (Infinite, Finite)):
            raise SpecError(f"causes is {shorten(self.causes)}; give Infinite() or Finite(prior_on_k)")

    @classmethod
    def paper(cls) -> ModelSpec:
        """Return the model of the paper's section 6: everything shared, flat priors, unbounded causes."""
        return cls()

    def with_fixed(self, **parameters: float) -> ModelSpec:
        """Return this spec with some parameters fixed at plain numbers."""
        return replace(self, **parameters)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """Return the spec as plain data."""
        plain: dict[str, Any] = {"schema": SCHEMA}
        for item in fields(self):
            value = getattr(self, item.name)
            plain[item.name] = to_plain(value) if isinstance(value, (Beta, Gamma)) else value
        plain["causes"] = {"kind": self.causes.kind}
        if isinstance(self.causes, Finite):
            plain["causes"]["prior_on_k"] = to_plain(self.causes.prior_on_k)
        return plain

    def to_json(self) -> str:
        """Return the spec as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    @classmethod
    def from_dict(cls, plain: Any) -> ModelSpec:
        """Make a spec from plain data; what is left out takes its default."""
        if not isinstance(plain, dict):
            raise SpecError(
                f"a spec is {shorten(plain)}; it must be an object with keys such as strength and leak"
            )
        known = [item.name for item in fields(cls)]
        check_known_keys("the spec", plain, ["schema", *known])
        if plain.get("schema", SCHEMA) != SCHEMA:
            raise SpecError(
                f"the spec has schema {shorten(plain['schema'])}; this version reads {SCHEMA}; "
                "write the spec anew with this version"
            )
        given = {name: _from_plain(name, plain[name]) for name in known if name in plain}
        return cls(**given)

    @classmethod
    def from_json(cls, text: str) -> ModelSpec:
        """Make a spec from JSON text."""
        try:
            plain = json.loads(text)
        except ValueError as error:
            raise SpecError(
                f"the spec is not JSON ({error}); write one with ModelSpec(...).to_json()"
            ) from error
        return cls.from_dict(plain)


_SCOPES = {
    "strength_scope": ("shared", "per_cause", "per_link"),
    "leak_scope": ("shared", "per_variable"),
    "prevalence_scope": ("shared", "per_cause"),
}


def as_spec(spec: ModelSpec | None) -> ModelSpec:
    """Return the spec a door was given, or the default."""
    if spec is None:
        return DEFAULT_SPEC
    if not isinstance(spec, ModelSpec):
        raise SpecError(f"spec is {shorten(spec)}; give a ModelSpec, for example ModelSpec.paper()")
    return spec


def read_spec(path: str | Path) -> ModelSpec:
    """Read a spec from a JSON file."""
    try:
        return ModelSpec.from_json(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SpecError(
            f"{path} cannot be read ({error.strerror}); give the path of a spec in JSON"
        ) from error
    except UnicodeDecodeError as error:
        raise SpecError(f"{path} is not UTF-8 text; a spec is JSON in UTF-8") from error
    except SpecError as error:
        raise SpecError(f"{path}: {error}") from error


def _prior_or_number(name: str, value: object, prior: type[Beta] | type[Gamma]) -> Beta | Gamma | float:
    if isinstance(value, prior):
        return value
    if is_number(value):
        return check_positive(name, value) if prior is Gamma else check_probability(name, value)
    example = "Gamma(1, 1)" if prior is Gamma else "Beta(1, 1)"
    raise SpecError(f"{name} is {shorten(value)}; give a number to fix it, or a prior such as {example}")


def _from_plain(name: str, value: Any) -> Any:
    """Undo `to_plain` for one key of a spec."""
    if name == "causes":
        return _causes_from_plain(value)
    if not isinstance(value, dict):
        return value
    prior: Any = Gamma if name == "concentration" else Beta
    return _prior_from_plain(name, value, {prior.kind: prior})


def _kind(value: Any) -> str | None:
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else None


def _causes_from_plain(value: Any) -> Infinite | Finite:
    if _kind(value) not in ("infinite", "finite"):
        raise SpecError(f'causes is {shorten(value)}; give {{"kind": "infinite"}} or {{"kind": "finite"}}')
    if value["kind"] == "infinite":
        check_known_keys("causes", value, ["kind"])
        return Infinite()
    check_known_keys("causes", value, ["kind", "prior_on_k"])
    if "prior_on_k" not in value:
        return Finite()
    return Finite(_prior_from_plain("prior_on_k", value["prior_on_k"], count_priors()))


def _prior_from_plain(name: str, value: Any, kinds: dict[str, Any]) -> Any:
    if _kind(value) not in kinds:
        raise SpecError(f"{name} is {shorten(value)}; its kind must be one of {', '.join(kinds)}")
    prior = kinds[value["kind"]]
    names = [item.name for item in fields(prior)]
    check_known_keys(name, value, ["kind", *names])
    missing = [key for key in names if key not in value]
    if missing:
        raise SpecError(f"{name} lacks {', '.join(missing)}; a {value['kind']} prior has {', '.join(names)}")
    return prior(**{key: value[key] for key in names})


#: What is used when nothing is said, chosen by measurement (see docs/model.md). Were the prior on strengths
#: flat, a link too weak to be seen would be nearly as good as none, and no set of links ever certain.
DEFAULT_SPEC = ModelSpec(
    strength=Beta(3, 2), strength_scope="per_link", leak_scope="per_variable", prevalence_scope="per_cause"
)
