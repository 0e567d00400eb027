"""A plain-Python twin of the compiled sampler.

It is written to be read beside the paper: no caches, no packing, likelihoods from scratch, equation
numbers at each step. It draws from the same named streams in the same order as the compiled kernels, so the
two must agree draw for draw; and since it takes every random choice through one small interface, the same
code also gives exact transition probabilities (see `enumeration.py`).
"""
