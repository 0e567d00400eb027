"""What the golden files hold: how each kernel and each sampler goes on from a fixed state."""

import numpy as np

from hiddencauses import Finite, Gamma, Geometric, Infinite, ModelSpec, sample
from hiddencauses.data.bits import unpack_rows
from hiddencauses.sampling.convert import kernel_data, kernel_spec, state_of
from tests.golden import fixed_state
from tests.golden.kernel_doors import KERNELS, run_kernel
from tests.kernels.stream_doors import stream_numbers

SEED = 20060713
#: Visits after each of which the state is kept, by chunks of so many.
CHUNKS, VISITS = 3, 10

INFINITE = {"causes": Infinite()}
FINITE = {"causes": Finite(Geometric(0.2))}
OWN = {"strength_scope": "per_link", "leak_scope": "per_variable", "prevalence_scope": "per_cause"}
PER_CAUSE = {"strength_scope": "per_cause", "prevalence_scope": "per_cause"}

#: Each kernel alone: its variants differ in the spec.
KERNEL_CASES = {
    "links, infinite": ("links", INFINITE),
    "links, finite": ("links", FINITE),
    "links, infinite, own parameters": ("links", INFINITE | OWN),
    "own causes, shared": ("own causes", INFINITE),
    "own causes, proposed per link": ("own causes", INFINITE | OWN),
    "own causes, proposed per cause": ("own causes", INFINITE | PER_CAUSE),
    "activity, shared": ("activity", INFINITE),
    "activity, own parameters": ("activity", INFINITE | OWN),
    "birth and death, shared": ("birth and death", FINITE),
    "birth and death, per cause": ("birth and death", FINITE | PER_CAUSE),
    "single link, shared": ("single link", FINITE),
    "single link, own parameters": ("single link", FINITE | OWN),
    "strength, shared": ("strength", INFINITE),
    "strength, per cause": ("strength", INFINITE | PER_CAUSE),
    "strength, per link": ("strength", INFINITE | OWN),
    "leak, shared": ("leak", INFINITE),
    "leak, per variable": ("leak", INFINITE | OWN),
    "prevalence, shared": ("prevalence", INFINITE),
    "prevalence, per cause": ("prevalence", INFINITE | OWN),
    "concentration, infinite": ("concentration", INFINITE | {"concentration": Gamma(1.5, 0.5)}),
    "concentration, finite": ("concentration", FINITE | {"concentration": Gamma(1.5, 0.5)}),
} | {
    f"{move}, {name}": (move, spec)
    for move in (
        "joint birth and death",
        "split and merge",
        "rearrangement",
        "joint activity",
        "swap",
        "blind birth and death",
        "blind split and merge",
    )
    for name, spec in (
        ("infinite, shared", INFINITE),
        ("infinite, own parameters", INFINITE | OWN),
        ("finite, per cause", FINITE | PER_CAUSE),
    )
}

SAMPLER_CASES = {
    f"{sampler}, {scopes}": (sampler, spec | own)
    for sampler, spec in (
        ("gibbs", INFINITE),
        ("reversible_jump", FINITE),
        ("single_link_births", FINITE),
        ("auto", INFINITE),
    )
    for scopes, own in (("shared", {}), ("per cause", PER_CAUSE), ("own parameters", OWN))
}

STREAMS = ((0, 0, 0, 0, 0), (1, 0, 100, 0, 0), (1, 1, 100, 0, 0), (2**64 - 1, 7, 112, 3, 10**12))


def stream_traces():
    """The first numbers of a few streams, as the whole numbers they are made from."""
    return {" ".join(map(str, name)): [int(x * 2**53) for x in stream_numbers(*name, 5)] for name in STREAMS}


def kernel_traces():
    """The states that each kernel leads to."""
    return {name: _kernel_trace(*case) for name, case in KERNEL_CASES.items()}


def _kernel_trace(kernel, fields):
    spec = ModelSpec(**fields)
    state = state_of(fixed_state.world(spec), spec)
    data, plain = kernel_data(fixed_state.table()), kernel_spec(spec)
    kept = []
    for chunk in range(CHUNKS):
        state = run_kernel(
            KERNELS.index(kernel),
            np.uint64(SEED),
            chunk * VISITS,
            (chunk + 1) * VISITS,
            chunk == 0,
            state,
            data,
            plain,
        )
        kept.append(_written(state))
    return kept


def _written(state):
    """A state in plain numbers; what is beyond the causes in use, or belongs to no link, is left out."""
    count = int(state.count[0])
    strength = state.strength
    if strength.size > 1:
        strength = strength[:, :count]
        if len(strength) > 1:
            strength = strength[state.z[:, :count] == 1]
    return {
        "links": _flags(state.z[:, :count].T),
        "activity": _flags(unpack_rows(state.y[:count], int(state.count[1])).T.astype(int)),
        "degree": state.degree[:count].tolist(),
        "born": state.born[:count].tolist(),
        "counters": state.counters.tolist(),
        "strength": strength.ravel().tolist(),
        "leak": state.leak.tolist(),
        "prevalence": state.prevalence[:count].tolist(),
        "concentration": state.concentration.tolist(),
        "tuning": state.tuning.tolist(),
        "effort": state.effort.ravel().tolist(),
    }


def sampler_traces():
    """The draws that each sampler begins with."""
    return {name: _sampler_trace(*case) for name, case in SAMPLER_CASES.items()}


def _sampler_trace(sampler, fields):
    spec = ModelSpec(**fields)
    draws = sample(
        fixed_state.table(),
        spec,
        sampler=sampler,
        draws=8,
        warmup=12,
        chains=2,
        seed=SEED,
        init=fixed_state.world(spec),
    )
    return {
        "n_causes": draws.n_causes.tolist(),
        "n_total": draws.n_total.tolist(),
        "log_joint": draws.log_joint.tolist(),
        "concentration": draws.concentration.tolist(),
        "leak": draws.leak.reshape(2, 8, -1)[:, :, -1].tolist(),
        "counters": {name: values.tolist() for name, values in draws.counters.items()},
        "links": [[_flags(draws.links(c, d).T) for d in (0, 7)] for c in range(2)],
        "activity": [[_flags(draws.activity(c, d).T) for d in (0, 7)] for c in range(2)],
    }


def _flags(array):
    return ["".join(map(str, row)) for row in np.asarray(array).tolist()]


TRACES = {"streams": stream_traces, "kernels": kernel_traces, "samplers": sampler_traces}
