"""πP = π for every kernel, and wrong kernels noticed."""

import math

import pytest

from hiddencauses import Finite, ModelSpec, UniformCount
from verification.case import Settings
from verification.transition import FIXED, cases, every_cause, every_state, stationary_error
from verification.twin import structure

CELLS = [[1, 0]]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_posterior_is_left_as_it_is(case):
    outcome = case.run(Settings(fast=True))
    assert outcome.passed, outcome


def error_of(kernel):
    spec = ModelSpec(**FIXED, causes=Finite(UniformCount(2)))
    states = every_state(every_cause(2, 1, unlinked=True), range(1, 3))
    return stationary_error(kernel, states, CELLS, spec)


def test_printed_equation_10_is_noticed():
    # its denominator N makes the odds (m + a) / (N − m − a)
    def kernel(source, state):
        source.open(0, 0, 0)
        share = state.concentration / len(state.causes)
        for place in source.permutation(len(state.causes)):
            cause = state.causes[place]
            others = cause.degree - cause.links[0]
            likelihoods = []
            for value in (0, 1):
                cause.links[0] = value
                off = state.log_off(0, 0)
                likelihoods.append(math.exp(structure.cell_log_likelihood(state.cells[0][0], off)))
            theta = (others + share) / 2
            weights = [(1 - theta) * likelihoods[0], theta * likelihoods[1]]
            cause.links[0] = source.choice(weights)

    assert error_of(kernel) > 1e-4


def test_a_birth_without_its_factor_is_noticed(monkeypatch):
    right = structure._log_birth_ratio
    monkeypatch.setattr(structure, "_log_birth_ratio", lambda *parts: right(*parts) - math.log(2))
    assert error_of(lambda source, state: structure.update_by_single_link(source, state, 0, 0)) > 1e-4
    monkeypatch.setattr(
        structure,
        "_log_birth_ratio",
        lambda state, i, degrees, n_own, *rest: right(state, i, degrees, 0, *rest),
    )
    assert error_of(lambda source, state: structure.update_by_single_link(source, state, 0, 0)) > 1e-4


def test_a_wrong_leak_is_noticed():
    def kernel(source, state):
        state.leak = [0.12, 0.12]
        structure.update_links(source, state, 0, 0)

    assert error_of(kernel) > 1e-4
