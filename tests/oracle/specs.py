"""The specs that cover every pair of levels of the model's factors, from where the proof harness has them."""

from verification.specs import pairwise_specs

__all__ = ["pairwise_specs"]
