"""Run a part, or all: `python -m benchmarks.mixing [--part NAME]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.mixing import agreement, efficiency, moves, starts, warmups

RESULTS = Path(__file__).parents[1] / "results"
PARTS = {
    "starts": starts,
    "efficiency": efficiency,
    "agreement": agreement,
    "moves": moves,
    "warmups": warmups,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts asked for and write the page from all that have been run."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mixing", description="How well the sampler moves."
    )
    parser.add_argument("--part", action="append", choices=list(PARTS), metavar="NAME")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    folder = asked.out / "mixing"
    folder.mkdir(parents=True, exist_ok=True)
    for name in asked.part or PARTS:
        rows = ",\n".join(json.dumps(row) for row in PARTS[name].run(asked.seed))
        (folder / f"{name}.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
        page = _page(folder)
        (asked.out / "mixing.md").write_text(page, encoding="utf-8")
    sys.stdout.write(_page(folder))
    return 0


def _page(folder: Path) -> str:
    lines = ["# How well the sampler moves", "", "`python -m benchmarks.mixing` writes this page."]
    for name, part in PARTS.items():
        path = folder / f"{name}.json"
        if path.exists():
            lines += ["", f"## {part.TITLE}", "", *part.table(json.loads(path.read_text(encoding="utf-8")))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
