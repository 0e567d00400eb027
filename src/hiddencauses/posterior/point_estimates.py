"""One structure for all: the links that stand for the posterior when a single answer is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.posterior.alignment import Alignment
from hiddencauses.posterior.structure_errors import expected_structure_errors, shared_causes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.posterior.collection import Collection

__all__ = ["Structure", "consensus_structure", "highest_structure", "median_structure"]


@dataclass(frozen=True, eq=False, slots=True)
class Structure:
    """Links, and where they are from.

    Attributes
    ----------
    links
        Variables × causes, most prevalent first.
    chain, draw
        The draw they are from; None where they are from no single one.
    """

    links: NDArray[np.int8]
    chain: int | None = None
    draw: int | None = None


def highest_structure(alignment: Alignment) -> Structure:
    """Return the structure of the draw with the highest log joint density (the paper's Fig. 6).

    With strengths per cause or per link densities are not comparable across numbers of causes or links;
    see `Draws.log_joint`.
    """
    causes = alignment.causes
    return _of_draw(causes, int(np.argmax(causes.draws.log_joint)))


def consensus_structure(alignment: Alignment) -> Structure:
    """Return the structure, of those in the draws, with the least expected structure error."""
    causes = alignment.causes
    return _of_draw(causes, int(np.argmin(expected_structure_errors(shared_causes(causes)))))


def median_structure(alignment: Alignment) -> Structure:
    """Return the links that more than half of the draws have, of the aligned causes that keep any."""
    unconditional = alignment.link_probability * alignment.exists
    links = (unconditional > 0.5).astype(np.int8)
    return Structure(links[:, links.any(axis=0)])


def _of_draw(causes: Collection, number: int) -> Structure:
    of_draw = slice(causes.start[number], causes.start[number + 1])
    links = np.asarray(causes.links[of_draw].toarray()).T.astype(np.int8)
    at_work, prevalence = causes.at_work[of_draw], causes.prevalence[of_draw]
    by_rows = np.argsort(-np.where(np.isnan(at_work), prevalence, at_work), kind="stable")
    return Structure(links[:, by_rows], *causes.where(number))
