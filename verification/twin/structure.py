"""Links, activity and the number of causes: the twin of the paper's two algorithms."""

from __future__ import annotations

import math
from typing import Any

from hiddencauses.kernels import names
from hiddencauses.model.priors import Beta
from hiddencauses.model.spec import Finite
from verification.twin.world import Cause, TwinState, cell_log_likelihood

#: The sum of Eq. 13 ends where what is left is this small, on a log scale.
NEGLIGIBLE = -40.0


# -- Eq. 10 and 11: links to causes that a variable may share --------------------------------------


def update_links(source: Any, state: TwinState, i: int, visit: int) -> None:
    """Draw z_ik for every cause, in random order (the printed order by storage is biased)."""
    source.open(names.LINKS, i, visit)
    finite = isinstance(state.spec.causes, Finite)
    share = state.concentration / len(state.causes) if finite and state.causes else 0.0  # α/K, 0 in the limit
    for place in source.permutation(len(state.causes)):
        cause = state.causes[place]
        others = cause.degree - cause.links[i]  # m_{−i,k}
        if others == 0 and not finite:
            continue  # only i has it: Eq. 13 decides
        if has_own_strength_per_link(state) and not cause.links[i]:
            cause.strengths[i] = source.beta(state.spec.strength.a, state.spec.strength.b)
        # Eq. 10, with the denominator N + α/K that the print lacks: it cancels in the odds.
        log_odds = math.log((others + share) / (state.n_variables - others))
        log_failure = math.log1p(-cause.strengths[i])
        for row in range(state.n_rows):  # Eq. 11
            if cause.active[row]:
                off = state.log_off(i, row, without=cause)
                cell = state.cells[row][i]
                log_odds += cell_log_likelihood(cell, off + log_failure) - cell_log_likelihood(cell, off)
        cause.links[i] = int(source.bernoulli(logistic(log_odds)))


def logistic(x: float) -> float:
    """1 / (1 + exp(−x)), for any x."""
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def has_own_strength_per_link(state: TwinState) -> bool:
    """Tell whether each link has a free strength of its own."""
    return state.spec.strength_scope == "per_link" and isinstance(state.spec.strength, Beta)


# -- Eq. 13 to 15: causes that only one variable has -----------------------------------------------


def update_own_causes(
    source: Any, state: TwinState, i: int, visit: int, *, max_new: int | None = None
) -> None:
    """Draw K_i^new and the activity of these causes."""
    source.open(names.OWN_CAUSES, i, visit)
    own = state.own_causes(i)
    rate = state.concentration / state.n_variables
    base = _log_off_without_own(state, i)
    if _causes_differ(state):
        # Eq. 13 does not factor over rows: a whole set from the prior, accepted on the marginal likelihood.
        proposed = [_cause_from_prior(source, state, i) for _ in range(source.poisson(rate))]
        log_ratio = _log_marginal(state, i, base, proposed) - _log_marginal(state, i, base, own)
        accepted = source.accept(log_ratio) and (max_new is None or len(proposed) <= max_new)
        if accepted:
            _replace(state, own, proposed)
    else:
        weights = _weights_of_numbers(state, i, base, rate, max_new)
        number = source.choice(weights)
        if number != len(own):
            _replace(state, own, [_cause_alike(state, i) for _ in range(number)])
    draw_own_activity(source, names.OWN_ACTIVITY, state, i, state.own_causes(i), base, visit)


def _causes_differ(state: TwinState) -> bool:
    """Tell whether causes have free strengths or prevalences of their own."""
    own_strength = state.spec.strength_scope != "shared" and isinstance(state.spec.strength, Beta)
    own_prevalence = state.spec.prevalence_scope != "shared" and isinstance(state.spec.prevalence, Beta)
    return own_strength or own_prevalence


def _log_off_without_own(state: TwinState, i: int) -> list[float]:
    """η(1 − ε) of Eq. 15, as a log, for every row."""
    shared = [cause for cause in state.causes if cause.links[i] and cause.degree > 1]
    base = []
    for row in range(state.n_rows):
        total = math.log1p(-state.leak[i])
        for cause in shared:
            if cause.active[row]:
                total += math.log1p(-cause.strengths[i])
        base.append(total)
    return base


def _log_marginal(state: TwinState, i: int, base: list[float], causes: list[Cause]) -> float:
    """Log P(x_i), the activity of causes that only i has summed out: each makes a factor 1 − λp (Eq. 15)."""
    failure = 0.0
    for cause in causes:
        failure += math.log1p(-cause.strengths[i] * cause.prevalence)
    total = 0.0
    for row, off in enumerate(base):
        total += cell_log_likelihood(state.cells[row][i], off + failure)
    return total


def _weights_of_numbers(
    state: TwinState, i: int, base: list[float], rate: float, max_new: int | None
) -> list[float]:
    """Eq. 13 for K_i^new = 0, 1, …, up to `max_new`, or until what is left cannot matter."""
    one = _cause_alike(state, i)
    failure = math.log1p(-one.strengths[i] * one.prevalence)
    zeros = [off for row, off in enumerate(base) if state.cells[row][i] == 0]
    logs: list[float] = []
    while True:
        number = len(logs)
        log_prior = number * math.log(rate) - math.lgamma(number + 1)
        logs.append(
            log_prior
            + sum(
                cell_log_likelihood(state.cells[r][i], off + number * failure) for r, off in enumerate(base)
            )
        )
        number += 1
        if max_new is not None:
            if number > max_new:
                break
        elif number > rate + 1:
            log_tail = log_prior + math.log(rate / number) - math.log1p(-rate / (number + 1))
            if log_tail + sum(zeros) + len(zeros) * number * failure < max(logs) + NEGLIGIBLE:
                break
    top = max(logs)
    return [math.exp(value - top) for value in logs]


def _cause_alike(state: TwinState, i: int) -> Cause:
    """A cause with the shared parameters, linked to i only."""
    links = [int(j == i) for j in range(state.n_variables)]
    return Cause(links, [0] * state.n_rows, [state.strength] * state.n_variables, state.prevalence)


def _cause_from_prior(source: Any, state: TwinState, i: int) -> Cause:
    """A cause linked to i only, its own parameters from their priors."""
    cause = _cause_alike(state, i)
    spec = state.spec
    if spec.strength_scope != "shared" and isinstance(spec.strength, Beta):
        cause.strengths = [source.beta(spec.strength.a, spec.strength.b)] * state.n_variables
    if spec.prevalence_scope != "shared" and isinstance(spec.prevalence, Beta):
        cause.prevalence = source.beta(spec.prevalence.a, spec.prevalence.b)
    return cause


def _replace(state: TwinState, old: list[Cause], new: list[Cause]) -> None:
    for cause in reversed(old):
        state.remove(cause)
    state.causes.extend(new)


def draw_own_activity(
    source: Any, purpose: int, state: TwinState, i: int, own: list[Cause], base: list[float], visit: int
) -> None:
    """Draw the activity of causes that only i has from its joint conditional, row by row.

    One cause after the other, those still to come summed out (a single scan of Eq. 12 would not do).
    """
    for row in range(state.n_rows):
        if row % names.ROW_BLOCK == 0:
            source.open(purpose, row // names.ROW_BLOCK, visit)
        off = base[row]
        for j, cause in enumerate(own):
            later = sum(math.log1p(-c.strengths[i] * c.prevalence) for c in own[j + 1 :])
            failure = math.log1p(-cause.strengths[i])
            cell = state.cells[row][i]
            on = cause.prevalence * math.exp(cell_log_likelihood(cell, off + failure + later))
            idle = (1 - cause.prevalence) * math.exp(cell_log_likelihood(cell, off + later))
            cause.active[row] = int(source.bernoulli(on / (on + idle)))
            if cause.active[row]:
                off += failure


# -- Eq. 12: activity ------------------------------------------------------------------------------


def update_activity(source: Any, state: TwinState, visit: int) -> None:
    """Draw y_rk for every cause and row, causes in a random order common to all rows."""
    source.open(names.ACTIVITY_ORDER, 0, visit)
    order = source.permutation(len(state.causes))
    for start in range(0, state.n_rows, names.ROW_BLOCK):
        source.open(names.ACTIVITY, start // names.ROW_BLOCK, visit)
        for place in order:
            cause = state.causes[place]
            for row in range(start, min(start + names.ROW_BLOCK, state.n_rows)):
                log_odds = math.log(cause.prevalence) - math.log1p(-cause.prevalence)
                for i in range(state.n_variables):
                    if cause.links[i]:
                        off = state.log_off(i, row, without=cause)
                        cell = state.cells[row][i]
                        log_odds += cell_log_likelihood(cell, off + math.log1p(-cause.strengths[i]))
                        log_odds -= cell_log_likelihood(cell, off)
                cause.active[row] = int(source.bernoulli(logistic(log_odds)))


# -- Eq. 6 to 9: birth and death of a cause without links ------------------------------------------


def log_prior_of_structure(state: TwinState, degrees: list[int]) -> float:
    """Log P(Z | K) P(K) of the finite model for columns with these numbers of links (Eq. 5)."""
    assert isinstance(state.spec.causes, Finite)
    k, n = len(degrees), state.n_variables
    total = state.spec.causes.prior_on_k.log_mass(k)
    for m in degrees:
        share = state.concentration / k
        total += (
            math.log(share) + math.lgamma(m + share) + math.lgamma(n - m + 1) - math.lgamma(n + 1 + share)
        )
    return total


def update_by_birth_or_death(source: Any, state: TwinState, i: int, visit: int) -> None:
    """Pick a cause; with links: propose a birth, without: its death. Corrected Eq. 8 and 9."""
    source.open(names.BIRTH_DEATH, i, visit)
    degrees = [cause.degree for cause in state.causes]
    k, k_plus = len(degrees), sum(m > 0 for m in degrees)
    if k_plus == 0:
        return  # no birth could be proposed from here, so nothing may lead here or away
    now = log_prior_of_structure(state, degrees)
    picked = source.integer(k)
    if degrees[picked] > 0:
        ratio = log_prior_of_structure(state, [*degrees, 0]) - now + math.log(k / k_plus)
        if source.accept(ratio):
            newborn = _unlinked_cause_from_prior(source, state)
            state.causes.append(newborn)
            for row in range(state.n_rows):
                if row % names.ROW_BLOCK == 0:
                    source.open(names.BIRTH_ACTIVITY, row // names.ROW_BLOCK, visit)
                newborn.active[row] = int(source.bernoulli(newborn.prevalence))
    elif k > 1:
        rest = degrees[:picked] + degrees[picked + 1 :]
        ratio = log_prior_of_structure(state, rest) - now + math.log(k_plus / (k - 1))
        if source.accept(ratio):
            state.remove(state.causes[picked])


def _unlinked_cause_from_prior(source: Any, state: TwinState) -> Cause:
    """A cause without links: its strength, if it has one of its own, and its prevalence from their priors."""
    spec = state.spec
    cause = Cause(
        [0] * state.n_variables, [0] * state.n_rows, [state.strength] * state.n_variables, state.prevalence
    )
    if spec.strength_scope == "per_cause" and isinstance(spec.strength, Beta):
        cause.strengths = [source.beta(spec.strength.a, spec.strength.b)] * state.n_variables
    if spec.prevalence_scope == "per_cause" and isinstance(spec.prevalence, Beta):
        cause.prevalence = source.beta(spec.prevalence.a, spec.prevalence.b)
    return cause


# -- section 7: birth and death of a cause with a single link --------------------------------------


def update_by_single_link(source: Any, state: TwinState, i: int, visit: int) -> None:
    """Propose a cause that only i has, or the end of one, each with probability 1/2."""
    source.open(names.SINGLE_LINK, i, visit)
    degrees = [cause.degree for cause in state.causes]
    own = state.own_causes(i)
    if source.bernoulli(0.5):
        newborn = _unlinked_cause_from_prior(source, state)
        if has_own_strength_per_link(state):
            newborn.strengths[i] = source.beta(state.spec.strength.a, state.spec.strength.b)
        base = [state.log_off(i, row) for row in range(state.n_rows)]
        if source.accept(_log_birth_ratio(state, i, degrees, len(own), newborn, base)):
            newborn.links[i] = 1
            state.causes.append(newborn)
            draw_own_activity(source, names.SINGLE_LINK_ACTIVITY, state, i, [newborn], base, visit)
    elif own:
        victim = own[source.integer(len(own))]
        rest = [cause.degree for cause in state.causes if cause is not victim]
        base = [state.log_off(i, row, without=victim) for row in range(state.n_rows)]
        if source.accept(-_log_birth_ratio(state, i, rest, len(own) - 1, victim, base)):
            state.remove(victim)


def _log_birth_ratio(
    state: TwinState, i: int, degrees: list[int], n_own: int, newborn: Cause, base: list[float]
) -> float:
    """Log acceptance ratio of the birth of a cause that only i has, into a state with these degrees.

    P(Z′, K + 1) / P(Z, K) · P(x_i | with it, summed out) / P(x_i | without) · (K + 1) / (s + 1).
    """
    if not degrees:
        return math.inf  # K = 0 has no mass: a death into it is refused
    before, after = log_prior_of_structure(state, degrees), log_prior_of_structure(state, [*degrees, 1])
    if after == -math.inf:
        return -math.inf
    if before == -math.inf:
        return math.inf
    gain = _log_marginal(state, i, base, [newborn]) - _log_marginal(state, i, base, [])
    return after - before + gain + math.log((len(degrees) + 1) / (n_own + 1))
