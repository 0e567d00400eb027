"""The paper's Algorithm 1 and Algorithm 2, a sweep each, corrected as docs/math.md says."""

from __future__ import annotations

from typing import Any

from verification.twin.parameters import update_concentration, update_leak, update_prevalence, update_strength
from verification.twin.structure import (
    update_activity,
    update_by_birth_or_death,
    update_by_single_link,
    update_links,
    update_own_causes,
)
from verification.twin.world import TwinState


def gibbs_sweep(
    source: Any, state: TwinState, number: int, *, warming: bool = False, max_new: int | None = None
) -> None:
    """Algorithm 2, one iteration: unbounded causes."""
    n = state.n_variables
    for i in range(n):  # lines 2 to 17
        visit = number * n + i
        update_links(source, state, i, visit)  # lines 3 to 10
        update_own_causes(source, state, i, visit, max_new=max_new)  # lines 11 to 16
    visit = number * n + n - 1
    update_activity(
        source, state, visit
    )  # lines 18 to 20; a cause always keeps a link, so none is left to remove
    update_hyperparameters(source, state, visit, warming=warming)  # section 6


def reversible_jump_sweep(
    source: Any, state: TwinState, number: int, *, warming: bool = False, kinds: str = "unlinked"
) -> None:
    """Algorithm 1, one iteration: a finite but unknown number of causes.

    `kinds`: births of causes without links ("unlinked", the paper's) or with one ("single").
    """
    n = state.n_variables
    for i in range(n):  # lines 2 to 17
        visit = number * n + i
        if kinds == "unlinked":
            update_by_birth_or_death(source, state, i, visit)  # lines 3 to 10
        else:
            update_by_single_link(source, state, i, visit)  # section 7
        update_links(source, state, i, visit)  # lines 11 to 13
        update_activity(source, state, visit)  # lines 14 to 16
    update_hyperparameters(source, state, number * n + n - 1, warming=warming)


def update_hyperparameters(source: Any, state: TwinState, visit: int, *, warming: bool) -> None:
    """Section 6: λ and ε by slice steps, p and α from their conditionals where these are known."""
    update_strength(source, state, visit, warming=warming)
    update_leak(source, state, visit, warming=warming)
    update_prevalence(source, state, visit)
    update_concentration(source, state, visit)
