"""Make the bundled table `davis` from the graph in `networkx`.

Run it with:  pip install networkx && python scripts/make_davis.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import networkx

TARGET = Path(__file__).parents[1] / "src/hiddencauses/datasets/files/davis.csv"


def main() -> None:
    """Write who came to which event."""
    graph = networkx.davis_southern_women_graph()
    women, events = graph.graph["top"], graph.graph["bottom"]
    assert (len(women), len(events), graph.number_of_edges()) == (18, 14, 89)
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["woman", *events])
        writer.writerows([woman, *(int(graph.has_edge(woman, event)) for event in events)] for woman in women)


if __name__ == "__main__":
    main()
