"""What all figures of these benchmarks share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["figure"]


@contextmanager
def figure(path: Path, columns: int = 1, *, width: float = 4.2, height: float = 3.4) -> Iterator[Any]:
    """Yield axes side by side, and write them as an SVG that is the same for the same figures."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import NullFormatter

    with pyplot.rc_context({"svg.hashsalt": "hiddencauses", "svg.fonttype": "none", "font.size": 8}):
        drawing, axes = pyplot.subplots(1, columns, figsize=(columns * width, height), squeeze=False)
        yield axes[0]
        for each in axes[0]:
            each.spines[["top", "right"]].set_visible(False)
            # ticks that are not asked for have no numbers
            each.xaxis.set_minor_formatter(NullFormatter())
        drawing.tight_layout()
        drawing.savefig(path, metadata={"Date": None})
        pyplot.close(drawing)
