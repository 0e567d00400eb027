"""Do the chains agree, and how many independent draws are they worth?"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.errors import ChainsDisagreeWarning, ConvergenceWarning, FewEffectiveDrawsWarning
from hiddencauses.posterior.alignment import Alignment, align
from hiddencauses.posterior.quantities import Quantity, quantities
from hiddencauses.sampling.agreement import (
    ESS_PER_CHAIN,
    FEWEST_DRAWS,
    RHAT_LIMIT,
    effective_draws,
    split_rhat,
    standard_error,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from hiddencauses.sampling.draws import Draws

__all__ = ["Diagnosis", "QuantityDiagnosis", "diagnose"]

#: A cause is only some chains' when its share of draws differs between two chains by as much as this.
CHAIN_DIFFERENCE = 0.5


@dataclass(frozen=True, slots=True)
class QuantityDiagnosis:
    """What the chains say of one quantity.

    Attributes
    ----------
    kind, name
        See `Quantity`.
    mean, sd
        Over all draws.
    mcse
        Monte-Carlo standard error of the mean; 0 for a constant.
    ess_bulk, ess_tail
        Effective draws for the middle and for the tails; NaN where undefined, as for a constant.
    rhat
        Rank-normalised split R-hat; 1 for a constant, infinite where each chain sticks to a number of its
        own, NaN with too few draws or a single chain.
    n_draws
        How many draws tell it, of all chains together: fewer for activity where not all of it is kept.
    """

    kind: str
    name: str
    mean: float
    sd: float
    mcse: float
    ess_bulk: float
    ess_tail: float
    rhat: float
    n_draws: int

    @property
    def is_constant(self) -> bool:
        """Whether all draws have the same number."""
        return self.sd == 0.0

    @property
    def fewest_effective(self) -> float:
        """Effective draws for the middle or the tails, whichever are fewer; infinite where undefined."""
        return min((n for n in (self.ess_bulk, self.ess_tail) if not np.isnan(n)), default=float("inf"))


@dataclass(frozen=True, eq=False, slots=True)
class Diagnosis:
    """What the chains say of everything they can be compared by.

    Attributes
    ----------
    quantities
        One for each quantity.
    n_chains, n_draws
        Chains, and draws of each.
    causes_of_some_chains
        Names of causes that only some chains have, each with its share of draws in every chain.
    """

    quantities: tuple[QuantityDiagnosis, ...]
    n_chains: int
    n_draws: int
    causes_of_some_chains: tuple[tuple[str, tuple[float, ...]], ...]

    @property
    def worst_rhat(self) -> QuantityDiagnosis:
        """The quantity with the largest R-hat."""
        return max(self.quantities, key=lambda q: -np.inf if np.isnan(q.rhat) else q.rhat)

    @property
    def fewest_effective(self) -> QuantityDiagnosis:
        """The quantity with the fewest effective draws, in the middle or in the tails."""
        return min(self.quantities, key=lambda q: q.fewest_effective)

    @property
    def chains_agree(self) -> bool:
        """Whether no R-hat is above the limit and no cause belongs to some chains only."""
        return not self.causes_of_some_chains and not self._disagreeing()

    def _disagreeing(self) -> list[QuantityDiagnosis]:
        found = [q for q in self.quantities if q.rhat > RHAT_LIMIT]
        return sorted(found, key=lambda q: -q.rhat)

    def messages(self) -> list[tuple[type[Warning], str]]:
        """Return what is to be warned of: a class and one line each, with what to do."""
        said: list[tuple[type[Warning], str]] = []
        if self.n_draws < FEWEST_DRAWS:
            text = f"chains of {self.n_draws} draws cannot be compared; take at least 1000 draws"
            return [(FewEffectiveDrawsWarning, text)]
        if self.n_chains == 1:
            text = "there is one chain only, so nothing tells whether another would agree with it; fit with 4"
            said.append((ConvergenceWarning, text))
        apart = self._disagreeing()
        if apart:
            more = f" and {len(apart) - 1} more of {len(self.quantities)} quantities" * (len(apart) > 1)
            said.append(
                (
                    ChainsDisagreeWarning,
                    f"chains disagree on the {apart[0].name} (R-hat {apart[0].rhat:.2f}, should be at most "
                    f"{RHAT_LIMIT}){more}; take a longer warm-up and more draws",
                )
            )
        for name, shares in self.causes_of_some_chains:
            shown = ", ".join(f"{share:.0%}" for share in shares)
            said.append(
                (
                    ChainsDisagreeWarning,
                    f"not all chains have the cause {name!r} (share of draws by chain: {shown}); "
                    "take a longer warm-up, and until then do not rely on it",
                )
            )
        few = [q for q in self.quantities if q.fewest_effective < self._needed(q)]
        if few:
            worst = min(few, key=lambda q: q.fewest_effective)
            said.append(
                (
                    FewEffectiveDrawsWarning,
                    f"of {worst.n_draws} draws {worst.fewest_effective:.0f} are effective for the "
                    f"{worst.name}, fewer than {self._needed(worst)}; take more draws before relying on "
                    "its interval",
                )
            )
        return said

    def _needed(self, quantity: QuantityDiagnosis) -> int:
        """Return how many effective draws are enough; where few are kept, half of these are."""
        enough = ESS_PER_CHAIN * self.n_chains
        kept_of_all = quantity.n_draws == self.n_chains * self.n_draws
        return enough if kept_of_all else min(enough, quantity.n_draws // 2)

    def warn(self) -> None:
        """Warn of what `messages` says."""
        for kind, text in self.messages():
            warnings.warn(text, kind, stacklevel=2)

    def to_frame(self) -> pa.Table:
        """Return a row for each quantity."""
        import pyarrow as pa

        names = ("kind", "name", "mean", "sd", "mcse", "ess_bulk", "ess_tail", "rhat")
        return pa.table({n: [getattr(q, n) for q in self.quantities] for n in names})


def diagnose(draws: Draws, *, alignment: Alignment | None = None) -> Diagnosis:
    """Compare the chains of a run; `warn()` of what comes back warns where they disagree.

    Parameters
    ----------
    draws
        Draws from the posterior.
    alignment
        Their alignment, where it is there already.
    """
    aligned = align(draws) if alignment is None else alignment
    found = tuple(_of_quantity(quantity) for quantity in quantities(aligned.causes))
    return Diagnosis(found, draws.n_chains, draws.n_draws, _of_some_chains(aligned))


def _of_quantity(quantity: Quantity) -> QuantityDiagnosis:
    values = np.ascontiguousarray(quantity.values, dtype=np.float64)
    mean, sd = float(values.mean()), float(values.std(ddof=1)) if values.size > 1 else 0.0
    return QuantityDiagnosis(
        quantity.kind,
        quantity.name,
        mean,
        sd if np.ptp(values) else 0.0,
        standard_error(values),
        effective_draws(values, "bulk"),
        effective_draws(values, "tail"),
        split_rhat(values),
        values.size,
    )


def _of_some_chains(alignment: Alignment) -> tuple[tuple[str, tuple[float, ...]], ...]:
    shares = alignment.exists_by_chain
    if not shares.size:
        return ()
    apart = np.flatnonzero(np.ptp(shares, axis=1) >= CHAIN_DIFFERENCE)
    return tuple((alignment.names[k], tuple(float(s) for s in shares[k])) for k in apart)
