"""Doors to the compiled random streams."""

import numpy as np

from hiddencauses.compiled import compiled_door
from hiddencauses.kernels.streams import (
    draw_beta,
    draw_gamma,
    draw_normal,
    draw_poisson,
    open_stream,
    permutation,
    uniform,
)


@compiled_door
def uniforms(seed, chain, purpose, block, sweep, out):
    stream = open_stream(seed, chain, purpose, block, sweep)
    for n in range(out.size):
        out[n] = uniform(stream)


@compiled_door
def first_uniforms(seed, chain, purpose, block, first_sweep, out):
    """Row s holds the beginning of the stream of sweep `first_sweep` + s."""
    for s in range(out.shape[0]):
        stream = open_stream(seed, chain, purpose, block, first_sweep + s)
        for n in range(out.shape[1]):
            out[s, n] = uniform(stream)


@compiled_door
def draws(kind, a, b, seed, out):
    stream = open_stream(seed, 0, 1, 0, 0)
    for n in range(out.size):
        if kind == 0:
            out[n] = draw_normal(stream)
        elif kind == 1:
            out[n] = draw_gamma(stream, a)
        elif kind == 2:
            out[n] = draw_beta(stream, a, b)
        else:
            out[n] = draw_poisson(stream, a)


@compiled_door
def orders(n, seed, out):
    """Each row a random order of 0 … n − 1."""
    stream = open_stream(seed, 0, 1, 0, 0)
    for row in range(out.shape[0]):
        order = permutation(stream, n)
        for k in range(n):
            out[row, k] = order[k]


def stream_numbers(seed, chain, purpose, block, sweep, n):
    """The first n numbers of a named stream."""
    out = np.empty(n)
    uniforms(np.uint64(seed), chain, purpose, block, sweep, out)
    return out
