"""Wrong samplers are rejected, the package's own are not."""

import pytest

from verification.case import Settings
from verification.negative_controls import CONTROLS, run_control


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_wrong_sampler_is_rejected(control):
    outcome = run_control(control, Settings(fast=True, seed=1))
    assert outcome.passed, outcome
    assert outcome.figures["known bias / error"] >= 6
