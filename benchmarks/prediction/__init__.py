"""Held-out cells of real tables: how well hidden causes, and rivals, predict what they were not shown."""
