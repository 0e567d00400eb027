"""Predict held-out cells of real tables: `python -m benchmarks.prediction [--table NAME] [--method NAME]`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.prediction.lines import lines, lines_with_priors
from benchmarks.prediction.methods import Method, SpecMethod
from benchmarks.prediction.noisy_or import Effort
from benchmarks.prediction.real_tables import TABLES, NotInstalledError, load_table
from benchmarks.prediction.report import write_page
from benchmarks.prediction.results import read_result, result_path, settings_of, write_result
from benchmarks.prediction.splits import Split, log_loss, make_split
from hiddencauses import Beta

OUT = Path("benchmarks") / "results" / "prediction"
USUAL = Effort()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked and not yet there, and write the page."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    effort = Effort(
        warmup=asked.warmup, draws=asked.draws, chains=asked.chains, used=asked.used, sweeps=asked.sweeps
    )
    usual = lines(effort)
    methods = usual | lines_with_priors(asked.strength_prior, asked.prevalence_prior, effort)
    if asked.list:
        for name in (*TABLES, *methods):
            _say(name)
        return 0
    chosen = [name for name in methods if not asked.method or any(name == m for m in asked.method)]
    if unknown := set(asked.method or ()) - set(methods):
        parser.error(f"no method is called {', '.join(sorted(unknown))}; --list names them")
    common = {"seed": asked.seed, "masks": asked.masks, "effort": asdict(effort)}
    absent: set[str] = set()
    for name in asked.table or TABLES:
        try:
            table = load_table(name)
        except NotInstalledError as error:
            _say(f"{name}: left out, {error}")
            continue
        for number in range(asked.splits):
            split = make_split(table, number, seed=asked.seed, masks=asked.masks)
            for method in chosen:
                path = result_path(asked.out, name, number, method)
                if method in absent:
                    continue
                settings = common | {"spec": _spec(methods[method])}
                if path.exists() and not asked.again:
                    if (made := settings_of(read_result(path))) != settings:
                        parser.error(f"{path} was made with {made}; choose another --out, or --again")
                    continue
                try:
                    loss, notes, seconds = _run(methods[method], split)
                except NotInstalledError as error:
                    absent.add(method)
                    _say(f"{method}: left out, {error}")
                    continue
                result = {"table": name, "split": number, "method": method, "log_loss": loss, "notes": notes}
                write_result(path, result | settings | {"seconds": round(seconds, 1)})
                shown = ", ".join(
                    f"{k} {v:.4g}" if isinstance(v, float) else f"{k} {v}" for k, v in notes.items()
                )
                _say(f"{name:<14} {number}  {method:<45} {loss:.4f}  {seconds:6.1f} s  {shown}")
        write_page(asked.out, list(usual))
    return 0


def _spec(method: Method) -> dict[str, object] | None:
    return method.spec.to_dict() if isinstance(method, SpecMethod) else None


def _run(method: Method, split: Split) -> tuple[float, dict[str, float | str], float]:
    began = time.perf_counter()
    answer = method(split.task)
    seconds = time.perf_counter() - began
    losses = [log_loss(a, p) for a, p in zip(split.answers, answer.chances, strict=True)]
    weights = [len(a) for a in split.answers]
    return float(np.average(losses, weights=weights)), answer.notes, seconds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.prediction", description="Predict held-out cells of real tables."
    )
    add = parser.add_argument
    add("--table", action="append", choices=list(TABLES), help="only this table (may be given again)")
    add("--method", action="append", metavar="NAME", help="only this method (may be given again)")
    add("--splits", type=int, default=3, help="splits of each table (default: 3)")
    add("--masks", type=int, default=10, help="disjoint tenths of test cells asked for (default: 10, all)")
    add("--seed", type=int, default=1, help="all randomness follows from it (default: 1)")
    add("--warmup", type=int, default=USUAL.warmup, help="sweeps thrown away")
    add("--draws", type=int, default=USUAL.draws, help="sweeps kept of each chain")
    add("--chains", type=int, default=USUAL.chains)
    add("--used", type=int, default=USUAL.used, help="draws that predict")
    add("--sweeps", type=int, default=USUAL.sweeps, help="sweeps over the activity of a test row")
    for name in ("strength", "prevalence"):
        add(
            f"--{name}-prior",
            type=_beta,
            action="append",
            default=[],
            metavar="A,B",
            help="a further line, Beta(A, B)",
        )
    add("--out", type=Path, default=OUT, metavar="FOLDER", help="where results go; the page goes beside it")
    add("--again", action="store_true", help="run what is there already too")
    add("--list", action="store_true", help="name tables and methods and stop")
    return parser


def _beta(text: str) -> Beta:
    try:
        a, b = (float(part) for part in text.split(","))
        return Beta(a, b)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not A,B, two numbers above 0") from error


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
