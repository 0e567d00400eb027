"""The fast tier of the proof harness: samplers against exact posteriors, joint tests, calibration."""

import pytest

from verification.case import Settings
from verification.registry import chosen_cases

#: Suites that are tested here; others have tests of their own.
SUITES = ("exact", "balance", "paths", "geweke", "kernels", "sbc")
CASES = [case for case in chosen_cases(fast=True, only=None) if case.name.split("/")[0] in SUITES]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_passes(case):
    outcome = case.run(Settings(fast=True, seed=1))
    assert outcome.passed, f"{outcome.detail}: {dict(outcome.figures)}"


def test_every_suite_has_a_negative_control_in_the_fast_tier():
    controls = {case.name.split("/")[0] for case in CASES if "control" in case.name}
    assert controls == set(SUITES)
