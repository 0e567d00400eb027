"""Benchmarks: what is measured, side by side in one run; never a part of the test suite."""
