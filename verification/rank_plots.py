"""Pictures of ranks: histograms, and the empirical distribution minus the uniform one inside its band."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

__all__ = ["plot_ranks"]

BINS, CONFIDENCE = 16, 0.99


def plot_ranks(ranks: np.ndarray, names: Sequence[str], values: int, title: str, path: Path) -> None:
    """Save the picture of the ranks (replicates × quantities) of one model."""
    n = len(ranks)
    figure, axes = plt.subplots(
        2, len(names), figsize=(2.3 * len(names), 4.6), sharey="row", squeeze=False, layout="constrained"
    )
    usual = stats.binom.interval(CONFIDENCE, n, 1 / BINS)
    shares = np.arange(1, values) / values
    low, high = (np.array(side) / n - shares for side in stats.binom.interval(CONFIDENCE, n, shares))
    for q, name in enumerate(names):
        above, below = axes[0, q], axes[1, q]
        above.axhspan(*usual, color="0.88")
        above.hist(ranks[:, q], bins=np.linspace(-0.5, values - 0.5, BINS + 1), color="#31688e")
        above.set_title(name)
        counts = np.searchsorted(np.sort(ranks[:, q]), np.arange(1, values))
        below.fill_between(shares, low, high, color="0.88", step="mid")
        below.step(shares, counts / n - shares, where="mid", color="#31688e")
        below.set_xlabel("rank")
    axes[0, 0].set_ylabel(f"of {n} replicates")
    axes[1, 0].set_ylabel("ECDF − uniform")
    figure.suptitle(f"{title}; grey: pointwise {100 * CONFIDENCE:.0f} % of what uniform ranks do")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    plt.close(figure)
