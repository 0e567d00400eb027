"""What a sweep needs at least, counted by hand; what the machine can do is only seen to be something."""

import numpy as np
import pytest

from benchmarks.engine import limits, memory
from benchmarks.engine.least_work import least_seconds, least_work
from benchmarks.engine.machine import _and_and_count, measure_machine
from benchmarks.recovery.tables import Problem
from hiddencauses import Table
from hiddencauses.model.world import Parameters, World
from tests.benchmarks.engine.drawn import fake_figure


def tiny_problem():
    """Three rows, two variables, two causes; the first variable has both of them."""
    links = np.array([[1, 1], [0, 1]], dtype=np.int8)
    activity = np.array([[1, 0], [1, 1], [0, 0]], dtype=np.int8)
    parameters = Parameters(np.array(0.9), np.array(0.1), np.array(0.5), 1.0)
    table = Table.from_array(np.array([[1, 0], [1, 1], [0, 0]], dtype=float))
    return Problem(table, World(links, activity, parameters), np.ones(2, dtype=np.bool_))


def test_least_work_by_hand():
    shared = least_work(tiny_problem(), "shared")
    assert shared["bytes"] == 8 * (2 * 2 + 3 * 2)
    assert shared["random numbers"] == 6
    # numbers of active causes take two bits for the first variable, one for the second
    assert shared["words"] == 2 * ((1 + 2) + (1 + 1))
    assert shared["multiply-adds"] == 3 * 3
    per_link = least_work(tiny_problem(), "per link")
    assert per_link["words"] == 4
    # pairs of an active cause and a variable that is on: 2 + 1 of the first, 1 + 1 of the second; linked: 4
    assert per_link["multiply-adds"] == 9 + 5 + 3 * 4


def test_least_seconds_by_hand():
    work = {"bytes": 10.0, "words": 4.0, "multiply-adds": 6.0, "random numbers": 1.0}
    machine = {
        "bytes from memory": 5.0,
        "words and counted": 2.0,
        "multiply-adds": 3.0,
        "random numbers": 4.0,
    }
    assert least_seconds(work, machine) == {"bytes": 2.0, "operations": 2.0 + 2.0 + 0.25}


def test_bits_are_counted():
    a = np.array([0b1011, 2**63], dtype=np.uint64)
    assert _and_and_count(1, a, np.array([0b0011, 2**63 + 1], dtype=np.uint64)) == 3


def test_what_the_machine_can_do_and_how_far_a_sweep_is_from_it(monkeypatch, tmp_path):
    assert all(rate > 0 for rate in measure_machine(quick=True).values())
    monkeypatch.setattr(limits, "figure", fake_figure)
    found = limits.run(1, quick=True)
    assert len(found["sweeps"]) == 4
    for each in found["sweeps"]:
        assert each["milliseconds"] > 0
    limits.draw(found, tmp_path)
    assert (tmp_path / "roofline.svg").exists()
    assert limits.table(found)[-1].endswith("(engine/roofline.svg)")


def test_peak_memory_is_that_of_a_child(monkeypatch):
    assert memory.own_peak_megabytes() > 10
    monkeypatch.setattr(memory, "PROGRAM", "import sys; room = bytearray(50_000_000 if sys.argv[1] else 1)")
    found = memory.run(1, quick=True)
    assert [each["sampler"] for each in found] == ["gibbs", "auto"]
    for each in found:
        assert each["megabytes"] - each["megabytes without"] == pytest.approx(50e6 / 2**20, abs=5)
    text = memory.table(
        [{"size": "s", "cells": 2**20, "sampler": "auto", "megabytes": 30.0, "megabytes without": 20.0}]
    )
    assert text[-1] == "| s | auto | 30 | 20 | 10.00 |"
