"""Arguments: what a list parameter may look like."""

import doctest

import pytest

from lib import checks


def test_the_examples_of_the_docstrings_hold():
    assert doctest.testmod(checks).failed == 0


@pytest.mark.parametrize(
    ("value", "items"),
    [
        (["a", "b"], ["a", "b"]),
        (("a", 1), ["a", 1]),
        ("a,b", ["a", "b"]),
        ("[a, b]", ["a", "b"]),
        ("['a', \"b\"]", ["a", "b"]),
        ("minilm", ["minilm"]),
        ("2500,5000", [2500, 5000]),
        ("-4, 1e-3", [-4, 0.001]),
        ("hf:all-MiniLM@0f,C:\\v.npz, None", ["hf:all-MiniLM@0f", "C:\\v.npz", "None"]),
        (-1, [-1]),
        ("none", []),
        ("[]", []),
        (" ", []),
        (None, []),
    ],
)
def test_a_list_parameter_may_be_a_list_or_text_with_commas(value, items):
    assert checks.as_list(value) == items
