"""The draws of a run in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.errors import UserError
from hiddencauses.kernels.state import COUNTERS
from hiddencauses.model.spec import ModelSpec
from hiddencauses.model.world import Parameters, World

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ChainDraws", "Draws"]


@dataclass(frozen=True, eq=False, slots=True)
class ChainDraws:
    """The draws of one chain, packed.

    Attributes
    ----------
    scalars
        Draws × `kernels.recording.SCALARS`.
    leak
        Draws × 1, or draws × variables.
    octets, octets_end
        Links and activity of every cause, 8 to a byte; where each draw's end. In a draw whose activity is not
        kept (`Draws.activity_every`) links only.
    reals, reals_end
        Parameters that belong to causes; where each draw's end.
    counters
        What was counted over the kept draws (`kernels.state.COUNTERS`).
    """

    scalars: NDArray[np.float64]
    leak: NDArray[np.float64]
    octets: NDArray[np.uint8]
    octets_end: NDArray[np.int64]
    reals: NDArray[np.float64]
    reals_end: NDArray[np.int64]
    counters: NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Draws:
    """Draws from the posterior.

    Attributes
    ----------
    spec
        The model.
    seed
        The seed that gives the same draws again.
    sampler
        Which sampler made them.
    columns
        Names of the variables.
    n_rows
        Rows of the table.
    packed
        The draws of each chain as they are kept; use the properties and methods instead.
    activity_every
        Activity is kept of draws 0, n, 2n, …; of every draw when 1. Runs on disk of many rows keep fewer.
    """

    spec: ModelSpec
    seed: int
    sampler: str
    columns: tuple[str, ...]
    n_rows: int
    packed: tuple[ChainDraws, ...]
    activity_every: int = 1

    @property
    def n_chains(self) -> int:
        """How many chains there are."""
        return len(self.packed)

    @property
    def n_draws(self) -> int:
        """How many draws each chain kept."""
        return len(self.packed[0].scalars)

    def __repr__(self) -> str:
        size = f"{self.n_chains} chains × {self.n_draws} draws"
        return f"Draws({size}, sampler={self.sampler!r}, seed={self.seed})"

    # -- one number per draw: arrays chains × draws ------------------------------------------------

    @property
    def n_causes(self) -> NDArray[np.int64]:
        """Number of causes with a link (K₊), chains × draws."""
        return self._scalar(0).astype(np.int64)

    @property
    def n_total(self) -> NDArray[np.int64]:
        """Number of causes, linked or not (K of the finite model), chains × draws."""
        return self._scalar(1).astype(np.int64)

    @property
    def log_joint(self) -> NDArray[np.float64]:
        """Log joint density of the unordered set of causes with table and parameters, chains × draws.

        With a prevalence per cause these are integrated out. Strengths per cause or per link are not (there
        is no closed form), so with them values are not comparable across numbers of causes or links.
        """
        return self._scalar(2)

    @property
    def strength(self) -> NDArray[np.float64]:
        """Shared strength, chains × draws."""
        self._need_shared("strength")
        return self._scalar(3)

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """Shared prevalence, chains × draws."""
        self._need_shared("prevalence")
        return self._scalar(4)

    @property
    def concentration(self) -> NDArray[np.float64]:
        """Concentration, chains × draws."""
        return self._scalar(5)

    @property
    def leak(self) -> NDArray[np.float64]:
        """Leak: chains × draws when shared, chains × draws × variables when per variable."""
        stacked = np.stack([chain.leak for chain in self.packed])
        return stacked[..., 0] if self.spec.leak_scope == "shared" else stacked

    def _scalar(self, column: int) -> NDArray[np.float64]:
        return np.stack([chain.scalars[:, column] for chain in self.packed])

    def _need_shared(self, name: str) -> None:
        scope = getattr(self.spec, f"{name}_scope")
        if scope != "shared":
            raise UserError(
                f"{name} is {scope.replace('_', ' ')} here, so draws differ in shape; use world(chain, draw)"
            )

    # -- one draw ----------------------------------------------------------------------------------

    def has_activity(self, draw: int) -> bool:
        """Tell whether the activity of a draw is kept."""
        return draw % self.activity_every == 0

    def links(self, chain: int, draw: int) -> NDArray[np.int8]:
        """Return Z of one draw, variables × causes."""
        n_variables = len(self.columns)
        octets = self._octets(chain, draw)[:, : -(-n_variables // 8)]
        links = np.unpackbits(octets, axis=1, count=n_variables, bitorder="little")
        return links.T.astype(np.int8)

    def activity(self, chain: int, draw: int) -> NDArray[np.int8]:
        """Return Y of one draw, rows × causes; refused for a draw whose activity is not kept."""
        if not self.has_activity(draw):
            raise UserError(
                f"the activity of draw {draw} is not kept: of {self.n_rows:,} rows it is kept in every "
                f"{self.activity_every}th draw only, 0, {self.activity_every}, {2 * self.activity_every}, …"
            )
        octets = self._octets(chain, draw)[:, -(-len(self.columns) // 8) :]
        activity = np.unpackbits(octets, axis=1, count=self.n_rows, bitorder="little")
        return activity.T.astype(np.int8)

    def world(self, chain: int, draw: int) -> World:
        """Return everything about one draw; refused for a draw whose activity is not kept."""
        activity = self.activity(chain, draw)
        return World(self.links(chain, draw), activity, self.parameters(chain, draw))

    def parameters(self, chain: int, draw: int) -> Parameters:
        """Return the parameters of one draw, each in the shape of its scope; all draws have them."""
        links, held = self.links(chain, draw), self.packed[chain]
        own = held.reals[self._start(held.reals_end, draw) : held.reals_end[draw]]
        scalars = held.scalars[draw]
        per_cause = links.shape[1]
        strength = np.asarray(scalars[3])
        prevalence = np.asarray(scalars[4])
        own_strength = self.spec.strength_scope != "shared"
        own_prevalence = self.spec.prevalence_scope != "shared"
        if own_strength:
            strength = np.full((len(links), per_cause), scalars[3])
        if own_prevalence:
            prevalence = np.full(per_cause, scalars[4])
        if len(own):
            at = 0
            strengths_own, prevalences_own = self._own_reals()
            for k in range(per_cause):
                if strengths_own == "per_cause":
                    strength[:, k] = own[at]
                    at += 1
                elif strengths_own == "per_link":
                    linked = links[:, k] == 1
                    strength[linked, k] = own[at : at + linked.sum()]
                    at += int(linked.sum())
                if prevalences_own:
                    prevalence[k] = own[at]
                    at += 1
        if self.spec.strength_scope == "per_cause":
            strength = strength[0] if len(links) else np.zeros(per_cause)
        elif self.spec.strength_scope == "per_link":
            strength = np.where(links == 1, strength, np.nan)
        leak = held.leak[draw]
        return Parameters(
            strength,
            np.asarray(leak[0]) if self.spec.leak_scope == "shared" else leak.copy(),
            prevalence,
            float(scalars[5]),
        )

    def _own_reals(self) -> tuple[str, bool]:
        """Tell which parameters belong to causes and are free, and so are kept with them."""
        from hiddencauses.model.priors import Beta

        strengths = self.spec.strength_scope if isinstance(self.spec.strength, Beta) else "shared"
        return strengths, self.spec.prevalence_scope == "per_cause" and isinstance(self.spec.prevalence, Beta)

    def _octets(self, chain: int, draw: int) -> NDArray[np.uint8]:
        """Return the bits of one draw, a row of octets for each cause."""
        held = self.packed[chain]
        width = -(-len(self.columns) // 8) + (-(-self.n_rows // 8) if self.has_activity(draw) else 0)
        octets = held.octets[self._start(held.octets_end, draw) : held.octets_end[draw]]
        return octets.reshape(int(held.scalars[draw, 1]), width)

    @staticmethod
    def _start(ends: NDArray[np.int64], draw: int) -> int:
        if draw < 0:
            raise IndexError("draws are counted from 0")
        return int(ends[draw - 1]) if draw else 0

    # -- summaries ---------------------------------------------------------------------------------

    def highest(self) -> tuple[int, int]:
        """Return chain and draw of the highest log joint: the highest-posterior structure."""
        chain, draw = np.unravel_index(int(np.argmax(self.log_joint)), self.log_joint.shape)
        return int(chain), int(draw)

    def n_causes_distribution(self) -> NDArray[np.float64]:
        """Return the share of draws with 0, 1, 2, … causes."""
        counts = np.bincount(self.n_causes.ravel())
        return np.asarray(counts / counts.sum())

    @property
    def counters(self) -> dict[str, NDArray[np.int64]]:
        """What was counted over the kept draws, by name: one number per chain."""
        return {
            name: np.array([chain.counters[c] for chain in self.packed]) for c, name in enumerate(COUNTERS)
        }
