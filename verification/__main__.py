"""Run the proof harness: `python -m verification [--fast] [--only TEXT] [--seed S] [--out FOLDER]`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from verification.case import Settings
from verification.fresh_cache import use_fresh_cache
from verification.results import figures_text, rewrite_table, write_outcome

RESULTS = Path(__file__).parent / "results"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run cases, print what they found, and return 1 if any failed."""
    parser = argparse.ArgumentParser(prog="python -m verification", description="Prove the samplers right.")
    parser.add_argument("--fast", action="store_true", help="the tier of continuous integration")
    parser.add_argument("--only", metavar="TEXT", help="only cases whose name contains this")
    parser.add_argument("--seed", type=int, default=1, help="all randomness follows from it (default: 1)")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where results go (full tier: verification/results)"
    )
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    asked = parser.parse_args(arguments)
    use_fresh_cache()
    # not before: what it imports compiles
    from verification.registry import chosen_cases

    cases = chosen_cases(fast=asked.fast, only=asked.only)
    if asked.list:
        for case in cases:
            _say(f"{case.name}{' (fast tier too)' if case.fast else ''}")
        return 0
    if not cases:
        parser.error(f"no case's name contains {asked.only!r}; --list names them")
    out = asked.out or (None if asked.fast else RESULTS)
    settings = Settings(fast=asked.fast, seed=asked.seed, out=out)
    failed = 0
    for case in cases:
        began = time.perf_counter()
        outcome = case.run(settings)
        seconds = time.perf_counter() - began
        failed += not outcome.passed
        verdict = "pass" if outcome.passed else "FAIL"
        _say(f"{verdict}  {case.name:<40} {seconds:7.1f} s  {figures_text(outcome.figures)}")
        if outcome.detail:
            _say(f"      {outcome.detail}")
        if out is not None:
            write_outcome(out, case, settings, outcome, seconds)
            rewrite_table(out)
    _say(f"{len(cases) - failed} of {len(cases)} cases passed")
    return 1 if failed else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
