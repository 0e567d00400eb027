"""Draw the pictures of README.md and docs/ from the model itself.

Run as: python scripts/make_pictures.py (needs matplotlib).
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle

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
    (5, 1, "cli/", "hiddencauses COMMAND\nparse, call, print"),
    (3, 0, "posterior/", "answers\ncauses, diagnosis, new rows"),
    (4, 0, "pictures/", "Figure\nanswers drawn"),
]
ARROWS = [
    (0, 1),
    (1, 2),
    (1, 3),
    (4, 5),
    (1, 5),
    (5, 6),
    (6, 7),
    (2, 7),
    (3, 7),
    (5, 8),
    (8, 7),
    (8, 9),
    (9, 7),
]


def design() -> None:
    """Folders as boxes; an arrow leads to whoever may import."""
    figure, axes = plt.subplots(figsize=(12.6, 3.4))
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
    axes.set(xlim=(-0.2, 14.6), ylim=(-0.15, 3.6))
    axes.axis("off")
    figure.tight_layout()
    save(figure, "design")


def network() -> None:
    """Redraw the paper's Fig. 1: causes, variables and the links between them, and the same as matrices."""
    links = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]])
    spec = ModelSpec(strength=0.9, leak=0.02, prevalence=0.4)
    simulation = simulate(rows=8, links=links, spec=spec, seed=7)
    figure, (graph, matrices) = plt.subplots(1, 2, figsize=(9, 3.3), width_ratios=[1, 1.25])
    for i, k in np.argwhere(links):
        arrow = {"arrowstyle": "-|>", "color": COLOURS[k], "shrinkA": 13, "shrinkB": 13, "lw": 1.5}
        graph.annotate("", (i, 0), (1 + k, 1), arrowprops=arrow)
    for k, colour in enumerate(COLOURS):
        draw_node(graph, 1 + k, 1, f"Y{subscript(k)}", face="white", edge=colour)
    for i in range(len(links)):
        draw_node(graph, i, 0, f"X{subscript(i)}", face="0.85", edge="0.3")
    graph.text(2, 1.42, "hidden causes", ha="center", fontsize=9)
    graph.text(2, -0.47, "variables", ha="center", fontsize=9)
    graph.set(xlim=(-0.5, 4.5), ylim=(-0.6, 1.6))
    variables = [f"x{subscript(i)}" for i in range(len(links))]
    causes = [f"y{subscript(k)}" for k in range(links.shape[1])]
    rows = [str(r + 1) for r in range(len(simulation.truth.activity))]
    draw_matrix(matrices, 0, "Z: links", links, variables, causes)
    draw_matrix(matrices, 5.2, "Y: activity", simulation.truth.activity, rows, causes)
    draw_matrix(matrices, 10.4, "X: the table", simulation.table.codes(), rows, variables)
    matrices.set(xlim=(-0.9, 15.6), ylim=(8.3, -1.9))
    for axes in (graph, matrices):
        axes.axis("off")
    matrices.set_aspect("equal")
    figure.tight_layout()
    save(figure, "network")


def subscript(index: int) -> str:
    """Return the number behind an index, counted from 1, as a subscript."""
    return "₀₁₂₃₄₅₆₇₈₉"[index + 1]


def draw_node(axes: plt.Axes, x: float, y: float, text: str, *, face: str, edge: str) -> None:
    """Draw a circle with a name in it, round whatever the axes' scales."""
    axes.scatter([x], [y], s=620, color=face, edgecolors=edge, linewidths=1.6, zorder=3)
    axes.text(x, y - 0.01, text, ha="center", va="center", fontsize=10, zorder=4)


def draw_matrix(
    axes: plt.Axes, left: float, title: str, values: np.ndarray, down: list[str], across: list[str]
) -> None:
    """Draw a matrix of 0 and 1 as squares; a column that belongs to a cause has its colour."""
    for (r, c), value in np.ndenumerate(values):
        on = COLOURS[c] if len(across) == len(COLOURS) else "0.35"
        axes.add_patch(
            Rectangle((left + c, r), 0.9, 0.9, facecolor=on if value else "white", edgecolor="0.7", lw=0.6)
        )
    for c, name in enumerate(across):
        axes.text(left + c + 0.45, -0.15, name, ha="center", va="bottom", fontsize=8)
    for r, name in enumerate(down):
        axes.text(left - 0.15, r + 0.45, name, ha="right", va="center", fontsize=8)
    axes.text(left + len(across) / 2, -1.15, title, ha="center", va="bottom", fontsize=9)


#: Nodes of the dependency graph: what they are called, and where they stand.
NODES = {
    "α": (0, 4),
    "K": (2, 4),
    "p": (4, 4),
    "z": (0, 2),
    "y": (4, 2),
    "λ": (-2.4, 0),
    "x": (2, 0),
    "ε": (6.4, 0),
}
DEPENDENCES = ["αz", "Kz", "Ky", "py", "zx", "yx", "λx", "εx"]
#: Plates: what is repeated, and from where to where.
PLATES = [
    ("causes\nk = 1 … K", -0.85, 1.2, 4.85, 2.75, (2, 2.0), "center"),
    ("variables\ni = 1 … N", -1.1, -0.85, 2.75, 3.0, (-1.0, -0.45), "left"),
    ("rows\nr = 1 … R", 1.25, -1.1, 5.1, 3.0, (5.0, -0.7), "right"),
]


def dependences() -> None:
    """Redraw the paper's Fig. 2: what depends on what, with plates for what is repeated."""
    figure, axes = plt.subplots(figsize=(6.2, 4.1))
    for (text, left, low, right, high, place, side), colour in zip(PLATES, COLOURS, strict=True):
        axes.add_patch(
            FancyBboxPatch(
                (left, low),
                right - left,
                high - low,
                boxstyle="round,pad=0.05",
                fill=False,
                ec=colour,
                lw=1.3,
            )
        )
        axes.text(*place, text, ha=side, va="center", fontsize=8.5, color=colour)
    for start, end in DEPENDENCES:
        arrow = {"arrowstyle": "-|>", "color": "0.2", "shrinkA": 14, "shrinkB": 17}
        axes.annotate("", NODES[end], NODES[start], arrowprops=arrow)
    for name, place in NODES.items():
        face = "0.82" if name == "x" else "white"
        axes.add_patch(Circle(place, 0.42, facecolor=face, edgecolor="0.2", lw=1.3, zorder=3))
        axes.text(*place, name, ha="center", va="center", fontsize=12, zorder=4)
    axes.set(xlim=(-3, 7), ylim=(-1.3, 4.6), aspect="equal")
    axes.axis("off")
    figure.tight_layout()
    save(figure, "dependences")


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
    network()
    dependences()
