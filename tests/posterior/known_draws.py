"""Draws that are put together by hand from worlds, so that what they should tell is known."""

from __future__ import annotations

import numpy as np

from hiddencauses import Beta, ModelSpec
from hiddencauses.model.world import Parameters, World

SPEC = ModelSpec(
    strength=Beta(1, 1), strength_scope="per_link", leak_scope="per_variable", prevalence_scope="per_cause"
)


class KnownDraws:
    """What `Draws` offers, over worlds given as chains of lists."""

    def __init__(self, worlds, spec=SPEC, log_joint=None):
        self.worlds, self.spec, self.seed = worlds, spec, 1
        self.n_chains, self.n_draws = len(worlds), len(worlds[0])
        first = worlds[0][0]
        self.columns = tuple(f"x{i + 1}" for i in range(len(first.links)))
        self.n_rows = len(first.activity)
        self.n_causes = np.array([[w.n_causes for w in chain] for chain in worlds])
        self.log_joint = np.zeros((self.n_chains, self.n_draws)) if log_joint is None else log_joint
        self.concentration = np.array([[w.parameters.concentration for w in chain] for chain in worlds])
        self.leak = np.array([[w.parameters.leak for w in chain] for chain in worlds])

    def world(self, chain, draw):
        return self.worlds[chain][draw]

    def links(self, chain, draw):
        return self.world(chain, draw).links

    def parameters(self, chain, draw):
        return self.world(chain, draw).parameters

    def has_activity(self, draw):
        return True

    def activity(self, chain, draw):
        return self.world(chain, draw).activity

    def n_causes_distribution(self):
        return np.bincount(self.n_causes.ravel()) / self.n_causes.size


def world(links, activity, strength=0.8, leak=0.05, prevalence=0.3):
    """A world with parameters in the shapes of SPEC; links are variables × causes."""
    links, activity = np.asarray(links, dtype=np.int8), np.asarray(activity, dtype=np.int8)
    n, k = links.shape
    return World(
        links,
        activity,
        Parameters(
            np.where(links == 1, np.broadcast_to(strength, (n, k)), np.nan),
            np.array(np.broadcast_to(leak, n), dtype=float),
            np.array(np.broadcast_to(prevalence, k), dtype=float),
            1.0,
        ),
    )


def random_world(rng, n_rows, n_variables, n_causes):
    """A world in which every cause has a link and nothing is near 0 or 1."""
    links = (rng.random((n_variables, n_causes)) < 0.5).astype(np.int8)
    links[rng.integers(n_variables, size=n_causes), np.arange(n_causes)] = 1
    return world(
        links,
        rng.random((n_rows, n_causes)) < 0.4,
        rng.uniform(0.2, 0.95, links.shape),
        rng.uniform(0.02, 0.3, n_variables),
        rng.uniform(0.1, 0.6, n_causes),
    )
