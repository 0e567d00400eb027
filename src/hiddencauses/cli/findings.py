"""What a run has found, said at its end."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

from hiddencauses.cli.output import message
from hiddencauses.cli.tabular import print_heading, print_line, print_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hiddencauses.runs.convergence import Quantity
    from hiddencauses.runs.run import Run
    from hiddencauses.sampling.draws import Draws

__all__ = ["show_end"]

#: Shares of draws below this are not listed.
SMALLEST_SHARE = 0.001


def show_end(run: Run, *, interrupted: bool, quiet: bool) -> int:
    """Say what was found, whether to believe it, and where it is; return the exit code."""
    if run.n_draws:
        draws, quantities = run.draws(), run.convergence()
        show_findings(draws)
        _show_convergence(quantities)
        if not quiet:
            _warn(run, quantities)
    if not quiet:
        message(_where(run, interrupted))
    return 130 if interrupted else 0


def _where(run: Run, interrupted: bool) -> str:
    kept = f"{run.n_draws} draws of each of {run.settings.chains} chains"
    if not run.n_draws:
        kept = "no draws yet (it was in warm-up)"
    saved = f"saved in {run.folder}: {kept} (seed {run.settings.seed})"
    if interrupted or run.outcome != "finished":
        why = "interrupted" if interrupted else run.outcome or "stopped"
        return f"{why}; {saved}; continue with: hiddencauses resume {run.folder}"
    if run.settings.until and run.n_draws >= run.settings.draws:
        return f"{saved}; the ceiling of {run.settings.draws} draws was reached"
    return saved


def _warn(run: Run, quantities: Sequence[Quantity]) -> None:
    from hiddencauses.errors import ConvergenceWarning
    from hiddencauses.runs.convergence import advice

    for line in advice(quantities, run.settings.chains):
        told = line.replace("RUN", str(run.folder)).replace("--draws N", f"--draws {2 * run.n_draws}")
        warnings.warn(told, ConvergenceWarning, stacklevel=2)


def show_findings(found: Draws) -> None:
    """Print the number of causes and the highest-posterior structure."""
    print_line("Number of causes")
    shares = found.n_causes_distribution()
    print_line(_in_words(shares))
    counts = [(k, f"{share:.1%}") for k, share in enumerate(shares) if share >= SMALLEST_SHARE]
    print_rows(("causes", "share of draws"), counts, right=(0, 1))
    chain, draw = found.highest()
    links = found.links(chain, draw)
    activity = found.activity(chain, draw) if found.has_activity(draw) else None
    linked = [k for k in range(links.shape[1]) if links[:, k].any()]
    print_heading(f"Structure of the draw with the highest log joint density ({found.log_joint.max():.2f})")
    if not linked:
        print_line("  no cause: the leaks explain the table")
        return
    at_work = links.sum(axis=0) if activity is None else activity.sum(axis=0)
    linked.sort(key=lambda k: -int(at_work[k]))
    rows = [
        (
            place,
            "not kept" if activity is None else int(at_work[k]),
            ", ".join(name for name, link in zip(found.columns, links[:, k], strict=True) if link),
        )
        for place, k in enumerate(linked, start=1)
    ]
    print_rows(("cause", "rows where it is at work", "variables it drives"), rows, right=(0, 1))


def _in_words(shares: NDArray[np.float64]) -> str:
    """Say how many causes there are, and how sure one can be."""
    likeliest = max(range(len(shares)), key=lambda k: shares[k])
    upto, low, high = 0.0, None, len(shares) - 1
    for k, share in enumerate(shares):
        upto += share
        if low is None and upto >= 0.025:
            low = k
        if upto >= 0.975:
            high = k
            break
    named = {0: "no cause", 1: "1 cause"}.get(likeliest, f"{likeliest} causes")
    spread = f"; 95% of draws have {low} to {high}" if low != high else ""
    return f"Likeliest is {named} ({shares[likeliest]:.0%} of draws){spread}."


def _show_convergence(quantities: Sequence[Quantity]) -> None:
    print_heading("Agreement of chains (R-hat near 1 is good)")
    rows = [(q.name, _shown(q.rhat), f"{min(q.ess_bulk, q.ess_tail):.0f}") for q in quantities]
    print_rows(("quantity", "R-hat", "effective draws"), rows, right=(1, 2))


def _shown(rhat: float) -> str:
    if math.isnan(rhat):
        return "unknown"
    return "apart" if math.isinf(rhat) else f"{rhat:.3f}"
