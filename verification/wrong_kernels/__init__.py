"""Kernels that are wrong on purpose, as printed or broken by hand, for the harness to reject."""
