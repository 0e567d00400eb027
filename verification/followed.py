"""One path at a time through the moves on groups of causes, there and back, its probability reckoned.

Where parameters are free not every path can be followed, as `interpreted.py` does, but any one path can. A
move is run uncompiled from a random state, its random choices drawn here and their probability noted. Then it
is run again from where it led, its choices given such that it comes back. An acceptance ratio is right when

    log ratio = log π(after) − log π(before) + log P(choices back) − log P(choices there),

and when that of the way back is its negative. Here π is the slow log joint density and P is reckoned from the
weights that choices are made by, so that a density left out of a ratio, or one that is not the same function
from both ends, shows in every single path. A draw from a conditional is the same with a ratio of 1.

This must be a process of its own, in which numba compiles nothing: `python -m verification.followed MOVE
TRIALS SEED WRONG`, which prints what was found as JSON. `summed_paths.py` is the suite.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import ModuleType
from typing import Any, NamedTuple

if __name__ == "__main__" and os.environ.get("NUMBA_DISABLE_JIT") != "1":
    sys.exit("set NUMBA_DISABLE_JIT=1: random choices of compiled code cannot be followed")

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import beta as beta_distribution

from hiddencauses import Beta, Finite, Gamma, ModelSpec
from hiddencauses.data.bits import unpack_rows
from hiddencauses.kernels.names import Rng
from hiddencauses.kernels.state import (
    PER_CAUSE,
    PER_LINK,
    WELL,
    Data,
    KernelSpec,
    State,
    prevalence_of,
    strength_of,
)
from hiddencauses.kernels.streams import LEAST, MOST
from hiddencauses.kernels.summed import (
    births,
    expectation,
    gains,
    rearrangements,
    redraw,
    splits,
    swaps,
    target,
)
from hiddencauses.kernels.summed.group import linked_causes
from hiddencauses.model.joint import log_joint
from hiddencauses.model.world import Parameters, World, expected_shapes
from hiddencauses.sampling.convert import kernel_spec, state_of, world_of
from verification.cells import codes_of, data_of
from verification.specs import MODEL_FACTORS

__all__ = ["KINDS", "MOVES", "WRONG", "disagreement", "main"]

#: Answers to random choices in their order, by where they are made, such as "choice.draw_place".
Choices = dict[str, list[Any]]

#: Tables have up to so many variables, rows and causes, and this share of cells is missing.
VARIABLES, ROWS, CAUSES, MISSING = 4, 7, 4, 0.15
#: Rows that proposals are built on: fewer than most of these tables have, so that rows are sampled.
FEW_ROWS = 3
#: In this share of trials most strengths are so near to 1, where fits once came to nothing.
NEAR_ONE, MOSTLY, NEAR = 0.4, 0.8, 1e-9


class AstrayError(ValueError):
    """What a move asked for, proposes from, or led to is not what it should be."""


@dataclass
class Path:
    """The random choices of one run of a move.

    Attributes
    ----------
    given
        Answers at hand; they are used up.
    random
        What answers when none is at hand; None when all must be.
    made
        The answers that were given.
    log_probability
        Log probability, or density, of these answers.
    log_ratio
        Log of the acceptance ratio. The move is accepted anyway.
    """

    given: Choices
    random: np.random.Generator | None = None
    made: Choices = field(default_factory=lambda: defaultdict(list))
    log_probability: float = 0.0
    log_ratio: float = 0.0

    def uniform(self, place: str) -> float:
        """Answer with a number between 0 and 1, the density of which is 1."""
        return float(self._answer(place, lambda random: random.random()))

    def weighted(self, place: str, weights: ArrayLike) -> int:
        """Answer a choice with these weights."""
        chances = np.ravel(np.asarray(weights, dtype=np.float64))
        chances = chances / chances.sum()
        answer = int(self._answer(place, lambda random: random.choice(chances.size, p=chances)))
        self.log_probability += math.log(chances[answer])
        return answer

    def beta(self, place: str, a: float, b: float) -> float:
        """Answer with a parameter."""
        if not (0.0 < a < math.inf and 0.0 < b < math.inf):
            raise AstrayError(f"Beta({a}, {b}) is to be drawn from")
        answer = float(self._answer(place, lambda random: np.clip(random.beta(a, b), LEAST, MOST)))
        self.log_probability += float(beta_distribution.logpdf(answer, a, b))
        return answer

    def accept(self, log_ratio: float) -> bool:
        """Accept whatever the ratio, and note it."""
        self.log_ratio = log_ratio
        return True

    def _answer(self, place: str, draw: Callable[[np.random.Generator], Any]) -> Any:
        if self.given.get(place):
            answer = self.given[place].pop(0)
        elif self.random is None:
            raise AstrayError(f"no answer at hand for {place}")
        else:
            answer = draw(self.random)
        self.made[place].append(answer)
        return answer


def follow(path: Path) -> None:
    """Have all random choices of the package's kernels answered by a path."""
    answers: dict[str, Callable[..., Any]] = {
        "open_stream": lambda place, *name: None,
        "uniform": lambda place, stream: path.uniform(place),
        "bernoulli": lambda place, stream, chance: bool(path.weighted(place, [1.0 - chance, chance])),
        "pick": lambda place, stream, n: path.weighted(place, np.ones(n)),
        "draw_place": lambda place, stream, weights: path.weighted(place, weights),
        "draw_beta": lambda place, stream, a, b: path.beta(place, a, b),
        "accept": lambda place, stream, log_ratio: path.accept(log_ratio),
    }
    for name, module in list(sys.modules.items()):
        if name.startswith("hiddencauses.kernels.") and not name.endswith((".streams", ".accept")):
            for function, answer in answers.items():
                if hasattr(module, function):
                    setattr(module, function, partial(answer, f"{name.rpartition('.')[2]}.{function}"))


class There(NamedTuple):
    """A path that has been taken, as far as the way back depends on it."""

    before: State
    after: State
    made: Choices
    spec: KernelSpec


def _back_from_birth(there: There) -> Choices:
    linked, made = linked_causes(there.before), there.made
    victim = int(linked_causes(there.after).searchsorted(there.after.count[0] - 1))
    return _same(made, "choice.draw_place") | {
        "births.bernoulli": [0, *made["births.bernoulli"][1:]],
        "births.pick": list(made["births.pick"]),
        "births.draw_place": [victim],
        "marginal.draw_place": _settings(there.before, linked[made["choice.draw_place"]]),
    }


def _back_from_split(there: There) -> Choices:
    one = linked_causes(there.before)[there.made["splits.pick"]]
    return _same(there.made, "blind.bernoulli") | {
        "splits.bernoulli": [0, *there.made["splits.bernoulli"][1:]],
        "choice.draw_place": [_last_pair(there.after)],
        "fit.draw_beta": _own_parameters(there, one),
        "marginal.draw_place": _settings(there.before, one),
    }


def _back_from_rearrangement(there: There) -> Choices:
    linked = linked_causes(there.before)
    two = linked[list(divmod(there.made["choice.draw_place"][0], linked.size))]
    return _same(there.made) | {
        "choice.draw_place": [_last_pair(there.after)],
        "launch.draw_place": _bits(there.before.z[:, two]),
        "fit.draw_beta": _own_parameters(there, two),
        "marginal.draw_place": _settings(there.before, two),
    }


def _back_from_swap(there: There) -> Choices:
    i = there.made["swaps.pick"][0]
    change = there.after.z[i].astype(int) - there.before.z[i]
    gave, took = int(change.argmin()), int(change.argmax())
    degree, has = there.after.degree, there.after.z[i] == 1
    givers, takers = np.flatnonzero(has & (degree > 1)), np.flatnonzero(~has & (degree > 0))
    return {
        "swaps.pick": [i, int(givers.searchsorted(took))],
        "swaps.draw_place": [int(takers.searchsorted(gave))],
        "marginal.draw_place": _settings(there.before, [took, gave]),
    }


def _back_from_redraw(there: There) -> Choices:
    linked, (first,) = linked_causes(there.before), there.made["redraw.pick"]
    others = np.delete(linked, first)[there.made["choice.draw_place"]]
    return {
        "redraw.pick": [first],
        "choice.draw_place": list(there.made["choice.draw_place"]),
        "marginal.draw_place": _settings(there.before, [linked[first], *others]),
    }


def _same(made: Choices, *places: str) -> Choices:
    """Return choices that are made alike in both directions: rows, launches, and those at some places."""
    always = ("gains.uniform", "gains.bernoulli", "pattern.draw_place")
    return {place: list(made[place]) for place in (*always, *places)}


def _last_pair(state: State) -> int:
    """Return the answer by which the two causes that were put in last are picked."""
    n = linked_causes(state).size
    return (n - 2) * n + n - 1


def _bits(columns: NDArray[np.int8]) -> list[int]:
    """Return rows of bits as numbers, the first bit the lowest."""
    return [int(number) for number in columns.astype(int) @ (1 << np.arange(columns.shape[1]))]


def _settings(state: State, causes: Sequence[int] | NDArray[np.int64]) -> list[int]:
    """Return the activity of some causes as the answers by which it is drawn; nothing is drawn for none."""
    if not len(causes):
        return []
    return _bits(np.ascontiguousarray(unpack_rows(state.y[list(causes)], int(state.count[1])), dtype=np.int8))


def _own_parameters(there: There, causes: NDArray[np.int64]) -> list[float]:
    """Return what some causes have of their own in the order in which it is drawn."""
    found: list[float] = []
    for k in causes:
        if there.spec.strength_scope == PER_CAUSE:
            found.append(there.before.strength[0, k])
        elif there.spec.strength_scope == PER_LINK:
            found.extend(there.before.strength[there.before.z[:, k] == 1, k])
        if not there.spec.prevalence_shared:
            found.append(there.before.prevalence[k])
    return found


class Move(NamedTuple):
    """A move: what carries it out, what it is told beforehand, and the choices that lead back."""

    run: Callable[..., int | None]
    told: Choices
    back: Callable[[There], Choices]


def _births(*, blind: bool) -> Callable[..., int | None]:
    return partial(births.update_by_joint_birth_or_death, blind=blind)


def _splits(*, blind: bool) -> Callable[..., int | None]:
    return partial(splits.update_by_split_or_merge, blind=blind)


#: Births and splits are the way there, deaths and merges the way back.
MOVES = {
    "births": Move(_births(blind=False), {"births.bernoulli": [1]}, _back_from_birth),
    "blind births": Move(_births(blind=True), {"births.bernoulli": [1]}, _back_from_birth),
    "splits": Move(_splits(blind=False), {"splits.bernoulli": [1]}, _back_from_split),
    "blind splits": Move(_splits(blind=True), {"splits.bernoulli": [1]}, _back_from_split),
    "rearrangements": Move(rearrangements.update_by_rearrangement, {}, _back_from_rearrangement),
    "swaps": Move(swaps.update_by_swap, {}, _back_from_swap),
    "redraw": Move(redraw.update_activity_jointly, {}, _back_from_redraw),
}
_PROPOSED = ("any", "on some rows", "strengths near 1")
#: Kinds of paths of each move, all of which must occur.
KINDS = {
    "blind births": (*_PROPOSED, "leaks exchanged", "contexts: 0", "contexts: 1", "contexts: 2"),
    "blind splits": _PROPOSED,
    "births": (*_PROPOSED, "leaks exchanged", "contexts: 0", "contexts: 1", "contexts: 2"),
    "splits": _PROPOSED,
    "rearrangements": _PROPOSED,
    "swaps": ("any", "strengths near 1"),
    "redraw": ("any", "strengths near 1", "contexts: 1", "contexts: 2"),
}


class Start(NamedTuple):
    """Where a trial begins."""

    state: State
    data: Data
    spec: ModelSpec
    near_one: bool


def random_start(random: np.random.Generator) -> Start:
    """Return a state of any variant of the model, and a table that has nothing to do with it."""
    levels = {name: levels[random.integers(len(levels))] for name, levels in MODEL_FACTORS.items()}
    spec = ModelSpec(**levels)
    near_one = bool(random.random() < NEAR_ONE)
    n_variables, n_rows = int(random.integers(1, VARIABLES + 1)), int(random.integers(1, ROWS + 1))
    x = random.integers(0, 2, (n_variables, n_rows)).astype(np.int8)
    x[random.random(x.shape) < MISSING] = -1
    links = _random_links(random, spec, n_variables)
    activity = (random.random((n_rows, links.shape[1])) < 0.4).astype(np.int8)
    world = World(links, activity, _random_parameters(random, spec, links, near_one=near_one))
    return Start(state_of(world, spec), data_of(x.T), spec, near_one and isinstance(spec.strength, Beta))


def _random_links(random: np.random.Generator, spec: ModelSpec, n_variables: int) -> NDArray[np.int8]:
    """Return links of a number of causes that is possible; only in the finite model do some have none."""
    prior = spec.causes.prior_on_k if isinstance(spec.causes, Finite) else None
    possible = [k for k in range(CAUSES + 1) if prior is None or prior.log_mass(k) > -math.inf]
    size = int(random.choice(possible))
    links = random.random((n_variables, size)) < 0.5
    if prior is None:
        links[random.integers(n_variables, size=size), np.arange(size)] |= ~links.any(axis=0)
    else:
        links &= random.random(size) < 0.85
    return links.astype(np.int8)


def _random_parameters(
    random: np.random.Generator, spec: ModelSpec, links: NDArray[np.int8], *, near_one: bool
) -> Parameters:
    found = {}
    for name, shape in expected_shapes(spec, *links.shape).items():
        prior = getattr(spec, name)
        found[name] = random.uniform(0.05, 0.95, shape) if isinstance(prior, Beta) else np.full(shape, prior)
    if near_one and isinstance(spec.strength, Beta):
        shape = found["strength"].shape
        certain = 1.0 - random.uniform(0.01, 1.0, shape) * NEAR
        found["strength"] = np.where(random.random(shape) < MOSTLY, certain, found["strength"])
    if spec.strength_scope == "per_link":
        found["strength"] = np.where(links == 1, found["strength"], np.nan)
    free = isinstance(spec.concentration, Gamma)
    return Parameters(
        **{name: np.asarray(value) for name, value in found.items()},
        concentration=float(random.uniform(0.5, 2.0)) if free else spec.concentration,
    )


def causes_of(state: State, spec: KernelSpec) -> Counter[tuple[Any, ...]]:
    """Return the causes with all that they have, and how often each is there."""

    def cause(k: int) -> tuple[Any, ...]:
        links = np.flatnonzero(state.z[:, k])
        strengths = tuple(float(strength_of(state.strength, spec.strength_scope, i, k)) for i in links)
        return (
            tuple(links),
            state.y[k].tobytes(),
            strengths,
            float(prevalence_of(state.prevalence, spec.prevalence_shared, k)),
        )

    return Counter(cause(k) for k in range(state.count[0]))


def log_density(start: Start, state: State, spec: KernelSpec) -> float:
    """Return the log joint density, with causes that are alike told apart, as moves do by their places."""
    codes = codes_of(start.data)
    orders = sum(math.lgamma(repeats + 1) for repeats in causes_of(state, spec).values())
    return log_joint(codes, world_of(state, start.spec), start.spec).total + orders


def take(move: Move, path: Path, state: State, data: Data, spec: KernelSpec) -> State:
    """Return where a move leads from a state, on this path."""
    follow(path)
    moved = State(*(part.copy() for part in state))
    if move.run(Rng(np.uint64(1), 0, 0, False), moved, data, spec, 0) not in (None, WELL):
        raise AstrayError("there was no room")
    return moved


def disagreement(name: str, random: np.random.Generator) -> tuple[float, tuple[str, ...]]:
    """Return by how much the ratio of a random path is off, and of which kinds the path is.

    Of no kind when nothing was proposed, or only what is impossible.
    """
    start, move = random_start(random), MOVES[name]
    before, spec = start.state, kernel_spec(start.spec)
    there = Path({place: list(answers) for place, answers in move.told.items()}, random)
    after = take(move, there, before, start.data, spec)
    if "marginal.draw_place" not in there.made:
        return 0.0, ()
    log_target = log_density(start, after, spec) - log_density(start, before, spec)
    if there.log_ratio == log_target == -math.inf:
        return 0.0, ()
    back = Path(move.back(There(before, after, there.made, spec)))
    home = take(move, back, after, start.data, spec)
    if any(back.given.values()) or causes_of(home, spec) != causes_of(before, spec):
        raise AstrayError("the way back led elsewhere")
    # what is taken from leaks or given to them is a change of variables
    log_jacobian = float((np.log1p(-after.leak) - np.log1p(-before.leak)).sum())
    log_ratio = log_target + log_jacobian + back.log_probability - there.log_probability
    off = float(np.abs([there.log_ratio - log_ratio, there.log_ratio + back.log_ratio]).max())
    exchanged = bool((after.leak != before.leak).any())
    return math.inf if math.isnan(off) else off, _kinds(name, start, there.made, exchanged)


def _kinds(name: str, start: Start, made: Choices, exchanged: bool) -> tuple[str, ...]:
    looked_at = FEW_ROWS << sum(made["gains.bernoulli"])
    holds = {
        "any": True,
        "on some rows": looked_at < start.data.n_rows,
        "strengths near 1": start.near_one,
        "leaks exchanged": exchanged,
        f"contexts: {len(made['choice.draw_place'])}": True,
    }
    return tuple(kind for kind in KINDS[name] if holds.get(kind, False))


class Wrong(NamedTuple):
    """A wrong version: the move it shows in, and what stands in place of what is right."""

    move: str
    module: ModuleType
    name: str
    value: Any


def _nothing(*ignored: Any) -> float:
    return 0.0


def _other_rows_each_time() -> Callable[..., NDArray[np.int64]]:
    times, right = count(), gains.sampled_rows
    return lambda stream, n_rows: np.sort((right(stream, n_rows) + next(times)) % n_rows)


def _without_prevalence(spec: KernelSpec, group: Any, right: Any = target.log_own_density) -> float:
    return float(right(spec._replace(prevalence_shared=True), group))


def _no_jacobian(*given: Any, right: Any = births.log_target_ratio) -> float:
    state, leak = given[2], given[8]
    return float(right(*given) - (np.log1p(-leak) - np.log1p(-state.leak)).sum())


def _certain(state: State, *ignored: Any) -> NDArray[np.float64]:
    return np.ones(max(int(state.count[0]), 1))


def _all_kept(state: State, causes: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.arange(state.degree.size) < state.count[0]


WRONG = {
    **{
        f"{name} without the density of parameters": Wrong(name, module, "log_parameters_density", _nothing)
        for name, module in (("births", births), ("splits", splits), ("rearrangements", rearrangements))
    },
    **{
        f"{name} back on other rows": Wrong(name, module, "sampled_rows", _other_rows_each_time())
        for name, module in (("births", births), ("splits", splits), ("rearrangements", rearrangements))
    },
    "births without the prior of prevalence": Wrong("births", target, "log_own_density", _without_prevalence),
    "births without the Jacobian of leaks": Wrong("blind births", births, "log_target_ratio", _no_jacobian),
    "births without the chance of the victim": Wrong("births", births, "victim_chances", _certain),
    "births near a chance of 1": Wrong("births", expectation, "MOST_CHANCE", 1.0),
    "swaps without the chance of the taker": Wrong("swaps", swaps, "_log_chance", _nothing),
    "redraw given what it replaces": Wrong("redraw", redraw, "without", _all_kept),
}


def main(move: str, trials: str, seed: str, wrong: str = "") -> int:
    """Print how many paths of every kind there were, how far off the worst was, in which trial and why."""
    gains.FEW_ROWS = FEW_ROWS
    if wrong:
        setattr(WRONG[wrong].module, WRONG[wrong].name, WRONG[wrong].value)
    paths, worst = Counter[str](), (0.0, 0, "")
    for trial in range(int(trials)):
        try:
            off, kinds = disagreement(move, np.random.default_rng((int(seed), trial)))
            paths.update(kinds)
            worst = max(worst, (off, trial, ""))
        except (ValueError, ArithmeticError) as error:  # astray, or the logarithm of 0 somewhere on the way
            worst = max(worst, (math.inf, trial, str(error)))
    found = {kind: paths[kind] for kind in KINDS[move]}
    sys.stdout.write(json.dumps({"paths": found, "off": worst[0], "trial": worst[1], "why": worst[2]}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
