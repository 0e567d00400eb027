"""A run on a real table: do its chains agree, and are chances of held-out cells right?

`python -m benchmarks.nhefs [--sweeps N] [--out FILE]`, on the built-in table nhefs with defaults and seed 1.

For the second question a fifth of the rows is held out, each fifth once, and the model is fitted to the
others. Then each cell of the held-out rows is hidden once, with a fifth of all such cells at a time, and its
chance of being 1 is had from the rest of its row (`apply`). Where chances are right, a share of p of cells
with chance p is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from hiddencauses import Table, sample
from hiddencauses.data.table import MISSING
from hiddencauses.datasets import load_dataset
from hiddencauses.posterior import align, apply, cell_folds, diagnose, row_folds, with_hidden, with_rows
from hiddencauses.sampling.agreement import RHAT_LIMIT
from hiddencauses.sampling.draws import Draws

SEED, CHAINS, FOLDS = 1, 4, 5
#: Bins of chances: cells in each are compared with their mean chance.
EDGES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.7, 1.0)


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nhefs")
    parser.add_argument(
        "--sweeps", type=int, default=1000, help="of warm-up, and as many draws (default 1000)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write (default: standard output)")
    given = parser.parse_args()
    text = "\n".join(page(load_dataset("nhefs"), given.sweeps)) + "\n"
    if given.out is None:
        sys.stdout.write(text)
    else:
        given.out.write_text(text, encoding="utf-8")


def page(table: Table, sweeps: int) -> Iterator[str]:
    """Yield the lines of the page."""
    start = time.perf_counter()
    yield f"# nhefs, {CHAINS} chains of {sweeps:,} + {sweeps:,} sweeps, seed {SEED}"
    yield from ("", "## Do the chains agree?", "")
    yield from agreement(drawn(table, sweeps))
    yield from ("", "## Are chances of cells of held-out rows right?", "")
    yield from reliability(*held_out_chances(table, sweeps))
    yield from ("", f"{time.perf_counter() - start:.0f} s in all.")


def drawn(table: Table, sweeps: int) -> Draws:
    """Return draws of the default model."""
    return sample(table, draws=sweeps, warmup=sweeps, chains=CHAINS, seed=SEED)


def agreement(draws: Draws) -> Iterator[str]:
    """Yield a table of R-hat, and one of causes that chains do not share."""
    alignment = align(draws)
    found = diagnose(draws, alignment=alignment).quantities
    yield f"| quantities | number | R-hat: median | largest | above {RHAT_LIMIT} | fewest effective draws |"
    yield "|---|--:|--:|--:|--:|--:|"
    for kind in dict.fromkeys(q.kind for q in found):
        mine = [q for q in found if q.kind == kind]
        rhat = np.array([q.rhat for q in mine])
        fewest = min(q.fewest_effective for q in mine)
        above = (rhat > RHAT_LIMIT).sum()
        yield f"| {kind} | {len(mine)} | {np.median(rhat):.2f} | {rhat.max():.2f} | {above} | {fewest:.0f} |"
    yield from ("", "| cause | share of draws | by chain |", "|---|--:|---|")
    for k in range(alignment.n_worth_telling):
        shares = ", ".join(f"{share:.2f}" for share in alignment.exists_by_chain[k])
        yield f"| {alignment.names[k]} | {alignment.exists[k]:.2f} | {shares} |"


def held_out_chances(table: Table, sweeps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for each cell its chance of being 1, its row held out, and what it is."""
    codes, chances = table.codes(), np.full((table.n_rows, table.n_variables), np.nan)
    for held in row_folds(table, FOLDS, SEED):
        chances[held] = chances_of(table, held, sweeps)
    known = codes != MISSING
    return chances[known], codes[known]


def chances_of(table: Table, held: np.ndarray, sweeps: int) -> np.ndarray:
    """Return the chances of the cells of some rows by a fit to the others."""
    others = np.setdiff1d(np.arange(table.n_rows), held)
    draws = drawn(with_rows(table, others), sweeps)
    alignment = align(draws)
    rows = with_rows(table, held)
    chances = np.full((rows.n_rows, rows.n_variables), np.nan)
    for hidden in cell_folds(rows, FOLDS, SEED):
        found = apply(draws, with_hidden(rows, hidden), alignment=alignment)
        on = np.full(chances.shape, np.nan)
        on[:, [table.columns.index(name) for name in found.variables]] = found.on
        chances[hidden] = on[hidden]
    return chances


def reliability(chances: np.ndarray, cells: np.ndarray) -> Iterator[str]:
    """Yield a table of cells by their chance, and how many of them are 1."""
    yield "| chance of a 1 | cells | mean chance | share of ones | off by, in standard errors |"
    yield "|---|--:|--:|--:|--:|"
    for low, high in pairwise(EDGES):
        here = (chances >= low) & (chances < high)
        if here.any():
            mine, ones = chances[here], cells[here]
            # as if cells were independent; those of a row are not quite
            off = (ones.sum() - mine.sum()) / np.sqrt((mine * (1 - mine)).sum())
            yield (
                f"| {low:g} to {high:g} | {len(mine):,} | {mine.mean():.3f} | {ones.mean():.3f} "
                f"| {off:+.1f} |"
            )
    score = np.log(np.where(cells == 1, chances, 1 - chances)).mean()
    yield from ("", f"{len(cells):,} cells; their mean log probability is {score:.4f}.")


if __name__ == "__main__":
    main()
