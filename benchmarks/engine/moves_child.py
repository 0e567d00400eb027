"""One side of the comparison of moves: makes moves as it is told on standard input, and tells their times.

It is run by its path, once with this version of the package on the path and once with the first one, so it
imports nothing but what both have.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

import hiddencauses
from benchmarks.mixing.doors import move_once
from hiddencauses import ModelSpec, Table
from hiddencauses.kernels.state import COUNTERS
from hiddencauses.model.world import Parameters, World
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of


def main(path: str) -> None:
    """Say which package this is, then answer every line, [kind, number of the move].

    An answer is the name of what was proposed, whether it was accepted, and milliseconds.
    """
    _say(hiddencauses.__file__)
    held = np.load(path)
    spec = ModelSpec.from_json(str(held["spec"]))
    data, plain = kernel_data(Table.from_array(held["cells"].astype(np.float64))), kernel_spec(spec)
    parameters = Parameters(held["strength"], held["leak"], held["prevalence"], float(held["concentration"]))
    world = World(held["links"], held["activity"], parameters)
    key = np.uint64(int(held["seed"]))
    for line in sys.stdin:
        kind, move = json.loads(line)
        state = state_of(world, spec)
        began = time.process_time()
        state = move_once(key, move, kind, move, state, data, plain)
        milliseconds = 1000 * (time.process_time() - began)
        _say([*_what(state), milliseconds])


def _say(what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _what(state: Any) -> tuple[str, int]:
    """Tell what was proposed, and whether it was accepted; nothing for a joint draw of activity."""
    counted = dict(zip(COUNTERS, state.counters.tolist(), strict=True))
    for name in COUNTERS:
        if name.endswith("_proposed") and counted[name] and not name.startswith("own"):
            plain = name.removesuffix("_proposed")
            return plain, counted[f"{plain}_accepted"]
    return "", 0


if __name__ == "__main__":
    main(sys.argv[1])
