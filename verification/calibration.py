"""Ranks of the truth among draws, for tables simulated from the model."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hiddencauses import ModelSpec
from hiddencauses.model.simulate import draw_table, draw_world
from hiddencauses.sampling.convert import kernel_spec, state_of
from verification.cells import data_of
from verification.sbc_models import CalibratedModel
from verification.thinned_chain import QUANTITIES, describe, run_thinned

__all__ = ["DRAWS", "ROWS", "VALUES", "VARIABLES", "Calibration", "calibrate"]

ROWS, VARIABLES = 30, 8
#: Draws that the truth is ranked among; the rank then has one value more.
DRAWS = 127
VALUES = DRAWS + 1
#: Names of streams: chains begin in draws from the prior that have nothing to do with the truth.
STARTS, TIES = 1 << 20, 901


@dataclass(frozen=True, eq=False, slots=True)
class Calibration:
    """What came out.

    Attributes
    ----------
    ranks
        Replicates × quantities, 0 … `DRAWS`.
    neighbours
        Mean correlation of neighbouring draws, per quantity.
    split_r_hat
        Per replicate, the largest R-hat over quantities of the two chains, each cut in two.
    """

    ranks: np.ndarray
    neighbours: np.ndarray
    split_r_hat: np.ndarray


def calibrate(
    model: CalibratedModel, *, replicates: int, seed: int, sampled: ModelSpec | None = None
) -> Calibration:
    """Simulate tables, run two chains on each, and rank the truth among their draws.

    Parameters
    ----------
    model
        The model and sampler.
    replicates
        How many tables.
    seed
        All randomness follows from it.
    sampled
        The spec that the sampler works with when it is not the simulated one: a negative control.
    """
    ranks = np.empty((replicates, len(QUANTITIES)), dtype=np.int64)
    neighbours, r_hats = [], []
    told = sampled or model.spec
    spec = kernel_spec(told)
    truth = np.empty(len(QUANTITIES))
    for r in range(replicates):
        world = draw_world(model.spec, rows=ROWS, variables=VARIABLES, seed=seed, replicate=r)
        data = data_of(draw_table(world, seed=seed, replicate=r).codes())
        describe(state_of(world, model.spec), data, spec, truth)
        chains = []
        for half, size in enumerate(((DRAWS + 1) // 2, DRAWS // 2)):
            start = draw_world(
                told, rows=ROWS, variables=VARIABLES, seed=seed, replicate=STARTS * (half + 1) + r
            )
            found = np.empty((size, len(QUANTITIES)))
            run_thinned(
                model.schedule,
                np.uint64(seed),
                2 * r + half,
                model.warmup,
                model.thin,
                state_of(start, told),
                data,
                spec,
                found,
            )
            chains.append(found)
        ranks[r] = _ranks(truth, np.concatenate(chains), seed, r)
        neighbours.append(np.mean([_neighbour_correlation(chain) for chain in chains], axis=0))
        r_hats.append(_split_r_hat(chains))
    return Calibration(ranks, np.mean(neighbours, axis=0), np.array(r_hats))


def _ranks(truth: np.ndarray, draws: np.ndarray, seed: int, replicate: int) -> np.ndarray:
    """Return how many draws lie below the truth; ties, as numbers of causes have, are broken at random."""
    name = np.random.SeedSequence([seed, TIES, replicate])
    rng = np.random.Generator(np.random.Philox(name))
    # a density summed in another order is the same density
    close = np.isclose(draws, truth, rtol=1e-12, atol=0.0)
    below, tied = ((draws < truth) & ~close).sum(axis=0), close.sum(axis=0)
    return np.asarray(below + rng.integers(0, tied + 1))


def _neighbour_correlation(chain: np.ndarray) -> np.ndarray:
    """Return the correlation of neighbouring draws, 0 where nothing varies."""
    centred = chain - chain.mean(axis=0)
    product, square = (centred[1:] * centred[:-1]).sum(axis=0), (centred**2).sum(axis=0)
    return np.divide(product, square, out=np.zeros_like(product), where=square > 0)


def _split_r_hat(chains: list[np.ndarray]) -> float:
    """Return the largest R-hat over quantities, of four half chains."""
    length = min(len(chain) for chain in chains) // 2
    halves = np.stack([part for chain in chains for part in (chain[:length], chain[-length:])])
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = halves.mean(axis=1).var(axis=0, ddof=1)
    ratio = np.divide(between, within, out=np.zeros_like(within), where=within > 0)
    return float(np.sqrt((length - 1) / length + ratio).max())


def thinned(model: CalibratedModel, *, thin: int, warmup: int) -> CalibratedModel:
    """Return the model with shorter chains."""
    return replace(model, thin=thin, warmup=warmup)
