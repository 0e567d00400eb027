"""Moves on a few causes at once, their activity summed out."""
