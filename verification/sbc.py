"""Simulation-based calibration: the truth ranks like any draw from the posterior.

Tables of 30 rows and 8 variables are simulated from the model, worlds and parameters from their priors; for
each, the rank of every true quantity among the sampler's draws is uniform when the sampler is right. Draws
are thinned to near independence (the correlation of neighbours is reported), and come from two chains with
unrelated starts, whose R-hat is reported; nothing is left out because of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from hiddencauses import Beta
from verification.calibration import VALUES, Calibration, calibrate, thinned
from verification.case import LEVEL, Case, Outcome, Settings
from verification.results import file_name
from verification.sbc_models import calibrated_models
from verification.thinned_chain import QUANTITIES
from verification.uniformity import band_p_value, bins_p_value

__all__ = ["cases"]

FULL_REPLICATES, FAST_REPLICATES = 320, 48
#: Warm-up and gaps of the fast tier.
FAST_WARMUP, FAST_THIN = 400, 20
#: Draws whose neighbours correlate more than this are not independent enough for the test.
MOST_CORRELATED = 0.15
TESTS = 2


def _judge(found: Calibration, level: float, name: str) -> Outcome:
    """Test every quantity twice; all tests share the level."""
    rows, off, smallest = [], [], 1.0
    for q, quantity in enumerate(QUANTITIES):
        ranks = found.ranks[:, q]
        band, bins = (
            band_p_value(ranks, VALUES),
            bins_p_value(ranks, VALUES, bins=16 if len(ranks) >= FULL_REPLICATES else 8),
        )
        row = {
            "quantity": quantity,
            "p of band": band,
            "p of bins": bins,
            "mean rank": float(ranks.mean() / (VALUES - 1)),
            "correlation of neighbours": float(found.neighbours[q]),
        }
        rows.append(row)
        smallest = min(smallest, band, bins)
        if min(band, bins) < level / (TESTS * len(QUANTITIES)):
            off.append(f"{quantity} (p = {min(band, bins):.1e}, mean rank {row['mean rank']:.2f})")
    slow = float(found.neighbours.max())
    figures = {
        "replicates": len(found.ranks),
        "quantities": len(QUANTITIES),
        "smallest p": smallest,
        "neighbours' correlation ≤": slow,
        "R-hat > 1.1": f"{100 * float((found.split_r_hat > 1.1).mean()):.1f} %",
    }
    if slow > MOST_CORRELATED:
        off.append("draws are not independent enough")
    return Outcome(not off, figures, f"{name}: off: {', '.join(off)}" if off else "", tuple(rows))


def _run(settings: Settings, *, number: int, level: float) -> Outcome:
    model = calibrated_models()[number]
    replicates = FULL_REPLICATES
    if settings.fast:
        replicates, model = FAST_REPLICATES, thinned(model, thin=FAST_THIN, warmup=FAST_WARMUP)
    pictures = settings.out is not None and not settings.fast
    if pictures:
        # before the long run: whoever lacks the library learns it now
        from verification.rank_plots import plot_ranks
    found = calibrate(model, replicates=replicates, seed=settings.seed_of(number))
    if pictures and settings.out is not None:
        file = f"{file_name(f'sbc/{model.name}')}.png"
        plot_ranks(found.ranks, QUANTITIES, VALUES, model.name, Path(settings.out) / file)
    return _judge(found, level, model.name)


def _wrong_leak(settings: Settings) -> Outcome:
    """Negative control: the sampler expects smaller leaks than tables are simulated with."""
    model = thinned(calibrated_models()[0], thin=10, warmup=300)
    wrong = replace(model.spec, leak=Beta(2.0, 40.0))
    found = calibrate(model, replicates=FAST_REPLICATES, seed=settings.seed, sampled=wrong)
    outcome = _judge(found, LEVEL, model.name)
    p = np.min([min(row["p of band"], row["p of bins"]) for row in outcome.rows])
    rejected = p < LEVEL / (TESTS * len(QUANTITIES))
    return Outcome(bool(rejected), outcome.figures, outcome.detail if rejected else "was not rejected")


def cases() -> list[Case]:
    """Return the suite."""
    models = calibrated_models()
    level = LEVEL / len(models)
    fast = ("infinite own/gibbs",)
    return [
        *(
            Case(f"sbc/{model.name}", model.name in fast, partial(_run, number=number, level=level))
            for number, model in enumerate(models)
        ),
        Case("sbc/control: wrong leak", True, _wrong_leak),
    ]
