"""Draw the pictures of README.md and docs/design.md from the model itself.

Run as: python scripts/make_pictures.py (needs matplotlib).
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from hiddencauses import ModelSpec, simulate

IMAGES = Path(__file__).parent.parent / "docs" / "images"
# Okabe and Ito's colours, told apart by colour-blind people too.
COLOURS = ["#0072B2", "#D55E00", "#009E73"]
LINKS = np.zeros((12, 3), dtype=int)
LINKS[0:5, 0], LINKS[3:9, 1], LINKS[8:12, 2] = 1, 1, 1


def overview() -> None:
    """A table as it comes, the causes behind it, and the table with its ones coloured by cause."""
    spec = ModelSpec(strength=0.9, leak=0.02, prevalence=0.25)
    simulation = simulate(rows=60, links=LINKS, spec=spec, seed=4)
    codes, activity = simulation.table.codes(), simulation.truth.activity
    shuffle = np.random.default_rng(1)
    rows, columns = shuffle.permutation(60), shuffle.permutation(12)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9, 3.6), width_ratios=[3, 3, 3])
    left.imshow(
        codes[rows][:, columns], cmap="Greys", vmin=0, vmax=1.4, aspect="auto", interpolation="nearest"
    )
    left.set_title("a table of yes/no observations", fontsize=10)
    draw_graph(middle)
    picture = np.ones((60, 12, 3))
    for k, colour in enumerate(COLOURS):
        on = (codes == 1) & (activity[:, [k]] == 1) & (LINKS[:, k] == 1)
        picture[on] = mpl.colors.to_rgb(colour)
    unexplained = (codes == 1) & (activity @ LINKS.T == 0)
    picture[unexplained] = 0.55
    order = np.lexsort(activity.T[::-1])[::-1]
    right.imshow(picture[order], aspect="auto", interpolation="nearest")
    right.set_title("which cause is at work where", fontsize=10)
    for axes in (left, right):
        axes.set(xticks=[], yticks=[], xlabel="variables", ylabel="rows")
    figure.tight_layout()
    save(figure, "overview")


def draw_graph(axes: plt.Axes) -> None:
    """Draw three causes above the variables they drive."""
    for k, colour in enumerate(COLOURS):
        place = 2 + 3.75 * k
        for i in np.flatnonzero(LINKS[:, k]):
            axes.plot([place, i], [1, 0.05], color=colour, lw=1.5)
        axes.scatter([place], [1.04], s=260, color=colour, zorder=3)
        axes.text(place, 1.04, str(k + 1), color="white", ha="center", va="center", fontsize=9, zorder=4)
    axes.scatter(np.arange(12), np.zeros(12), s=55, color="0.35", zorder=3)
    axes.set(xlim=(-0.7, 11.7), ylim=(-0.15, 1.25))
    axes.axis("off")
    axes.set_title("three hidden causes behind it", fontsize=10)


#: Boxes of the data flow: place, name of the folder, what comes out of it.
BOXES = [
    (0, 1, "data/", "Table\nbits, names, carried columns"),
    (1, 1, "model/", "ModelSpec, World\ndensities, simulation"),
    (2, 2, "oracle/", "ExactPosterior\ntiny tables, no sampling"),
    (2, 0, "datasets/", "built-in tables,\nreal and simulated"),
    (1, 0, "kernels/", "State\ncompiled moves, sweeps"),
    (2, 1, "sampling/", "Draws\nchains, starts"),
    (3, 1, "runs/", "a folder\nsettings and draws"),
    (4, 1, "cli/", "hiddencauses COMMAND\nparse, call, print"),
]
ARROWS = [(0, 1), (1, 2), (1, 3), (4, 5), (1, 5), (5, 6), (6, 7), (2, 7), (3, 7)]


def design() -> None:
    """Folders as boxes; an arrow leads to whoever may import."""
    figure, axes = plt.subplots(figsize=(10.5, 3.4))
    for x, y, name, gives in BOXES:
        axes.add_patch(
            FancyBboxPatch(
                (x * 2.5, y * 1.3), 1.9, 0.85, boxstyle="round,pad=0.04", fc="#eef4fa", ec=COLOURS[0]
            )
        )
        axes.text(x * 2.5 + 0.95, y * 1.3 + 0.66, name, ha="center", va="center", fontsize=11, weight="bold")
        axes.text(x * 2.5 + 0.95, y * 1.3 + 0.26, gives, ha="center", va="center", fontsize=7.5, color="0.25")
    for start, end in ARROWS:
        x0, y0 = BOXES[start][:2]
        x1, y1 = BOXES[end][:2]
        axes.add_patch(
            FancyArrowPatch(
                (x0 * 2.5 + 1.96, y0 * 1.3 + 0.42),
                (x1 * 2.5 - 0.06, y1 * 1.3 + 0.42),
                arrowstyle="-|>",
                mutation_scale=12,
                zorder=0,
            )
        )
    axes.text(
        0.0,
        3.0,
        "below everything:\nerrors, validation, rng, files, folders, compiled",
        fontsize=8.5,
        color="0.25",
        va="center",
    )
    axes.set(xlim=(-0.2, 12.1), ylim=(-0.15, 3.6))
    axes.axis("off")
    figure.tight_layout()
    save(figure, "design")


def save(figure: plt.Figure, name: str) -> None:
    """Write a picture as SVG, the same bytes for the same picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    mpl.rcParams["svg.hashsalt"] = "hiddencauses"
    mpl.rcParams["svg.fonttype"] = "none"
    overview()
    design()
