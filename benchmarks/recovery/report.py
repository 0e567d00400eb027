"""The table of the suite, made from what is on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.recovery.judge import succeeds
from benchmarks.recovery.store import Results
from benchmarks.recovery.tables import LINES, Line

__all__ = ["report"]


def report(folder: Path, methods: Sequence[str]) -> str:
    """Return the report as Markdown."""
    parts = ["# From an empty start to the true structure", "", *_head(folder), ""]
    parts += _main_table(folder)
    parts += ["", "## Beside other methods", ""]
    parts += [
        "Share of all true causes found with exactly their links, rare ones included. The paper's moves are",
        "our own sampler without the moves on groups, as long a chain. Rivals are told the true number of",
        "causes, and the weights of each component are cut wherever that suits it best, which no user could",
        "do; in brackets, at half of its largest weight.",
        "",
    ]
    parts += _methods_table(folder, methods)
    failures = _failures(folder)
    if failures:
        parts += ["", "## Seeds that fall short", "", *failures]
    return "\n".join(parts) + "\n"


def _head(folder: Path) -> list[str]:
    for line in LINES:
        held = Results(folder, line.name, "auto").held
        if held["setting"]:
            at = held["setting"]
            return [
                "`python -m benchmarks.recovery` writes this page and the files beside it.",
                "",
                f"One chain a seed from the empty start, `DEFAULT_SPEC`, sampler `auto`, {at['warmup']}",
                f"sweeps of warm-up and {at['draws']} kept. A true cause is found when a cause with",
                "exactly its links is in more than half of the kept draws.",
            ]
    return ["Nothing has been run yet."]


def _main_table(folder: Path) -> list[str]:
    rows = [
        "| line | tables | seeds | asked | reached | causes found | number of causes right "
        "| rare found | 90 % intervals cover | processor seconds a chain (median, most) |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for line in LINES:
        seeds = Results(folder, line.name, "auto").seeds
        if not seeds:
            continue
        pairs = [(line.make(int(seed)), found) for seed, found in seeds.items()]
        wins = [succeeds(line, found, problem.main) for problem, found in pairs]
        main = np.concatenate([np.array(found["found"])[problem.main] for problem, found in pairs])
        rare = np.concatenate([np.array(found["found"])[~problem.main] for problem, found in pairs])
        right = [found["mode"] == len(found["found"]) for _, found in pairs]
        reached = main.mean() if line.asked == "pooled" else np.mean([bool(win) for win in wins])
        covered, links = (sum(found[key] for _, found in pairs) for key in ("links_covered", "links_asked"))
        seconds = [found["seconds"] for _, found in pairs]
        verdict = "" if reached >= line.share else " **short**"
        rows.append(
            f"| {line.name} | {line.what} | {len(pairs)} | {ASKED[line.asked]} ≥ {line.share:.0%} "
            f"| {reached:.1%}{verdict} | {_of(main)} | {sum(right)} of {len(right)} | {_of(rare)} "
            f"| {f'{covered / links:.1%} of {links}' if links else '–'} "
            f"| {np.median(seconds):.1f}, {max(seconds):.1f} |"
        )
    return rows


#: What a line asks for, in words.
ASKED = {
    "all": "seeds with all causes and their number",
    "main": "seeds with all main causes",
    "pooled": "true causes",
    "none": "seeds without a cause",
}


def _of(found: Any) -> str:
    return f"{int(found.sum())} of {found.size}" if found.size else "–"


def _methods_table(folder: Path, methods: Sequence[str]) -> list[str]:
    rows = [f"| line | {' | '.join(methods)} |", f"|---|{'---|' * len(methods)}"]
    for line in LINES:
        cells = []
        for method in methods:
            seeds = Results(folder, line.name, method).seeds
            found = np.array([each for seed in seeds.values() for each in seed["found"]])
            if not found.size:
                cells.append("–")
                continue
            seconds = np.median([seed["seconds"] for seed in seeds.values()])
            right = [seed["mode"] == len(seed["found"]) for seed in seeds.values() if "mode" in seed]
            number = f", number right {sum(right)}/{len(right)}" if right else ""
            half = [each for seed in seeds.values() for each in seed.get("found at half", ())]
            cut = f" ({np.mean(half):.0%} cut at half)" if half else ""
            cells.append(f"{found.mean():.0%}{cut}{number}, {seconds:.1f} s")
        if any(cell != "–" for cell in cells):
            rows.append(f"| {line.name} | {' | '.join(cells)} |")
    return rows


def _failures(folder: Path) -> list[str]:
    """List what is missing, for someone to look at."""
    rows = []
    for line in LINES:
        for seed, found in Results(folder, line.name, "auto").seeds.items():
            problem = line.make(int(seed))
            missing = np.flatnonzero((np.array(found["found"], dtype=int) == 0) & problem.main)
            wins = succeeds(line, found, problem.main)
            if wins or (wins is None and not missing.size):
                continue
            text = _missing_text(line, missing, found)
            rows.append(f"- {line.name}, seed {seed}: {text}; number of causes {found['n_causes']}")
    return rows


def _missing_text(line: Line, missing: Any, found: dict[str, Any]) -> str:
    if line.asked == "none" or not missing.size:
        return "all found" if line.asked != "none" else "a cause where there is none"
    return ", ".join(f"cause {k} in {found['share'][k]:.0%} of draws" for k in missing)
