"""Kernels: each changes one thing about a chain's state, in place, and leaves the posterior as it is."""
