"""A world: one complete setting of everything the model leaves open, for a table of given size.

Worlds are what simulation returns as truth, what densities are evaluated at, and what a draw of a
sampler unpacks to. Orientation is the user's: links are variables × causes, activity rows × causes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.errors import UserError
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.model.spec import Finite, ModelSpec

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Parameters", "World", "adjacency"]


@dataclass(frozen=True, eq=False, slots=True)
class Parameters:
    """The four parameters, each in the shape of its scope.

    Attributes
    ----------
    strength
        λ: one number, one per cause, or variables × causes (NaN where there is no link).
    leak
        ε: one number, or one per variable.
    prevalence
        p: one number, or one per cause.
    concentration
        α: one number.
    """

    strength: NDArray[np.float64]
    leak: NDArray[np.float64]
    prevalence: NDArray[np.float64]
    concentration: float


@dataclass(frozen=True, eq=False, slots=True)
class World:
    """Links, activity and parameters.

    Attributes
    ----------
    links
        Z as variables × causes, int8. In the finite model a cause may have no link.
    activity
        Y as rows × causes, int8.
    parameters
        λ, ε, p and α.
    """

    links: NDArray[np.int8]
    activity: NDArray[np.int8]
    parameters: Parameters

    @property
    def n_total(self) -> int:
        """How many causes there are, linked or not (K)."""
        return int(self.links.shape[1])

    @property
    def n_causes(self) -> int:
        """How many causes have a link (K₊)."""
        return int(self.links.any(axis=0).sum())

    def check(self, spec: ModelSpec, *, table_shape: tuple[int, int] | None = None) -> None:
        """Refuse a world whose parts do not fit each other, the spec, or a table of (rows, variables)."""
        n_variables, k = self.links.shape
        if self.activity.shape[1] != k:
            raise UserError(
                f"links have {k} causes and activity has {self.activity.shape[1]}; they must agree"
            )
        if table_shape is not None and table_shape != (len(self.activity), n_variables):
            raise UserError(
                f"the world is for {len(self.activity)} rows and {n_variables} variables, "
                f"the table has {table_shape[0]} and {table_shape[1]}; they must agree"
            )
        for name, array in (("links", self.links), ("activity", self.activity)):
            if not np.isin(array, (0, 1)).all():
                raise UserError(f"{name} holds values other than 0 and 1")
        if isinstance(spec.causes, Finite):
            if table_shape is not None and spec.causes.prior_on_k.log_mass(k) == -np.inf:
                raise UserError(
                    f"the world has {k} causes, which the prior on K excludes; choose another number"
                )
        elif self.n_causes != k:
            raise UserError(
                "a cause without a link has no place in the model of unbounded causes; leave it out"
            )
        shapes = expected_shapes(spec, n_variables, k)
        for name, shape in shapes.items():
            value = getattr(self.parameters, name)
            if np.shape(value) != shape:
                raise UserError(
                    f"{name} has shape {np.shape(value)}; "
                    f"scope {getattr(spec, name + '_scope')} asks for {shape}"
                )
            used = value[self.links == 1] if name == "strength" and len(shape) == 2 else value
            if not ((np.asarray(used) > 0) & (np.asarray(used) < 1)).all():
                raise UserError(f"{name} holds a value that is not strictly between 0 and 1")
            fixed = getattr(spec, name)
            if not isinstance(fixed, Beta) and not np.all(np.asarray(used) == fixed):
                raise UserError(f"{name} differs from {fixed}, at which the spec fixes it; make them agree")
        alpha = self.parameters.concentration
        if not 0 < alpha < np.inf:
            raise UserError(f"concentration is {alpha}; it must be a finite number above 0")
        if not isinstance(spec.concentration, Gamma) and alpha != spec.concentration:
            raise UserError(f"concentration differs from {spec.concentration}, at which the spec fixes it")

    def permuted(self, *, causes: ArrayLike | None = None) -> World:
        """Return the same world with its causes in another order."""
        order = np.arange(self.n_total) if causes is None else np.asarray(causes)
        par = self.parameters
        strength = par.strength if par.strength.ndim == 0 else par.strength[..., order]
        prevalence = par.prevalence if par.prevalence.ndim == 0 else par.prevalence[order]
        return World(
            self.links[:, order],
            self.activity[:, order],
            Parameters(strength, par.leak, prevalence, par.concentration),
        )


def expected_shapes(spec: ModelSpec, n_variables: int, k: int) -> dict[str, tuple[int, ...]]:
    """Return the shape each scoped parameter has under a spec."""
    return {
        "strength": {"shared": (), "per_cause": (k,), "per_link": (n_variables, k)}[spec.strength_scope],
        "leak": {"shared": (), "per_variable": (n_variables,)}[spec.leak_scope],
        "prevalence": {"shared": (), "per_cause": (k,)}[spec.prevalence_scope],
    }


def adjacency(links: ArrayLike) -> NDArray[np.int8]:
    """Return G of Eq. 1: the adjacency matrix of the whole graph, variables first, then causes.

    Entry (i, j) is 1 when an edge leads from node j to node i. The block of edges between variables is
    zero: this model has none yet.

    Examples
    --------
    >>> adjacency([[1], [1]])
    array([[0, 0, 1],
           [0, 0, 1],
           [0, 0, 0]], dtype=int8)
    """
    block = np.asarray(links, dtype=np.int8)
    n_variables, k = block.shape
    graph = np.zeros((n_variables + k, n_variables + k), dtype=np.int8)
    graph[:n_variables, n_variables:] = block
    return graph
