"""Rivals: point fits of other models, tuned on inner splits of the training rows."""
