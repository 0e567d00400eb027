"""`fit`: draws from the posterior, on disk, with a handle."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddencauses.model.spec import ModelSpec
from hiddencauses.runs.blocks import activity_every
from hiddencauses.runs.new_folder import make_run_folder
from hiddencauses.runs.room import warn_if_short
from hiddencauses.runs.run import Run
from hiddencauses.runs.settings import Settings, TableFacts
from hiddencauses.runs.table_copy import file_digest
from hiddencauses.sampling.plan import make_plan
from hiddencauses.validation import check_at_least, check_output, check_positive, check_until

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiddencauses.model.world import World

__all__ = ["fit"]

#: Draws of each chain when nothing is said, and at most when the run is to go on until it is good enough.
DRAWS, MOST_DRAWS = 1000, 20_000


def fit(
    table: Any,
    spec: ModelSpec | None = None,
    *,
    out: str | Path,
    sampler: str = "auto",
    draws: int | None = None,
    warmup: int = 1000,
    chains: int = 4,
    seed: int | None = None,
    init: str | World = "empty",
    max_new: int | None = None,
    until: str | Mapping[str, float] | None = None,
    at_most_minutes: float | None = None,
    workers: int | None = None,
    processes: bool = False,
    force: bool = False,
) -> Run:
    """Draw from the posterior into a folder, in the background, and return a handle at once.

    `sample` draws the same in memory. The folder is there, and can be resumed, before the first sweep; only
    its owner can read it, as it holds the rows of the table. A script that ends waits for its runs.

    Parameters
    ----------
    table, spec, sampler, warmup, chains, seed, init, max_new
        As `sample` takes them.
    out
        The folder.
    draws
        Sweeps kept of each chain: 1000 when left out, and with `until` at most 20,000.
    until
        When to stop before that: "rhat=1.01,ess=400" or {"rhat": 1.01, "ess": 400}. R-hat must come down to
        the one, effective draws up to the other, for the numbers of causes and links, the log joint density
        and every free shared parameter. Looked at after 100 draws and then about every fifth more.
    at_most_minutes
        When to stop in any case. A clock decides how many draws there are and never their values.
    workers
        How many chains run at once: as many as there are cores when left out. Changes no draw.
    processes
        Whether each chain runs in a process of its own. Threads do as well and share the table; a script that
        asks for processes must keep `if __name__ == "__main__":` around what it does.
    force
        Whether a run in `out` is replaced.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp() + "/run"
    >>> spec = ModelSpec(strength=0.9, leak=0.05, prevalence=0.3)
    >>> rows = [[1, 1, 0], [0, 0, 1], [1, 1, 1]]
    >>> run = fit(rows, spec, out=folder, draws=200, warmup=50, chains=2, seed=1).wait()
    >>> run.draws().n_causes.shape
    (2, 200)
    """
    folder = Path(out)
    check_output(folder, force=force)
    wanted = None if until is None else check_until(until)
    if at_most_minutes is not None:
        check_positive("at_most_minutes", at_most_minutes)
    if workers is not None:
        check_at_least("workers", workers, 1)
    plan = make_plan(
        table,
        spec,
        sampler=sampler,
        draws=(DRAWS if wanted is None else MOST_DRAWS) if draws is None else draws,
        warmup=warmup,
        chains=chains,
        seed=seed,
        init=init,
        max_new=max_new,
    )
    facts = TableFacts(
        source=plan.table.source,
        source_digest=file_digest(plan.table.source),
        rows=plan.table.n_rows,
        columns=plan.table.columns,
        fingerprint=plan.table.fingerprint(),
    )
    settings = Settings.of(
        plan,
        run=secrets.token_hex(8),
        until=wanted,
        activity_every=activity_every(plan.table.n_rows),
        table=facts,
    )
    warn_if_short(settings, folder.parent)
    make_run_folder(folder, settings, plan, force=force)
    return Run.open(folder).resume(at_most_minutes=at_most_minutes, workers=workers, processes=processes)
