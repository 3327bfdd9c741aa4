"""Nine scores, every two nouns in place of she and he, and what kinds of scores there are."""

import numpy as np
import pandas as pd
import pytest

from studies.sentence_measures import nine
from studies.sentence_measures.lean_scores import (
    LEAN_SCORES,
    by_question,
    female_first,
    lean_scores,
    of_all_pairs,
    questions,
    scores_by_noun,
)

TEMPLATE = "{target} is the {attribute}."
WORDS, NOUNS = ["nurse", "doctor"], ["man", "woman", "town"]


def test_pairs_of_a_reader_s_stand_with_the_female_word_first():
    given = [("she", "he"), ("my {target}", "sister", "brother"), ("she", "he")]
    expected = [("{target}", "he", "she"), ("my {target}", "brother", "sister")]
    assert female_first(given) == expected


@pytest.mark.parametrize("given", ["she", ("she",), ("she", "she"), ("my", "a", "b"), ("she", "")])
def test_what_is_no_pair_is_refused(given):
    with pytest.raises(ValueError, match="expected"):
        female_first([given])


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_a_pair_of_nouns_scores_what_it_does_when_asked_by_itself(kind, model):
    m = model(kind)
    found = scores_by_noun(m, WORDS, TEMPLATE, NOUNS)
    assert list(found) == list(LEAN_SCORES)
    for place, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        rows = questions(WORDS, [TEMPLATE], [("the {target}", NOUNS[b], NOUNS[a])])
        once = by_question(lean_scores(m, rows), rows)
        for name, values in once.items():
            pairs = of_all_pairs(found[name])
            assert pairs[place] == pytest.approx(values[:, 0], abs=1e-4), name


@pytest.mark.usefixtures("one_thread")
def test_nouns_of_several_pieces_are_refused(model):
    with pytest.raises(ValueError, match="one piece"):
        scores_by_noun(model(), WORDS, TEMPLATE, ["man", "woman town"])


def test_every_two_scores_are_of_one_kind_or_of_two():
    kinds = {kind: len(twos) for kind, twos in nine.kinds_of_twos(nine.KIND_OF).items()}
    assert kinds.pop(nine.ANY_TWO) == 36 == sum(kinds.values())
    assert list(nine.kinds_of_twos(["SEAT", "CEAT"])) == [nine.ANY_TWO, "SEAT with CEAT"]


def test_words_are_spread_from_the_smallest_fact_to_the_largest():
    facts = pd.Series({"a": 0.3, "b": 0.1, "c": 0.2, "d": 0.9, "e": 0.5})
    chosen = nine.spread_evenly(facts, 3, lambda word: True)
    assert chosen == ["b", "a", "d"]
    assert len(nine.spread_evenly(facts, 9, lambda word: True)) == 5


def test_random_lists_are_as_many_as_asked_and_need_nouns():
    rng = np.random.default_rng(0)
    words = ["nurse", *"abcdefghijkl"]
    of = dict(zip(words, rng.standard_normal((13, 4))))
    read = nine.Vectors({"one": of, "two": of}, {w: of[w][None].repeat(2, 0) for w in words}, 2)
    found = nine.random_lists(read, ["nurse"], words[1:], 5, rng)
    assert {name: rows.shape for name, rows in found.items()} == {"SEAT": (5, 1), "CEAT": (5, 1)}
    assert nine.random_lists(read, ["nurse"], words[1:5], 5, rng) == {}


def test_random_labels_lie_around_one_half():
    low, high = nine.guessed(8, 8, draws=500, rng=0)
    assert low < 0.5 < high and low == pytest.approx(1 - high, abs=0.05)
