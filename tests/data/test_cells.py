from __future__ import annotations

import decimal

import numpy as np
import pyarrow as pa
import pytest

from hiddencauses.data.cells import NOT_A_CELL, cell_codes, word_code
from hiddencauses.data.table import MISSING

WORDS = {
    1: ["1", "1.0", "true", "t", "yes", "y", "present"],
    0: ["0", "0.0", "false", "f", "no", "n", "absent"],
    MISSING: ["", "NA", "NaN", "null"],
    NOT_A_CELL: [
        "2",
        "-1",
        "maybe",
        "1.00",
        "10",
        "01",
        "oui",
        "0x1",
        "+1",
        "yes!",
        "ye s",
        "None",
        "x" * 10_000,
    ],
}


@pytest.mark.parametrize(("code", "word"), [(code, word) for code, words in WORDS.items() for word in words])
def test_a_word_means_the_same_in_any_case_and_with_blanks_around(code: int, word: str) -> None:
    for form in (word, word.upper(), word.title(), f"  {word}\t", f"\ufeff{word}", f"\u00a0{word}\r"):
        assert word_code(form) == code


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, 0, None, 2]),
        pa.array([1, 0, None, 2], pa.uint8()),
        pa.array([1.0, 0.0, float("nan"), 0.5]),
        pa.array([1.0, 0.0, None, float("inf")], pa.float32()),
        pa.array(np.array([1, 0, np.nan, 2], dtype=np.float16)),
        pa.array([decimal.Decimal(1), decimal.Decimal(0), None, decimal.Decimal("0.5")]),
        pa.array(["yes", "NO", "NA", "?"]),
        pa.array(["yes", "NO", None, "?"], pa.large_string()),
        pa.array(["yes", "NO", None, "?"], pa.string_view()),
        pa.array(["yes", "NO", None, "?"]).dictionary_encode(),
        pa.DictionaryArray.from_arrays(
            pa.array([0, 1, 2, 3], pa.int8()), pa.array(["1", "0", None, "3", "y", "n"])
        ),
        pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 1], pa.uint8()), pa.array([0, 7, 1])),
        pa.array(["x", "1", "0", None, "?", "1"]).slice(1, 4),
        pa.array(["x", "1", "0", None, "?", "1"]).dictionary_encode().slice(1, 4),
    ],
    ids=lambda array: str(array.type),
)
def test_every_type_of_array(array: pa.Array) -> None:
    assert cell_codes(array).tolist() == [1, 0, MISSING, NOT_A_CELL]


def test_booleans_and_other_types() -> None:
    assert cell_codes(pa.array([True, False, None])).tolist() == [1, 0, MISSING]
    assert cell_codes(pa.nulls(2)).tolist() == [MISSING, MISSING]
    assert cell_codes(pa.array([0, None], pa.date32())).tolist() == [NOT_A_CELL, MISSING]
    assert cell_codes(pa.array([[1], None])).tolist() == [NOT_A_CELL, MISSING]


def test_values_of_a_dictionary_that_are_not_in_use_do_not_matter() -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 1, 0]), pa.array(["1", "0", "spare"]))
    assert cell_codes(array).tolist() == [1, 0, 1, 0, 1]
