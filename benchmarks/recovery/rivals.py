"""What users pick instead, with the true number of causes given to it.

Each rival returns weights, variables × components; links are read off them at the best cut there is, and at
half of the largest weight of a component, as a user might (`judge`).
"""

from __future__ import annotations

import contextlib
import importlib
import io
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.recovery.judge import found_at_any_cut, found_at_half
from benchmarks.recovery.tables import Problem

__all__ = ["RIVALS", "Rival", "run_rival"]


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival: `weights(cells, causes, seed)`, and what must be installed for it."""

    slug: str
    name: str
    module: str
    package: str
    weights: Callable[[NDArray[np.float64], int, int], NDArray[np.float64]]

    def why_not(self) -> str | None:
        """Return why it cannot be run here, or None."""
        try:
            importlib.import_module(self.module)
        except ImportError as error:
            return f"{self.name} is skipped: {error}; pip install {self.package}"
        return None


def run_rival(rival: Rival, problem: Problem, *, seed: int) -> dict[str, Any]:
    """Return which causes a rival found, and in what time."""
    cells = problem.table.codes().astype(np.float64)
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        # they warn of iterations that ran out and of things they will change one day
        warnings.simplefilter("ignore")
        began = time.process_time()
        weights = rival.weights(cells, problem.links.shape[1], seed)
        seconds = time.process_time() - began
    return {
        "seconds": round(seconds, 2),
        "found": found_at_any_cut(weights, problem.links),
        "found at half": found_at_half(weights, problem.links),
    }


def _nmf(cells: NDArray[np.float64], causes: int, seed: int) -> NDArray[np.float64]:
    from sklearn.decomposition import NMF

    model = NMF(
        causes, beta_loss="kullback-leibler", solver="mu", init="nndsvda", max_iter=1000, random_state=seed
    )
    return np.asarray(model.fit(cells).components_.T)


def _lda(cells: NDArray[np.float64], causes: int, seed: int) -> NDArray[np.float64]:
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(causes, max_iter=50, random_state=seed)
    return np.asarray(model.fit(cells).components_.T)


def _rbm(cells: NDArray[np.float64], causes: int, seed: int) -> NDArray[np.float64]:
    from sklearn.neural_network import BernoulliRBM

    model = BernoulliRBM(causes, learning_rate=0.02, batch_size=20, n_iter=100, random_state=seed)
    # a unit may stand for a cause by its absence
    weights = model.fit(cells).components_.T
    return np.hstack([weights, -weights])


def _classes(cells: NDArray[np.float64], causes: int, seed: int) -> NDArray[np.float64]:
    from stepmix.stepmix import StepMix

    model = StepMix(
        causes, measurement="binary", n_init=5, max_iter=500, random_state=seed, verbose=0, progress_bar=0
    )
    model.fit(cells)
    return np.asarray(model.get_parameters()["measurement"]["pis"]).T


def _asso(cells: NDArray[np.float64], causes: int, seed: int) -> NDArray[np.float64]:
    from PyBMF.models import Asso
    from scipy.sparse import csr_matrix

    class QuietAsso(Asso):  # type: ignore[misc]
        """Without the pictures, which it would write into a folder that need not exist."""

        def show_matrix(self, *_: object, **__: object) -> None:
            pass

    best, least = None, np.inf
    for tau in (0.3, 0.5, 0.7):
        model = QuietAsso(tau=tau, k=causes, w_fp=0.5)
        model.fit(
            csr_matrix(cells),
            task="reconstruction",
            verbose=False,
            display=False,
            save_model=False,
            show_result=False,
        )
        basis = np.asarray(model.V.todense(), dtype=np.float64)
        shown = np.asarray(model.U.todense()) @ basis.T > 0
        error = np.abs(shown - cells).sum()
        if error < least:
            best, least = basis, error
    assert best is not None
    return best


RIVALS = (
    Rival("nmf", "NMF (KL)", "sklearn.decomposition", "scikit-learn", _nmf),
    Rival("lda", "LDA", "sklearn.decomposition", "scikit-learn", _lda),
    Rival("rbm", "BernoulliRBM", "sklearn.neural_network", "scikit-learn", _rbm),
    Rival("stepmix", "StepMix", "stepmix.stepmix", "stepmix", _classes),
    Rival("asso", "Asso", "PyBMF.models", "PyBMF", _asso),
)
