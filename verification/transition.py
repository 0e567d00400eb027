"""πP = π: the transition matrix of every kernel, on state spaces small enough to write down.

Each kernel of the twin is run from every state with every answer to its random choices. The posterior, taken
from the slow log joint density, must be left as it is to 1e-10. States are unordered sets of causes, so this
also shows that no kernel depends on the order in which causes happen to be stored. The compiled kernels
agree with the twin draw for draw, so what is shown of one holds for the other.

In the infinite model a kernel is run on a set of states that it does not leave: links of one variable keep
the number of causes, and own causes, cut at `max_new`, keep all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from hiddencauses.model.joint import log_joint
from hiddencauses.model.priors import TruncatedPoisson, UniformCount
from hiddencauses.model.spec import Finite, Infinite, ModelSpec
from verification.case import Case, Outcome, Settings
from verification.twin.enumeration import every_outcome
from verification.twin.structure import (
    update_activity,
    update_by_birth_or_death,
    update_by_single_link,
    update_links,
    update_own_causes,
)
from verification.twin.world import Cause, TwinState, world_of_twin

TOLERANCE = 1e-10
FIXED = {"strength": 0.8, "leak": 0.1, "prevalence": 0.3, "concentration": 0.9}
#: A cause of a state: its links, and its activity.
CauseKey = tuple[tuple[int, ...], tuple[int, ...]]
#: A state: its causes, sorted.
StateKey = tuple[CauseKey, ...]
Kernel = Callable[[Any, TwinState], None]


def twin_in(key: StateKey, cells: list[list[int]], spec: ModelSpec) -> TwinState:
    """Return the twin in a state."""
    n = len(cells[0])
    strength, prevalence, leak, alpha = (
        FIXED[p] for p in ("strength", "prevalence", "leak", "concentration")
    )
    causes = [Cause(list(links), list(active), [strength] * n, prevalence) for links, active in key]
    return TwinState(cells, spec, causes, strength, prevalence, [leak] * n, alpha)


def key_of(state: TwinState) -> StateKey:
    """Return the state a twin is in, whatever the order of its causes."""
    return tuple(sorted((tuple(cause.links), tuple(cause.active)) for cause in state.causes))


def stationary_error(
    kernel: Kernel, states: list[StateKey], cells: list[list[int]], spec: ModelSpec
) -> float:
    """Return the largest |πP − π| over the states, π being the posterior given one of them."""
    place = {key: p for p, key in enumerate(states)}
    matrix = np.zeros((len(states), len(states)))
    codes = np.array(cells, dtype=np.int8)
    logs = np.empty(len(states))
    for p, key in enumerate(states):
        logs[p] = log_joint(codes, world_of_twin(twin_in(key, cells, spec)), spec).total

        def run(source: Any, key: StateKey = key) -> StateKey:
            state = twin_in(key, cells, spec)
            kernel(source, state)
            return key_of(state)

        for outcome, probability in every_outcome(run).items():
            matrix[p, place[outcome]] += probability
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, atol=1e-12)
    pi = np.exp(logs - logs.max())
    pi /= pi.sum()
    return float(np.abs(pi @ matrix - pi).max())


# -- state spaces ----------------------------------------------------------------------------------


def every_cause(n_variables: int, n_rows: int, *, unlinked: bool) -> list[CauseKey]:
    """Return every cause there can be."""
    return [
        (links, active)
        for links in product((0, 1), repeat=n_variables)
        for active in product((0, 1), repeat=n_rows)
        if unlinked or any(links)
    ]


def every_state(kinds: list[CauseKey], counts: range) -> list[StateKey]:
    """Return every set of so many causes of these kinds."""
    return [tuple(sorted(chosen)) for k in counts for chosen in combinations_with_replacement(kinds, k)]


def states_with_own(fixed: StateKey, i: int, n_variables: int, n_rows: int, most: int) -> list[StateKey]:
    """Return the states that differ in the causes only variable i has, of which there are at most so many."""
    only_i = tuple(int(j == i) for j in range(n_variables))
    kinds = [(only_i, active) for active in product((0, 1), repeat=n_rows)]
    return [tuple(sorted([*fixed, *own])) for own in every_state(kinds, range(most + 1))]


# -- cases -----------------------------------------------------------------------------------------


def finite_kernels(n_variables: int) -> dict[str, Kernel]:
    """Return the kernels of the finite model, at every variable."""
    kernels: dict[str, Kernel] = {"activity": lambda source, state: update_activity(source, state, 0)}
    for i in range(n_variables):
        kernels[f"links {i}"] = lambda source, state, i=i: update_links(source, state, i, 0)  # type: ignore[misc]
        kernels[f"birth/death {i}"] = lambda source, state, i=i: update_by_birth_or_death(source, state, i, 0)  # type: ignore[misc]
        kernels[f"single link {i}"] = lambda source, state, i=i: update_by_single_link(source, state, i, 0)  # type: ignore[misc]
    return kernels


def finite_errors(cells: list[list[int]], bound: int, prior: Any) -> Iterator[tuple[str, float]]:
    """Check every kernel of the finite model on all states of up to `bound` causes."""
    spec = ModelSpec(**FIXED, causes=Finite(prior))
    states = every_state(every_cause(len(cells[0]), len(cells), unlinked=True), range(1, bound + 1))
    for name, kernel in finite_kernels(len(cells[0])).items():
        yield f"finite {name}", stationary_error(kernel, states, cells, spec)


def infinite_errors(cells: list[list[int]], count: int) -> Iterator[tuple[str, float]]:
    """Check links and activity on all states of a number of causes, own causes given others (infinite)."""
    spec = ModelSpec(**FIXED, causes=Infinite())
    n_rows, n_variables = len(cells), len(cells[0])
    kinds = every_cause(n_variables, n_rows, unlinked=False)
    states = every_state(kinds, range(count, count + 1))
    yield "infinite activity", stationary_error(lambda s, t: update_activity(s, t, 0), states, cells, spec)
    for i in range(n_variables):
        error = stationary_error(lambda s, t, i=i: update_links(s, t, i, 0), states, cells, spec)  # type: ignore[misc]
        yield f"infinite links {i}", error
        shared = tuple(kind for kind in kinds if sum(kind[0]) > 1)[-1:]
        own = states_with_own(shared, i, n_variables, n_rows, most=3)

        def own_causes(source: Any, state: TwinState, i: int = i) -> None:
            update_own_causes(source, state, i, 0, max_new=3)

        yield f"infinite own causes {i}", stationary_error(own_causes, own, cells, spec)


class _Bounded(TruncatedPoisson):
    """A truncated Poisson that ends at 3, so that there are finitely many states."""

    def log_mass(self, k: int) -> float:
        return super().log_mass(k) if k <= 3 else -np.inf


def _run(errors: Iterator[tuple[str, float]]) -> Outcome:
    figures = dict(errors)
    worst = max(figures, key=lambda name: figures[name])
    return Outcome(
        passed=figures[worst] < TOLERANCE,
        figures={"kernels": len(figures), "largest |πP − π|": figures[worst]},
        detail=f"largest for {worst}",
    )


def cases() -> list[Case]:
    """Return the cases: small ones for the fast tier, larger ones for the full."""

    def case(name: str, fast: bool, errors: Callable[[], Iterator[tuple[str, float]]]) -> Case:
        def run(settings: Settings) -> Outcome:
            return _run(errors())

        return Case(name, fast, run)

    return [
        case("transition finite 2×1, K ≤ 2", True, lambda: finite_errors([[1, 0]], 2, UniformCount(2))),
        case("transition infinite 2×1, K = 2", True, lambda: infinite_errors([[1, 1]], 2)),
        case("transition finite 2×1, K ≤ 3", False, lambda: finite_errors([[1, 1]], 3, _Bounded(1.3))),
        case(
            "transition finite 2×2, K ≤ 2",
            False,
            lambda: finite_errors([[1, 0], [1, -1]], 2, UniformCount(2)),
        ),
        case("transition finite 3×1, K ≤ 2", False, lambda: finite_errors([[1, 0, 1]], 2, UniformCount(2))),
        case("transition infinite 2×2, K = 2", False, lambda: infinite_errors([[1, 0], [1, -1]], 2)),
        case("transition infinite 3×1, K = 3", False, lambda: infinite_errors([[1, 0, 1]], 3)),
    ]
