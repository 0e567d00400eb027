"""The page: a table of lines × tables, made anew from the results on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.prediction.real_tables import TABLES
from benchmarks.prediction.results import read_all

__all__ = ["page", "write_page"]


def write_page(folder: Path, order: Sequence[str]) -> None:
    """Write the page beside the folder of results."""
    results = read_all(folder)
    if results:
        folder.with_suffix(".md").write_text(page(results, order), encoding="utf-8")


def page(results: Sequence[dict[str, Any]], order: Sequence[str]) -> str:
    """Return the page.

    Parameters
    ----------
    results
        What `write_result` was given.
    order
        Methods in the order of lines; those of the results that are not among them go before its last, with
        which every line is compared.
    """
    found = {(r["table"], r["method"], r["split"]): r for r in results}
    tables = [name for name in TABLES if any(table == name for table, _, _ in found)]
    present = {method for _, method, _ in found}
    others = sorted(present - set(order))
    lines = [m for m in (*order[:-1], *others, order[-1]) if m in present]
    text = [
        "# Held-out cells of real tables",
        "",
        "Log-loss in nats a cell, smaller is better: the mean over splits, and how much worse than the last",
        "line, ± the standard error of that difference over the splits. Rows are split 70/30; a tenth of the",
        "known cells of test rows are asked for at a time, given the others.",
        "",
        "Ours start with no cause; rivals are tuned on inner splits. Made by",
        f"`{_command(results[0])}`,",
        "which writes this page from the files in the folder beside it.",
        "",
        "| | " + " | ".join(f"{name} ({_splits(found, name)})" for name in tables) + " |",
        "|---" * (len(tables) + 1) + "|",
    ]
    for method in lines:
        parts = [_part(found, name, method, order[-1]) for name in tables]
        text.append(f"| {method} | " + " | ".join(parts) + " |")
    text += ["", "Causes and links in a draw, on average:", ""]
    text += ["| | " + " | ".join(tables) + " |", "|---" * (len(tables) + 1) + "|"]
    for method in lines:
        sizes = [_size(found, name, method) for name in tables]
        if any(sizes):
            text.append(f"| {method} | " + " | ".join(sizes) + " |")
    return "\n".join(text) + "\n"


def _command(result: dict[str, Any]) -> str:
    options = {"seed": result["seed"], "masks": result["masks"]} | result["effort"]
    return "python -m benchmarks.prediction " + " ".join(
        f"--{name} {value}" for name, value in options.items()
    )


Found = dict[tuple[str, str, int], dict[str, Any]]


def _splits(found: Found, table: str) -> str:
    count = len({split for name, _, split in found if name == table})
    return f"{count} split{'s' if count > 1 else ''}"


def _of(found: Found, table: str, method: str) -> dict[int, dict[str, Any]]:
    return {split: r for (t, m, split), r in found.items() if t == table and m == method}


def _part(found: Found, table: str, method: str, last: str) -> str:
    own, its = _of(found, table, method), _of(found, table, last)
    if not own:
        return ""
    mean = f"{np.mean([r['log_loss'] for r in own.values()]):.4f}"
    both = sorted(set(own) & set(its))
    if method == last or not both:
        return mean
    differences = np.array([own[split]["log_loss"] - its[split]["log_loss"] for split in both])
    error = f" ± {differences.std(ddof=1) / np.sqrt(len(both)):.4f}" if len(both) > 1 else ""
    return f"{mean} ({differences.mean():+.4f}{error})"


def _size(found: Found, table: str, method: str) -> str:
    own = [r["notes"] for r in _of(found, table, method).values() if "causes" in r["notes"]]
    if not own:
        return ""
    return f"{np.mean([n['causes'] for n in own]):.1f}, {np.mean([n['links'] for n in own]):.0f}"
