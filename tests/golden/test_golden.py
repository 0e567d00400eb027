"""Kernels and samplers go on from a fixed state as they did when the golden files were made."""

import json
import math
from functools import cache
from pathlib import Path

import pytest

from tests.golden.traces import KERNEL_CASES, SAMPLER_CASES, STREAMS, TRACES

FOLDER = Path(__file__).parent
#: Floats may differ by this: mathematical libraries round differently.
TOLERANCE = 1e-9


@cache
def golden(kind):
    return json.loads((FOLDER / f"{kind}.json").read_text(encoding="utf-8"))


@cache
def present(kind):
    return TRACES[kind]()


def differences(found, kept, place=""):
    """Where two traces differ: integers and texts exactly, floats by more than the tolerance."""
    if isinstance(kept, dict):
        if set(found) != set(kept):
            return [f"{place}: other keys"]
        return [d for key in kept for d in differences(found[key], kept[key], f"{place}/{key}")]
    if isinstance(kept, list):
        if len(found) != len(kept):
            return [f"{place}: {len(found)} long, was {len(kept)}"]
        pairs = enumerate(zip(found, kept, strict=True))
        return [d for n, (a, b) in pairs for d in differences(a, b, f"{place}/{n}")]
    if isinstance(kept, float) and isinstance(found, float):
        same = math.isclose(found, kept, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        return [] if same else [f"{place}: {found}, was {kept}"]
    return [] if found == kept and type(found) is type(kept) else [f"{place}: {found}, was {kept}"]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *(("streams", " ".join(map(str, name))) for name in STREAMS),
        *(("kernels", name) for name in KERNEL_CASES),
        *(("samplers", name) for name in SAMPLER_CASES),
    ],
)
def test_as_before(kind, name):
    assert differences(present(kind)[name], golden(kind)[name]) == []


def test_nothing_golden_is_left_unread():
    assert {kind: set(golden(kind)) for kind in TRACES} == {
        "streams": {" ".join(map(str, name)) for name in STREAMS},
        "kernels": set(KERNEL_CASES),
        "samplers": set(SAMPLER_CASES),
    }


@pytest.mark.parametrize("name", KERNEL_CASES)
def test_kernels_do_something(name):
    # a trace that stands still would prove nothing
    first, *_, last = golden("kernels")[name]
    assert first != last


def test_differences_are_seen():
    # negative control
    kept = {"a": [1, 2.0], "b": "0110"}
    assert differences({"a": [1, 2.0 + 1e-12], "b": "0110"}, kept) == []
    assert differences({"a": [2, 2.0], "b": "0110"}, kept)
    assert differences({"a": [1.0, 2.0], "b": "0110"}, kept)
    assert differences({"a": [1, 2.0 + 1e-6], "b": "0110"}, kept)
    assert differences({"a": [1, 2.0], "b": "0111"}, kept)
    assert differences({"a": [1], "b": "0110"}, kept)
