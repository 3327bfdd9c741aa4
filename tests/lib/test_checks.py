"""Arguments: what a list parameter may look like, what vectors must be."""

import numpy as np
import pytest

from lib import checks


@pytest.mark.parametrize(
    ("value", "items"),
    [
        (["a", "b"], ["a", "b"]),
        ("a,b", ["a", "b"]),
        ("[a, b]", ["a", "b"]),
        ("-4, 1e-3", [-4, 0.001]),
        ("hf:all-MiniLM@0f,C:\\v.npz, None", ["hf:all-MiniLM@0f", "C:\\v.npz", "None"]),
        (-1, [-1]),
        ("none", []),
        (None, []),
    ],
)
def test_a_list_parameter_may_be_a_list_or_text_with_commas(value, items):
    assert checks.as_list(value) == items


def test_vectors_keep_single_precision_and_make_floats_of_the_rest():
    assert checks.vectors("words", np.ones((2, 3), np.float32)).dtype == np.float32
    assert checks.vectors("words", np.ones((2, 3), np.float16)).dtype == np.float64
    assert checks.unit_rows("words", [[3, 4], [0, 2]]).tolist() == [[0.6, 0.8], [0, 1]]


def test_bad_vectors_are_refused_by_what_was_expected_and_what_came(refuses):
    refuses(
        lambda: checks.vectors("X", [["she", "he"]]),
        ["X", "expected numbers", "<U3", "look words up"],
    )
    refuses(lambda: checks.vectors("X", [1, 2]), ["X", "(n, d)", "shape (2,)"])
    refuses(
        lambda: checks.vectors("X", [[1, 2]], dimensions=3),
        ["X", "3 dimensions", "got 2", "one embedding"],
    )
    refuses(lambda: checks.vectors("X", [[1.0], [np.nan]]), ["X", "NaN", "row 1"])
    refuses(lambda: checks.unit_rows("X", [[1, 0], [0, 0]]), ["X", "zeros in row 1"])


NOT_REAL_NUMBERS = {
    "masked": (
        lambda: checks.real_numbers("scores", np.ma.masked_greater([1.0, 400.0], 9)),
        ["scores", "masked array", "leave masked values out", "NaN"],
    ),
    "complex": (
        lambda: checks.real_numbers("scores", [1 + 2j, 3]),
        ["scores", "real numbers", "complex128"],
    ),
    "numbers as text": (
        lambda: checks.real_numbers("scores", ["1", "2"]),
        ["scores", "<U1", "convert them before"],
    ),
    "a word among numbers": (
        lambda: checks.real_numbers("scores", np.array([1.0, "n/a"], object)),
        ["scores", "real numbers", "n/a"],
    ),
}


@pytest.mark.parametrize("case", NOT_REAL_NUMBERS)
def test_what_is_no_array_of_real_numbers_is_refused(case, refuses):
    refuses(*NOT_REAL_NUMBERS[case])
