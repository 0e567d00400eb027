"""What a user wants to know, in under ten minutes: `python -m benchmarks`.

Time a sweep, time to the true structure from an empty start, effective samples a second: ours, ours with the
paper's moves only, the plain-Python twin, and rivals that are told the number of causes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.engine.report import SHOWN, page, run_parts

RESULTS = Path(__file__).parent / "results" / "engine"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all three, and write results, figures and the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Ours beside others, in under ten minutes."
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="tiny tables, to see that it works")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    began = time.perf_counter()
    run_parts(SHOWN, asked.seed, asked.out, quick=asked.quick)
    sys.stdout.write(page(asked.out))
    sys.stderr.write(f"{asked.out.with_suffix('.md')} written after {time.perf_counter() - began:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
