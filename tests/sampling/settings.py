"""Tables, specs and samplers that the tests of sampling share."""

import numpy as np

from hiddencauses import Finite, FixedCount, Table
from verification.specs import pairwise_specs

#: Nine rows of three variables with missing cells, no column constant.
CELLS = np.array(
    [
        [1, 1, 0],
        [1, np.nan, 0],
        [0, 0, 1],
        [1, 1, 1],
        [0, 0, 0],
        [np.nan, 1, 1],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ]
)


def small_table():
    return Table.from_array(CELLS)


def samplers_of(spec):
    """The samplers that fit a spec."""
    if not isinstance(spec.causes, Finite):
        return ["gibbs", "auto"]
    return ["reversible_jump", "single_link_births", "auto"]


SPECS = pairwise_specs()
SPECS_AND_SAMPLERS = [(spec, samplers_of(spec)[n % len(samplers_of(spec))]) for n, spec in enumerate(SPECS)]


def named(spec):
    """A short name for a spec, for the list of tests."""
    causes = spec.causes.prior_on_k if isinstance(spec.causes, Finite) else spec.causes
    free = "".join("f" if isinstance(getattr(spec, n), float) else "-" for n in ("strength", "prevalence"))
    return f"{spec.strength_scope}-{spec.leak_scope}-{spec.prevalence_scope}-{free}-{type(causes).__name__}"


def start_for(spec):
    """A random start that the prior on K allows."""
    fixed = isinstance(spec.causes, Finite) and isinstance(spec.causes.prior_on_k, FixedCount)
    return "random:2" if fixed else "random:3"
