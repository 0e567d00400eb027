"""One figure of what `python -m benchmarks` measures: bars on logarithmic axes, one colour a method."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine.figures import figure
from benchmarks.engine.truth import median_seconds

__all__ = ["draw"]

#: What a bar is, by table and method; NaN where there is none.
Bars = dict[str, dict[str, float]]


def draw(
    sweep_times: list[dict[str, Any]],
    truths: list[dict[str, Any]],
    samples: list[dict[str, Any]],
    folder: Path,
) -> None:
    """Draw time a sweep, time to the true structure and effective samples a second."""
    times: Bars = {
        each["size"]: {name: each[name] for name in ("auto", "gibbs", "baseline", "twin") if name in each}
        for each in sweep_times
    }
    seconds: Bars = {}
    short: set[tuple[str, str]] = set()
    for each in truths:
        name, method = each["table"], each["method"]
        median, reached, _ = median_seconds(truths, name, method)
        seconds.setdefault(name, {})[method] = max(median, 1e-3)
        if reached < 1:
            short.add((name, method))
    rates: Bars = {}
    for each in samples:
        rate = each["log joint"] / each["seconds"]
        rates.setdefault(each["structure"], {})[each["method"]] = rate
    methods = list(
        dict.fromkeys(m for bars in (times, seconds, rates) for each in bars.values() for m in each)
    )
    with figure(folder / "side_by_side.svg", 3, width=4.6, height=3.6) as axes:
        _bars(axes[0], times, methods, "milliseconds a sweep", set())
        _bars(axes[1], seconds, methods, "seconds to the true structure (pale: not all of it)", short)
        _bars(axes[2], rates, methods, "effective samples of log joint a second", set())


def _bars(axes: Any, bars: Bars, methods: list[str], title: str, short: set[tuple[str, str]]) -> None:
    shown = [method for method in methods if any(method in each for each in bars.values())]
    width = 0.8 / len(shown)
    for place, method in enumerate(shown):
        at = np.arange(len(bars)) + (place - (len(shown) - 1) / 2) * width
        heights = [each.get(method, np.nan) for each in bars.values()]
        colour = f"C{methods.index(method)}"
        drawn = axes.bar(at, heights, width, color=colour)
        for name, bar in zip(bars, drawn, strict=True):
            if (name, method) in short:
                bar.set_alpha(0.35)
        axes.plot([], [], "s", color=colour, label=method)
    axes.set_yscale("log")
    axes.set_xticks(np.arange(len(bars)), list(bars), fontsize=6)
    axes.set_title(title, fontsize=8)
    axes.legend(frameon=False, fontsize=6, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.08))
