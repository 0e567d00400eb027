"""Sampling: chains, where they start, how many, and their draws."""
