"""Each kernel by itself: run on draws from the joint distribution it must leave their distribution alone.

The sharpest form of Geweke's test, and the one that says which kernel is wrong: worlds with tables are drawn
independently, one kernel runs on each for a few passes over the variables, and the mean change of every
statistic must be zero. Nothing is autocorrelated, and what the kernel does not touch cancels.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from hiddencauses import Finite
from hiddencauses.kernels.state import KernelSpec
from hiddencauses.sampling.convert import kernel_spec
from verification.case import LEVEL, Case, Outcome, Settings
from verification.joint_chains import KERNELS, change_by_kernel
from verification.monte_carlo import difference_p_value, max_score_p_value
from verification.prior_worlds import joint_models, prior_worlds
from verification.world_statistics import STATISTICS

__all__ = ["cases", "kernel_changes"]

FULL_WORLDS, FAST_WORLDS, PASSES = 40_000, 4_000, 2
ONLY_INFINITE, ONLY_FINITE = ("own causes",), ("birth and death", "single link")


def kernel_changes(
    number: int, kernels: list[str], *, worlds: int, seed: int, spec: KernelSpec | None = None
) -> np.ndarray:
    """Return how statistics change, kernels × worlds × statistics; `spec` is what kernels are told."""
    model = joint_models()[number]
    spec = kernel_spec(model.spec) if spec is None else spec
    changes = np.empty((len(kernels), worlds, len(STATISTICS)))
    for w, (state, data) in enumerate(prior_worlds(model, draws=worlds, seed=seed)):
        for k, kernel in enumerate(kernels):
            change_by_kernel(
                KERNELS.index(kernel), np.uint64(seed), w, PASSES, state, data, spec, changes[k, w]
            )
    return changes


def _judge(kernels: list[str], changes: np.ndarray, level: float) -> Outcome:
    """Test each kernel twice, its largest score and all of them together; all tests share the level."""
    rows, wrong, smallest = [], [], 1.0
    worlds = changes.shape[1]
    for kernel, change in zip(kernels, changes, strict=True):
        varying = change.std(axis=0) > 1e-12
        if not varying.any():
            rows.append({"kernel": kernel, "largest z": 0.0, "of": "nothing changes", "p": 1.0})
            continue
        covariance = np.cov(change[:, varying], rowvar=False).reshape(varying.sum(), -1) / worlds
        mean = change[:, varying].mean(axis=0)
        scores = mean / np.sqrt(np.diag(covariance))
        p = min(max_score_p_value(scores), difference_p_value(mean, covariance, worlds))
        worst = int(np.abs(scores).argmax())
        name = np.array(STATISTICS)[varying][worst]
        rows.append({"kernel": kernel, "largest z": float(scores[worst]), "of": str(name), "p": p})
        smallest = min(smallest, p)
        if p < level / (2 * len(kernels)):
            wrong.append(f"{kernel}: {name} (z = {scores[worst]:.1f})")
    largest = max(abs(float(row["largest z"])) for row in rows)
    figures = {"worlds": worlds, "kernels": len(kernels), "max |z|": largest, "smallest p": smallest}
    return Outcome(not wrong, figures, "; ".join(wrong), tuple(rows))


def _run(settings: Settings, *, number: int, level: float) -> Outcome:
    finite = isinstance(joint_models()[number].spec.causes, Finite)
    kernels = [kernel for kernel in KERNELS if kernel not in (ONLY_INFINITE if finite else ONLY_FINITE)]
    worlds = FAST_WORLDS if settings.fast else FULL_WORLDS
    changes = kernel_changes(number, kernels, worlds=worlds, seed=settings.seed_of(number))
    return _judge(kernels, changes, level)


def _wrong_prior(settings: Settings) -> Outcome:
    """Negative control: the leak drawn with a slightly different prior."""
    wrong = kernel_spec(joint_models()[0].spec)._replace(leak_a=2.5)
    kernels = ["leak"]
    changes = kernel_changes(0, kernels, worlds=FAST_WORLDS, seed=settings.seed, spec=wrong)
    outcome = _judge(kernels, changes, LEVEL)
    return Outcome(not outcome.passed, outcome.figures, outcome.detail or "was not rejected")


def cases() -> list[Case]:
    """Return the suite, one case per model."""
    models = joint_models()
    fast = ("infinite own", "finite own")
    return [
        *(
            Case(
                f"kernels/{model.name}",
                model.name in fast,
                partial(_run, number=number, level=LEVEL / len(models)),
            )
            for number, model in enumerate(models)
        ),
        Case("kernels/control: wrong prior", True, _wrong_prior),
    ]
