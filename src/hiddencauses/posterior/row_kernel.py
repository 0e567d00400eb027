"""Which causes are at work in a row, given a draw's links and parameters: compiled.

Given these, rows are independent. In one row a cell that is 0 says something of each cause by itself, and
only cells that are 1 tie causes together, since one cause at work makes another less needed. So the causes of
a row fall into groups, tied by its ones, most of them small. A group is summed over all its settings exactly;
one too large for that is sampled, its random numbers named by the row's cells and the draw, so that equal
rows get equal answers wherever they stand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddencauses.compiled import compiled, compiled_door
from hiddencauses.kernels.streams import bernoulli, open_stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Answers", "Worlds", "infer_rows"]

#: Sampled activity in groups that are too large is not kept closer to 0 or 1 than this when it proposes.
PROPOSED = 0.02
#: A product is taken to logarithms before it gets smaller than this.
SMALL = 1e-200


class Worlds(NamedTuple):
    """Links and parameters of draws, one after the other.

    The causes of draw s are `start[s]` to `start[s + 1]`, the links of cause c `link_start[c]` to
    `link_start[c + 1]`. `off` is 1 − strength of a link, `log_odds` and `log_absent` are those of a cause's
    prevalence, `leak` and `log_off_leak` (of 1 − leak) draws × variables, `label` the number under which a
    cause is counted, −1 for none.
    """

    start: NDArray[np.int64]
    link_start: NDArray[np.int64]
    link_variable: NDArray[np.int64]
    off: NDArray[np.float64]
    log_off: NDArray[np.float64]
    log_odds: NDArray[np.float64]
    log_absent: NDArray[np.float64]
    label: NDArray[np.int64]
    leak: NDArray[np.float64]
    log_off_leak: NDArray[np.float64]


class Answers(NamedTuple):
    """What is asked of rows; sums over draws, but `log_density`. Arrays without rows are not wanted.

    at_work: rows × labels, chances of causes being at work. off: rows × variables, chances of cells being 0
    given the row's other cells, for cells that are asked. log_density: rows × draws, of the cells that are
    there, with log_density_error its relative standard error, 0 where exact. by_cause: rows × labels ×
    variables, chances that the cause switched the cell on, where the cell is 1; by_leak: the same for the
    leak; by_others: for causes without a label.
    """

    at_work: NDArray[np.float64]
    off: NDArray[np.float64]
    log_density: NDArray[np.float64]
    log_density_error: NDArray[np.float64]
    by_cause: NDArray[np.float64]
    by_leak: NDArray[np.float64]
    by_others: NDArray[np.float64]


class _Group(NamedTuple):
    """A group of causes of a row, tied by ones, and the state of the one that is being looked at.

    used: how many causes, ones and asked cells. member: causes. one, asked: variables. place: where a
    variable is among these. n_ones: of each cause how many links to ones; one_of and one_off: to which of the
    ones, and 1 − strength; n_asked, asked_of, asked_off: the same for asked cells. on: which causes are at
    work. one_now, asked_now: chances of 0 given these (asked: without leak). chance, asked_mean: what comes
    out.
    """

    used: NDArray[np.int64]
    member: NDArray[np.int64]
    one: NDArray[np.int64]
    asked: NDArray[np.int64]
    place: NDArray[np.int64]
    n_ones: NDArray[np.int64]
    one_of: NDArray[np.int64]
    one_off: NDArray[np.float64]
    n_asked: NDArray[np.int64]
    asked_of: NDArray[np.int64]
    asked_off: NDArray[np.float64]
    on: NDArray[np.bool_]
    one_now: NDArray[np.float64]
    asked_now: NDArray[np.float64]
    chance: NDArray[np.float64]
    asked_mean: NDArray[np.float64]


@compiled
def _root(parent: NDArray[np.int64], j: int) -> int:
    while parent[j] != j:
        parent[j] = parent[parent[j]]
        j = parent[j]
    return j


@compiled
def _reset(group: _Group, leak: NDArray[np.float64]) -> None:
    """Put no cause of the group to work."""
    for a in range(group.used[0]):
        group.on[a] = False
    for b in range(group.used[1]):
        group.one_now[b] = 1.0 - leak[group.one[b]]
    for b in range(group.used[2]):
        group.asked_now[b] = 1.0


@compiled
def _flip(group: _Group, a: int) -> None:
    """Put a cause to work, or to rest."""
    group.on[a] = not group.on[a]
    if group.on[a]:
        for n in range(group.n_ones[a]):
            group.one_now[group.one_of[a, n]] *= group.one_off[a, n]
        for n in range(group.n_asked[a]):
            group.asked_now[group.asked_of[a, n]] *= group.asked_off[a, n]
    else:
        for n in range(group.n_ones[a]):
            group.one_now[group.one_of[a, n]] /= group.one_off[a, n]
        for n in range(group.n_asked[a]):
            group.asked_now[group.asked_of[a, n]] /= group.asked_off[a, n]


@compiled
def _log_ones(group: _Group, leak: NDArray[np.float64]) -> float:
    """Return the log chance of the group's ones in the state it is in."""
    log, product = 0.0, 1.0
    for b in range(group.used[1]):
        # never less than the leak, which 1 − (1 − leak) would lose where it is tiny
        product *= max(1.0 - group.one_now[b], leak[group.one[b]])
        if product < SMALL:
            log += math.log(product)
            product = 1.0
    return log + math.log(product)


@compiled
def _log_gain(group: _Group, a: int, leak: NDArray[np.float64]) -> float:
    """Return the log of how much likelier a cause that is at rest would make the ones it is linked to."""
    log, product = 0.0, 1.0
    for n in range(group.n_ones[a]):
        b = group.one_of[a, n]
        least = leak[group.one[b]]
        off = group.one_now[b]
        product *= max(1.0 - off * group.one_off[a, n], least) / max(1.0 - off, least)
        if product > 1.0 / SMALL:
            log += math.log(product)
            product = 1.0
    return log + math.log(product)


@compiled
def _credit(
    row: int,
    group: _Group,
    weight: float,
    label: NDArray[np.int64],
    leak: NDArray[np.float64],
    answers: Answers,
) -> None:
    """Add the state the group is in, with a weight, to what is asked of it."""
    for b in range(group.used[2]):
        group.asked_mean[b] += weight * group.asked_now[b]
    if answers.by_leak.shape[0] > 0:
        for b in range(group.used[1]):
            i = group.one[b]
            answers.by_leak[row, i] += weight * leak[i] / max(1.0 - group.one_now[b], leak[i])
        for a in range(group.used[0]):
            if group.on[a]:
                for n in range(group.n_ones[a]):
                    b = group.one_of[a, n]
                    i = group.one[b]
                    part = weight * (1.0 - group.one_off[a, n]) / max(1.0 - group.one_now[b], leak[i])
                    if label[group.member[a]] >= 0:
                        answers.by_cause[row, label[group.member[a]], i] += part
                    else:
                        answers.by_others[row, i] += part


@compiled
def _sum_out(
    row: int,
    group: _Group,
    log_odds: NDArray[np.float64],
    log_weight: NDArray[np.float64],
    label: NDArray[np.int64],
    leak: NDArray[np.float64],
    answers: Answers,
) -> float:
    """Go through all states of a group, each one cause away from the last; return the log of their sum."""
    m = group.used[0]
    n_states = 1 << m
    _reset(group, leak)
    log_prior = 0.0
    log_weight[0] = _log_ones(group, leak)
    most = log_weight[0]
    for t in range(1, n_states):
        a = 0
        while not (t >> a) & 1:
            a += 1
        _flip(group, a)
        log_prior += log_odds[group.member[a]] if group.on[a] else -log_odds[group.member[a]]
        log_weight[t] = log_prior + _log_ones(group, leak)
        most = max(most, log_weight[t])
    total = 0.0
    for t in range(n_states):
        log_weight[t] = math.exp(log_weight[t] - most)
        total += log_weight[t]
    for a in range(m):
        group.chance[a] = 0.0
    _reset(group, leak)
    for t in range(n_states):
        if t:
            a = 0
            while not (t >> a) & 1:
                a += 1
            _flip(group, a)
        weight = log_weight[t] / total
        for a in range(m):
            if group.on[a]:
                group.chance[a] += weight
        _credit(row, group, weight, label, leak, answers)
    return most + math.log(total)


@compiled
def _sample(
    row: int,
    group: _Group,
    log_odds: NDArray[np.float64],
    stream: NDArray[np.uint64],
    sweeps: int,
    label: NDArray[np.int64],
    leak: NDArray[np.float64],
    answers: Answers,
) -> None:
    """Do what `_sum_out` does by Gibbs sweeps, a quarter as many before them unused."""
    m = group.used[0]
    _reset(group, leak)
    for a in range(m):
        group.chance[a] = 0.0
        if bernoulli(stream, 1.0 / (1.0 + math.exp(-log_odds[group.member[a]]))):
            _flip(group, a)
    unused = sweeps // 4
    for sweep in range(unused + sweeps):
        for a in range(m):
            if group.on[a]:
                _flip(group, a)
            chance = 1.0 / (1.0 + math.exp(-log_odds[group.member[a]] - _log_gain(group, a, leak)))
            if bernoulli(stream, chance):
                _flip(group, a)
            if sweep >= unused:
                group.chance[a] += chance / sweeps
        if sweep >= unused:
            _credit(row, group, 1.0 / sweeps, label, leak, answers)


@compiled
def _log_sum_estimate(
    group: _Group,
    log_odds: NDArray[np.float64],
    stream: NDArray[np.uint64],
    log_weight: NDArray[np.float64],
    leak: NDArray[np.float64],
) -> tuple[float, float]:
    """Estimate the log of the sum over states by importance sampling from the chances; and its error."""
    n = log_weight.size
    m = group.used[0]
    most = -np.inf
    for t in range(n):
        _reset(group, leak)
        log = 0.0
        for a in range(m):
            q = min(max(group.chance[a], PROPOSED), 1.0 - PROPOSED)
            if bernoulli(stream, q):
                _flip(group, a)
                log += log_odds[group.member[a]] - math.log(q)
            else:
                log -= math.log1p(-q)
        log_weight[t] = log + _log_ones(group, leak)
        most = max(most, log_weight[t])
    first, second = 0.0, 0.0
    for t in range(n):
        weight = math.exp(log_weight[t] - most)
        first += weight / n
        second += weight * weight / n
    return most + math.log(first), math.sqrt(max(0.0, second / (first * first) - 1.0) / n)


@compiled_door
def infer_rows(
    cells: NDArray[np.int8],
    asked: NDArray[np.bool_],
    key: NDArray[np.uint64],
    worlds: Worlds,
    answers: Answers,
    seed: np.uint64,
    purpose: np.int64,
    largest: int,
    sweeps: int,
) -> None:
    """Add to the answers what every draw says of every row.

    Parameters
    ----------
    cells
        Rows × variables: 0, 1, or −1 for missing.
    asked
        Cells (not ones) whose chance of being 0 is asked.
    key
        Names the streams of a row.
    worlds, answers
        The draws, and where to add.
    seed, purpose
        The rest of the streams' names.
    largest
        The most causes of a group that is summed over exactly.
    sweeps
        Gibbs sweeps for larger ones.
    """
    n_rows, n_variables = cells.shape
    n_draws = worlds.start.size - 1
    k_most = 1
    for s in range(n_draws):
        k_most = max(k_most, worlds.start[s + 1] - worlds.start[s])
    parent, head, after = (np.empty(k_most, np.int64), np.empty(k_most, np.int64), np.empty(k_most, np.int64))
    one_head, one_after = np.empty(k_most, np.int64), np.empty(n_variables, np.int64)
    owner = np.empty(n_variables, np.int64)
    log_odds, log_weight = np.empty(k_most), np.empty(1 << largest)
    row_off = np.empty(n_variables)
    group = _Group(
        np.zeros(3, np.int64),
        np.empty(k_most, np.int64),
        np.empty(n_variables, np.int64),
        np.empty(n_variables, np.int64),
        np.full(n_variables, -1),
        np.empty(k_most, np.int64),
        np.empty((k_most, n_variables), np.int64),
        np.empty((k_most, n_variables)),
        np.empty(k_most, np.int64),
        np.empty((k_most, n_variables), np.int64),
        np.empty((k_most, n_variables)),
        np.zeros(k_most, np.bool_),
        np.empty(n_variables),
        np.empty(n_variables),
        np.empty(k_most),
        np.empty(n_variables),
    )
    wants_off, wants_density = answers.off.shape[0] > 0, answers.log_density.shape[0] > 0
    wants_parts = answers.by_leak.shape[0] > 0
    for row in range(n_rows):
        for s in range(n_draws):
            first = worlds.start[s]
            k = worlds.start[s + 1] - first
            leak = worlds.leak[s]
            label = worlds.label[first : first + k]
            density, error = 0.0, 0.0
            for i in range(n_variables):
                owner[i] = -1
                row_off[i] = 1.0 - leak[i]
            # what zeros say of each cause, and which causes ones tie together
            for j in range(k):
                parent[j], head[j], one_head[j] = j, -1, -1
                log_odds[j] = worlds.log_odds[first + j]
                density += worlds.log_absent[first + j]
                for link in range(worlds.link_start[first + j], worlds.link_start[first + j + 1]):
                    i = worlds.link_variable[link]
                    if cells[row, i] == 0:
                        log_odds[j] += worlds.log_off[link]
                    elif cells[row, i] == 1:
                        if owner[i] < 0:
                            owner[i] = j
                        else:
                            a, b = _root(parent, owner[i]), _root(parent, j)
                            parent[max(a, b)] = min(a, b)
            for j in range(k - 1, -1, -1):
                root = _root(parent, j)
                after[j] = head[root]
                head[root] = j
            for i in range(n_variables):
                if cells[row, i] == 0:
                    density += worlds.log_off_leak[s, i]
                elif cells[row, i] == 1:
                    if owner[i] < 0:
                        density += math.log(leak[i])
                        if wants_parts:
                            answers.by_leak[row, i] += 1.0
                    else:
                        root = _root(parent, owner[i])
                        one_after[i] = one_head[root]
                        one_head[root] = i
            opened = False
            stream = np.empty(2, np.uint64)
            for root in range(k):
                if parent[root] != root:
                    continue
                if one_head[root] < 0:
                    # no one asks for this cause: it stands alone, and zeros have said all there is to say
                    chance = 1.0 / (1.0 + math.exp(-log_odds[root]))
                    if label[root] >= 0:
                        answers.at_work[row, label[root]] += chance
                    if wants_density:
                        density += max(log_odds[root], 0.0) + math.log1p(math.exp(-abs(log_odds[root])))
                    if wants_off:
                        for link in range(
                            worlds.link_start[first + root], worlds.link_start[first + root + 1]
                        ):
                            row_off[worlds.link_variable[link]] *= 1.0 - chance * (1.0 - worlds.off[link])
                    continue
                # gather the group
                m, n_ones, n_asked = 0, 0, 0
                i = one_head[root]
                while i >= 0:
                    group.one[n_ones], group.place[i] = i, n_ones
                    n_ones += 1
                    i = one_after[i]
                j = head[root]
                while j >= 0:
                    group.member[m] = j
                    m += 1
                    if wants_off:
                        for link in range(worlds.link_start[first + j], worlds.link_start[first + j + 1]):
                            i = worlds.link_variable[link]
                            if asked[row, i] and group.place[i] < 0:
                                group.asked[n_asked], group.place[i] = i, n_asked
                                n_asked += 1
                    j = after[j]
                group.used[0], group.used[1], group.used[2] = m, n_ones, n_asked
                for a in range(m):
                    to_ones, to_asked, j = 0, 0, group.member[a]
                    for link in range(worlds.link_start[first + j], worlds.link_start[first + j + 1]):
                        i = worlds.link_variable[link]
                        if cells[row, i] == 1:
                            group.one_of[a, to_ones] = group.place[i]
                            group.one_off[a, to_ones] = worlds.off[link]
                            to_ones += 1
                        elif group.place[i] >= 0:
                            group.asked_of[a, to_asked] = group.place[i]
                            group.asked_off[a, to_asked] = worlds.off[link]
                            to_asked += 1
                    group.n_ones[a], group.n_asked[a] = to_ones, to_asked
                for b in range(n_ones):
                    group.place[group.one[b]] = -1
                for b in range(n_asked):
                    group.place[group.asked[b]] = -1
                    group.asked_mean[b] = 0.0
                # infer its activity
                if m <= largest:
                    density += _sum_out(row, group, log_odds, log_weight, label, leak, answers)
                else:
                    if not opened:
                        stream[:] = open_stream(seed, 0, purpose, key[row], s)
                        opened = True
                    _sample(row, group, log_odds, stream, sweeps, label, leak, answers)
                    if wants_density:
                        log_sum, relative = _log_sum_estimate(group, log_odds, stream, log_weight, leak)
                        density += log_sum
                        error = math.sqrt(error * error + relative * relative)
                for a in range(m):
                    if label[group.member[a]] >= 0:
                        answers.at_work[row, label[group.member[a]]] += group.chance[a]
                for b in range(n_asked):
                    row_off[group.asked[b]] *= group.asked_mean[b]
            if wants_off:
                for i in range(n_variables):
                    if asked[row, i]:
                        answers.off[row, i] += row_off[i]
            if wants_density:
                answers.log_density[row, s] = density
                answers.log_density_error[row, s] = error
