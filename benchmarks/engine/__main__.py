"""Run a part, or all but the million rows: `python -m benchmarks.engine [--part NAME]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.engine.report import PARTS, page, run_parts

RESULTS = Path(__file__).parents[1] / "results" / "engine"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts asked for, and write results, figures and the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.engine", description="How fast the engine is, and how far from its limits."
    )
    parser.add_argument("--part", action="append", choices=list(PARTS), metavar="NAME")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="tiny tables, to see that it works")
    parser.add_argument("--page", action="store_true", help="only write the page from what is on disk")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    if asked.page:
        asked.out.with_suffix(".md").write_text(page(asked.out), encoding="utf-8")
    else:
        run_parts(asked.part or PARTS, asked.seed, asked.out, quick=asked.quick)
    sys.stdout.write(page(asked.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
