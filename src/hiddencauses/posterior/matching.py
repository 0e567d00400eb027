"""Which causes of which draws are the same: linear assignment to a reference found from the draws.

A cause is known by where its strength goes: two are alike as far as the cosine of the angle between their
strengths over all variables is near 1, so that a weak link more or less matters little. Activity, on some of
the rows, decides between causes that drive the same variables. In one draw no two causes are the same one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hiddencauses.posterior.collection import Collection

__all__ = ["LEAST_LIKENESS", "NOBODY", "match"]

#: Causes less alike than this are never the same. One link of two equally strong ones gives 0.71.
LEAST_LIKENESS = 0.75
#: What activity counts beside strengths. It only decides between causes that are alike enough.
ACTIVITY_WEIGHT = 0.25
#: New references are sought among so many causes, and only where at least this share of draws has them.
SOUGHT_AMONG, LEAST_SHARE = 1500, 0.005
#: References at most, and rounds of looking for new ones and of moving them.
MOST_REFERENCES, ROUNDS, MOVES = 200, 8, 8
#: Two references are one when they are as alike as this, or at work in the same rows as nearly as this, and
#: hardly ever in one draw: a cause with many uncertain links, found several times.
SAME_LIKENESS, SAME_ROWS, TOGETHER = 0.9, 0.85, 0.05

#: The label of a cause that is like no reference.
NOBODY = -1


class _Features(NamedTuple):
    """Strengths and activity of all causes, each cause's of length 1, and what they were before."""

    strengths: csr_array
    unit_strengths: csr_array
    unit_activity: csr_array


def match(causes: Collection, beginning: int) -> NDArray[np.int64]:
    """Return a label for every cause: causes with the same one, all of different draws, are the same.

    Parameters
    ----------
    causes
        The causes of all draws.
    beginning
        Number of the draw whose causes are the first references.
    """
    if causes.n_causes == 0:
        return np.zeros(0, dtype=np.int64)
    features = _Features(causes.strengths, _unit(causes.strengths), _unit(causes.activity_in_rows))
    labels = np.full(causes.n_causes, NOBODY)
    first = slice(causes.start[beginning], causes.start[beginning + 1])
    labels[first] = np.arange(first.stop - first.start)
    labels = _settled(causes, features, labels)
    for _ in range(ROUNDS):
        found = _with_new_references(causes, features, labels)
        if found is None:
            break
        labels = _settled(causes, features, found)
    return _settled(causes, features, _merged(causes, features, labels))


def _unit(vectors: csr_array) -> csr_array:
    """Scale rows to length 1; a row of zeros stays."""
    from scipy.sparse import diags_array

    lengths = np.sqrt(np.asarray(vectors.power(2).sum(axis=1)).ravel())
    scaled: csr_array = (diags_array(1.0 / np.where(lengths > 0, lengths, 1.0)) @ vectors).tocsr()
    return scaled


def _settled(causes: Collection, features: _Features, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Move references to the middle of their causes and assign anew, until nothing changes."""
    for _ in range(MOVES):
        labels = _without_gaps(labels)
        moved = _assigned(causes, *_scores(features, labels))
        if np.array_equal(moved, labels):
            break
        labels = moved
    return _without_gaps(labels)


def _without_gaps(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the labels in use 0, 1, 2, …"""
    used = np.unique(labels[labels != NOBODY])
    numbers = np.full(int(labels.max(initial=0)) + 2, NOBODY)
    numbers[used] = np.arange(len(used))
    return np.asarray(numbers[labels])  # the last entry is for NOBODY


def _scores(
    features: _Features, labels: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return likeness, and likeness with activity, of every cause and every reference."""
    # references are few and have no zeros to speak of: as full arrays they multiply faster
    strengths, activity = (
        _unit(_means(vectors, labels)).toarray() for vectors in (features.strengths, features.unit_activity)
    )
    likeness = np.asarray(features.unit_strengths @ strengths.T)
    return likeness, likeness + ACTIVITY_WEIGHT * np.asarray(features.unit_activity @ activity.T)


def _means(vectors: csr_array, labels: NDArray[np.int64]) -> csr_array:
    """Average the vectors of causes with the same label: labels × width."""
    from scipy.sparse import csr_array

    members = np.flatnonzero(labels != NOBODY)
    n_labels = int(labels.max(initial=NOBODY)) + 1
    counts = np.bincount(labels[members], minlength=n_labels)
    average = csr_array((1.0 / counts[labels[members]], (labels[members], members)), (n_labels, len(labels)))
    means: csr_array = (average @ vectors).tocsr()
    return means


def _assigned(
    causes: Collection, likeness: NDArray[np.float64], score: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Assign the causes of each draw to different references with the largest total score."""
    from scipy.optimize import linear_sum_assignment

    labels = np.full(causes.n_causes, NOBODY)
    if score.shape[1] == 0:
        return labels
    allowed = likeness >= LEAST_LIKENESS
    score = np.where(allowed, score, 0.0)
    best = np.argmax(score, axis=1)
    has = allowed[np.arange(len(best)), best]
    labels[has] = best[has]
    # Where every cause of a draw likes another reference best, this is the assignment already.
    pairs = causes.draw_of[has] * score.shape[1] + best[has]
    _, where, often = np.unique(pairs, return_inverse=True, return_counts=True)
    for number in np.unique(causes.draw_of[has][often[where] > 1]):
        of_draw = slice(causes.start[number], causes.start[number + 1])
        mine, reference = linear_sum_assignment(score[of_draw], maximize=True)
        chosen = np.full(of_draw.stop - of_draw.start, NOBODY)
        good = allowed[of_draw][mine, reference]
        chosen[mine[good]] = reference[good]
        labels[of_draw] = chosen
    return labels


def _with_new_references(
    causes: Collection, features: _Features, labels: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Make references of causes that many draws have and no reference is like; None when there are none."""
    left = np.flatnonzero(labels == NOBODY)
    n_labels = int(labels.max(initial=NOBODY)) + 1
    least = max(2.0, LEAST_SHARE * causes.n_draws)
    if len(left) < least or n_labels >= MOST_REFERENCES:
        return None
    some = left[np.unique(np.linspace(0, len(left) - 1, min(len(left), SOUGHT_AMONG)).astype(np.int64))]
    vectors = features.unit_strengths[some]
    alike = np.asarray((vectors @ vectors.T).toarray()) >= LEAST_LIKENESS
    least *= len(some) / len(left)
    labels, free, found = labels.copy(), np.ones(len(some), dtype=np.bool_), 0
    while n_labels + found < MOST_REFERENCES:
        counts = (alike & free).sum(axis=1) * free
        middle = int(np.argmax(counts))
        if counts[middle] < max(least, 2.0 if len(some) == len(left) else 1.0):
            break
        members = alike[middle] & free
        # one of a draw: a second one alike is a reference of its own, found in the next round
        _, firsts = np.unique(causes.draw_of[some[members]], return_index=True)
        labels[some[members][firsts]] = n_labels + found
        free &= ~members
        found += 1
    return labels if found else None


def _merged(causes: Collection, features: _Features, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Merge references that are alike and hardly ever found in one draw: one cause, found twice."""
    n_labels = int(labels.max(initial=NOBODY)) + 1
    if n_labels < 2:
        return labels
    likeness, in_activity = (
        (means @ means.T).toarray()
        for means in (
            _unit(_means(vectors, labels)) for vectors in (features.strengths, features.unit_activity)
        )
    )
    same = (likeness >= SAME_LIKENESS) | ((likeness >= LEAST_LIKENESS) & (in_activity >= SAME_ROWS))
    present = np.zeros((n_labels, causes.n_draws))
    held = labels != NOBODY
    present[labels[held], causes.draw_of[held]] = 1.0
    together = present @ present.T
    seen = np.diag(together)
    name = np.arange(n_labels)
    for a, b in zip(*np.nonzero(np.triu(same, 1)), strict=True):
        if together[a, b] <= TOGETHER * min(seen[a], seen[b]):
            name[name == name[b]] = name[a]
    return np.where(held, name[labels], NOBODY)
