"""Tests of a reader's own words and pairs beside the five of the paper."""

import pytest

from lib.lexicons import load_lexicon
from lib.own_lists import OwnWords
from studies.domains.own_tests import checked_lists, groups_or_none, with_own

PRINTED = load_lexicon("chaloner2019")
CARE, CRAFT = ("nurse", "maid"), ("mason", "smith")


def test_two_groups_are_set_against_each_other_and_the_five_tests_stay():
    lexicon, names = with_own(PRINTED, OwnWords({"care": CARE, "craft": CRAFT}))
    assert names == {"y1": "Y1 care vs craft"}
    assert lexicon.test("y1") == (CARE, CRAFT, PRINTED["male"], PRINTED["female"])
    assert lexicon.test("b1") == PRINTED.test("b1") and len(lexicon.tests) == 6


@pytest.mark.parametrize("groups", [{"care": CARE}, {"care": CARE, "craft": CRAFT, "x": ("y",)}])
def test_any_other_number_of_groups_stands_against_control_words_less_its_own(groups):
    lexicon, names = with_own(PRINTED, OwnWords(groups), controls=("maid", "spoon"))
    assert [*names.values()] == [
        f"Y{n} {group} vs everyday nouns" for n, group in enumerate(groups, 1)
    ]
    assert lexicon.test("y1")[:2] == (CARE, ("spoon",))


def test_own_pairs_are_the_attributes_of_every_test():
    lexicon, names = with_own(PRINTED, pairs=[("ella", "él"), ("ella", "don")])
    assert names == {} and lexicon["female"] == ("ella",) and lexicon["male"] == ("él", "don")
    assert with_own(PRINTED) == (PRINTED, {})


def test_more_groups_than_a_digit_counts_are_refused(tmp_path):
    path = tmp_path / "many.csv"
    path.write_text(",".join(f"g{n}" for n in range(10)) + "\n" + ",".join("abcdefghij") + "\n")
    with pytest.raises(ValueError, match="own_words: expected at most 9 groups of words, got 10"):
        groups_or_none("own_words", str(path))
    assert groups_or_none("own_words", "") == ""


def test_lists_typed_into_a_notebook_are_read_as_they_stand():
    typed = {"a": (["x", "y"], ("z",))}, {"good": ["love"], "bad": ["hate"]}
    tests, sides = checked_lists(*typed)
    assert tests == {"a": (("x", "y"), ("z",))}
    assert sides == {"good": ("love",), "bad": ("hate",)}


@pytest.mark.parametrize(
    ("tests", "sides", "said"),
    [
        ({}, {"a": ["x"], "b": ["y"]}, "tests: expected"),
        ({"t": ["x"]}, {"a": ["x"], "b": ["y"]}, "two lists of words for 't'"),
        ({"t": ("poem", ["x"])}, {"a": ["x"], "b": ["y"]}, "a list of words"),
        ({"t": (["x"], ["y"])}, {"a": ["x"]}, "sides: expected two named lists"),
        ({"t": (["x"], ["y"])}, {"a": ["x"], "b": "y"}, "a list of words"),
    ],
)
def test_lists_that_are_none_are_refused_in_words(tests, sides, said):
    with pytest.raises(ValueError, match=said):
        checked_lists(tests, sides)
