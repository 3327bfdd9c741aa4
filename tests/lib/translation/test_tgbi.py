"""The translation gender bias index: closed forms, bounds, intervals that cover, bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.translation.tgbi import (
    RULES,
    gender_classes,
    gender_words,
    index_difference,
    index_interval,
    interval_coverage,
    set_score,
    translation_gender_bias_index,
    words_of,
)

HE, SHE, THEY = "He is kind.", "She is kind.", "They are kind."
counts = st.tuples(*[st.integers(0, 500)] * 3).filter(any)


def test_the_index_is_the_mean_over_sets_of_the_root_of_the_shares():
    found = translation_gender_bias_index({"a": [HE, SHE, SHE, THEY], "b": [HE, HE]})
    assert found.sets["a"] == (0.5, 0.25, 0.25, math.sqrt(0.125 + 0.25), 4)
    assert found.sets["b"].score == 0 and found.index == found.sets["a"].score / 2
    assert list(found.table().columns) == ["p_female", "p_male", "p_neutral", "score", "n", "both"]


@given(counts)
def test_a_score_lies_in_its_bounds_and_is_symmetric_in_the_genders(given_counts):
    female, male, neutral = given_counts
    found = set_score(female, male, neutral)
    assert 0 <= found.score <= 1 and found.score == set_score(male, female, neutral).score
    assert sum(found[:3]) == pytest.approx(1)
    assert (found.score == 1) == (neutral == sum(given_counts)) and (found.score == 0) == (
        neutral == 0 and 0 in (female, male)
    )
    assert neutral or found.score <= 0.5


@given(
    st.lists(
        st.sampled_from([HE, SHE, THEY, "He and she.", "She and he.", ""]), min_size=1, max_size=30
    )
)
def test_swapping_the_word_lists_swaps_the_shares_where_no_gender_wins(sentences):
    female, male = gender_words()
    for both in ("first", "neutral"):
        one, other = (
            translation_gender_bias_index({"all": sentences}, female=f, male=m, both=both)
            for f, m in ((female, male), (male, female))
        )
        assert one.index == other.index and one.sets["all"].p_female == other.sets["all"].p_male


def test_the_rule_for_both_genders_decides_what_such_an_output_is():
    sentences = ["He met her.", "She met him.", HE]
    assert [gender_classes(sentences, both=both).tolist() for both in RULES] == [
        [0, 0, 1],
        [1, 1, 1],
        [1, 0, 1],
        [2, 2, 1],
    ]
    assert translation_gender_bias_index({"a": sentences}).both == {"a": 2}


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("He's kind.", ["he", "'s", "kind"]),
        ("He’s kind", ["he", "'s", "kind"]),
        ("He's're quick-witted.", ["he's", "'re", "quick-witted"]),
        ("The theme: 'she', isn't it?", ["the", "theme", "she", "is", "n't", "it"]),
        ("he/she (girl)...", ["he/she", "girl"]),
        ("", []),
        ("HER!", ["her"]),
    ],
)
def test_words_are_cut_as_the_authors_did(sentence, words):
    assert words_of(sentence) == words


def test_an_interval_draws_items_with_all_their_sentences():
    outputs = {"a": [HE, SHE, HE, SHE], "b": [HE, SHE, HE, SHE]}
    items = {"a": [0, 1, 2, 3], "b": [0, 1, 2, 3]}
    found = index_interval(outputs, items, resamples=500, rng=0)
    assert found.sets["a"] == found.sets["b"] == (found.low, found.high) == (0, 0.5)
    sure = index_interval({"a": [HE, SHE]}, {"a": [7, 7]}, rng=0)
    assert sure.low == sure.high == 0.5
    assert found == index_interval(outputs, items, resamples=500, rng=0)


def spread_items(number, each=4):
    return {"all": [row // each for row in range(number * each)]}


def test_a_difference_is_that_of_the_indices_and_changes_sign_with_the_order():
    one = {"a": [SHE, HE, HE, HE], "b": [THEY, HE, HE, HE]}
    two = {"a": [HE, HE, HE, HE], "b": [HE, HE, SHE, SHE]}
    items = {"a": [0, 0, 1, 1], "b": [0, 1, 2, 3]}
    there = index_difference(one, two, items, rng=0)
    back = index_difference(two, one, items, rng=0)
    apart = translation_gender_bias_index(one).index - translation_gender_bias_index(two).index
    assert there.value == pytest.approx(apart) == pytest.approx(-back.value)
    assert there.n == 4 and there.p == pytest.approx(back.p, abs=0.05)


def test_the_exchange_test_rejects_as_often_as_its_level_where_names_say_nothing():
    rng = np.random.default_rng(0)
    pvalues = []
    for _ in range(200):
        first, second = rng.choice([SHE, HE], (2, 30, 1), p=[0.3, 0.7]).repeat(4, axis=2)
        arms = ({"all": arm.ravel().tolist()} for arm in (first, second))
        pvalues.append(index_difference(*arms, spread_items(30), resamples=199, rng=rng).p)
    assert 0.02 <= np.mean(np.array(pvalues) <= 0.1) <= 0.17


def test_the_exchange_test_finds_a_planted_difference_and_more_words_narrow_its_interval():
    widths = []
    for words in (40, 160):
        rng = np.random.default_rng(1)
        first, second = (rng.choice([SHE, HE], 4 * words, p=[p, 1 - p]) for p in (0.3, 0.1))
        found = index_difference(
            {"all": first.tolist()}, {"all": second.tolist()}, spread_items(words), rng=0
        )
        assert found.p < 0.01 and found.low > 0
        widths.append(found.high - found.low)
    assert widths[1] < widths[0]


def test_intervals_over_items_cover_and_intervals_over_sentences_do_not_where_words_decide():
    said = {"all": [SHE] * 160 + [HE] * 480}
    found = interval_coverage(said, spread_items(160), simulations=200, resamples=200, rng=0)
    assert found.items >= 0.88 and found.sentences <= 0.8 and found.simulations == 200


def test_at_the_top_of_the_arch_an_interval_lies_below_the_truth():
    said = {name: [SHE, HE] * 40 for name in "abcdefg"}
    items = {name: range(80 * place, 80 * (place + 1)) for place, name in enumerate(said)}
    found = interval_coverage(said, items, simulations=100, resamples=200, rng=0)
    assert found.items < 0.2


BAD = {
    "a list": (
        lambda: translation_gender_bias_index([HE]),
        ["expected sets of sentences by name", "list"],
    ),
    "one string": (
        lambda: translation_gender_bias_index({"a": HE}),
        ["'a'", "a list of one output"],
    ),
    "a shared word": (
        lambda: gender_classes([HE], female=["he"], male=["he"]),
        ["one gender only", "he in both"],
    ),
    "too few items": (
        lambda: index_interval({"a": [HE, SHE]}, {"a": [0]}),
        ["the item of every sentence"],
    ),
    "sets in another order": (
        lambda: index_difference(
            {"a": [HE], "b": [HE]}, {"b": [HE], "a": [HE]}, {"a": [0], "b": [0]}
        ),
        ["the sets a, b", "got b, a"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses):
    refuses(call, fragments)
