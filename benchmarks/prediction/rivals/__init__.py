"""Rivals: point fits of other models, tuned on an inner split of the training rows."""
