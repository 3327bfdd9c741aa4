"""The translation gender bias index: closed forms, the printed table from the released outputs, bounds, bad input."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.datasets.cho2019 import PARTITIONS, SETS, SYSTEMS, Released, released_outputs
from lib.ledger.claims import load_claims
from lib.translation.tgbi import (
    RULES,
    TgbiResult,
    gender_classes,
    gender_words,
    index_difference,
    index_interval,
    index_variants,
    interval_coverage,
    neutral_by_partition,
    neutral_kinds,
    other_means,
    outputs_about_a_person,
    partition_counts,
    printed_counts,
    scores_of_shares,
    set_score,
    small_set_bias,
    translation_gender_bias_index,
    truncated,
    words_of,
)

HE, SHE, THEY = "He is kind.", "She is kind.", "They are kind."
CORPUS = [
    f"tgbi_total_{part}"
    for system in SYSTEMS
    for part in (*(f"{system}_{end}" for _, end in SETS.values()),)
]
CORPUS += [f"tgbi_total_{end}" for end, _ in SETS.values()]
counts = st.tuples(*[st.integers(0, 500)] * 3).filter(any)


def test_the_index_is_the_mean_over_sets_of_the_root_of_the_shares():
    found = translation_gender_bias_index({"a": [HE, SHE, SHE, THEY], "b": [HE, HE]})
    assert found.sets["a"] == (0.5, 0.25, 0.25, math.sqrt(0.125 + 0.25), 4)
    assert found.sets["b"].score == 0 and found.index == found.sets["a"].score / 2
    assert list(found.table().columns) == ["p_female", "p_male", "p_neutral", "score", "n", "both"]


def test_a_quarter_of_neutral_outputs_beats_perfect_balance():
    assert set_score(50, 50, 0).score == 0.5 < set_score(0, 74, 26).score


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


def test_neutral_outputs_are_told_apart():
    outputs = [
        "The person is kind.",
        "They're kind.",
        "It's hot.",
        "I am kind.",
        "Kind.",
        "걔는 강해",
        "Ella",
    ]
    found = neutral_kinds(outputs, [*"abcde", "걔는 강해", "Ella"])
    assert found == Counter(
        {"copied": 2, "the person": 1, "they": 1, "it": 1, "other pronoun": 1, "no pronoun": 1}
    )
    assert not neutral_kinds([])


def test_a_number_is_cut_off_and_not_rounded():
    assert [truncated(value) for value in (406 / 2118, 1 / 2118, 0.035, 0.29973, 0.3, 1)] == [
        0.1916,
        0.0004,
        0.035,
        0.2997,
        0.3,
        1,
    ]


@pytest.mark.sample(*CORPUS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_released_outputs_give_every_printed_cell_when_cut_off(system):
    claims = load_claims()
    printed = claims[
        claims.claim_id.str.startswith("cho2019_tgbi.table1") & (claims.system == SYSTEMS[system])
    ]
    found = translation_gender_bias_index(released_outputs(system).outputs)
    averages = printed.setting.str.contains("mean of")
    cells = printed[~averages]
    assert len(cells) == 21
    for cell in cells.itertuples():
        score = found.sets[cell.setting.removeprefix("sentence_set=").partition(";")[0]]
        ours = {"P_s": score.score, "p_w": score.p_female, "p_n": score.p_neutral}[cell.metric]
        assert f"{truncated(ours):.4f}" == str(cell.value), cell.claim_id
    (mean,) = printed[averages].value
    assert (f"{truncated(found.index):.4f}" == str(mean)) == (system != "google")
    if system == "google":
        assert (str(mean), truncated(found.index)) == ("0.2992", 0.2997)


@pytest.mark.sample(*CORPUS)
def test_the_three_ways_to_divide_the_sentences_disagree_for_papago_alone():
    found = {
        name: partition_counts(translation_gender_bias_index(released_outputs(name).outputs).sets)
        for name in SYSTEMS
    }
    assert set(found["google"].values()) == {(429, 3800, 7)} and set(found["kakao"].values()) == {
        (67, 4168, 1)
    }
    assert found["papago"] == {
        "pronoun": (409, 3825, 2),
        "ending": (490, 3745, 1),
        "kind": (213, 4017, 6),
    }


@given(st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(0, 2500)).filter(any))
def test_counts_are_found_again_from_cells_cut_off_at_four_decimals(given_counts):
    female, male, neutral = given_counts
    found = set_score(female, male, neutral)
    cells = map(truncated, (found.p_female, found.p_neutral, found.score))
    assert (female, neutral) in printed_counts(*cells, found.n)


def test_every_printed_cell_has_one_count_behind_it_and_those_of_papago_cannot_come_from_one_run():
    claims = load_claims()
    cells = claims[
        claims.claim_id.str.startswith("cho2019_tgbi.table1")
        & claims.setting.str.contains("n_sentences")
    ]
    cells = cells.assign(
        value=cells.value.astype(float),
        set=cells.setting.str.extract(r"set=(\w+)")[0],
        n=cells.setting.str.extract(r"n_sentences=(\d+)")[0].astype(int),
    )
    cells = cells.pivot(index=["system", "set", "n"], columns="metric", values="value")
    found = {
        (system, name): printed_counts(row.p_w, row.p_n, row.P_s, n)
        for (system, name, n), row in cells.iterrows()
    }
    assert len(found) == 21 and all(len(pairs) == 1 for pairs in found.values())
    totals = {
        system: {
            tuple(np.sum([found[system, name][0] for name in parts], axis=0))
            for parts in PARTITIONS.values()
        }
        for system in SYSTEMS.values()
    }
    assert totals == {
        "Google Translator": {(429, 7)},
        "Kakao Translator": {(67, 1)},
        "Naver Papago": {(409, 2), (490, 1), (213, 6)},
    }
    assert printed_counts(0.5, 0.0, 0.1, 100) == []


@pytest.mark.sample(*CORPUS)
def test_sentences_of_an_item_go_together_so_that_intervals_are_wider_than_over_sentences():
    released = released_outputs("google")
    by_item = index_interval(released.outputs, released.items, resamples=800, rng=0)
    alone = {
        name: [f"{name} {row}" for row in range(len(rows))] for name, rows in released.items.items()
    }
    by_sentence = index_interval(released.outputs, alone, resamples=800, rng=0)
    index = translation_gender_bias_index(released.outputs).index
    assert by_item.low < index < by_item.high
    assert 1.5 < (by_item.high - by_item.low) / (by_sentence.high - by_sentence.low) < 2.1


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


def test_a_translator_does_not_differ_from_itself():
    said = {"all": [SHE, HE, HE, THEY] * 20}
    found = index_difference(said, said, spread_items(20), rng=0)
    assert found == (0, 0, 0, 1, 20)


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


def test_outputs_about_a_person_leave_it_and_failures_out():
    said = {"a": [HE, SHE, THEY, "It is kind.", "", "Kind.", "The person is kind."], "b": ["It."]}
    kept = outputs_about_a_person(said)
    assert kept == {"a": [HE, SHE, THEY, "The person is kind."], "b": []}


@given(st.lists(st.sampled_from([HE, SHE, THEY, "It is.", ""]), min_size=1, max_size=20))
def test_what_is_left_out_of_outputs_is_neutral(sentences):
    kept = outputs_about_a_person({"all": sentences})["all"]
    left = Counter(sentences) - Counter(kept)
    assert not left or set(gender_classes(list(left)).tolist()) == {2}


def test_variants_hold_the_published_index_and_wider_words_leave_fewer_neutral():
    outputs = {"a": [HE, "Their girl.", "Ladies first.", "His hat."]}
    found = index_variants(outputs)
    assert found.shape == (4, 4)
    assert found.loc["printed", "female"] == translation_gender_bias_index(outputs).index
    shares = {"printed": (1, 1), "pronouns": (0, 1), "possessives": (1, 2), "plurals": (2, 2)}
    for words, (female, male) in shares.items():
        expected = set_score(female, male, 4 - female - male).score
        assert found.loc[words, "female"] == pytest.approx(expected)


def test_means_beside_the_index_agree_where_the_sets_come_from_one_run():
    shares = {"female": 10, "male": 20, "neutral": 10}
    sets = {name: set_score(*shares.values()) for name in SETS}
    result = TgbiResult(sets["formal"].score, sets, dict.fromkeys(sets, 0))
    means = other_means(result)
    once = [means[f"once, by {way}"] for way in PARTITIONS]
    assert once == pytest.approx([means["index"]] * 3)
    assert means["no root"] == pytest.approx(means["index"] ** 2)


def test_neutral_outputs_are_counted_in_each_way_to_divide_them():
    released = Released(
        "google",
        {name: ["He is so.", "The person is so.", "so"] for name in SETS},
        {name: ["a", "b", "so"] for name in SETS},
        {name: [0, 0, 0] for name in SETS},
    )
    counted = neutral_by_partition(released).set_index(["sets", "kind"])["outputs"]
    for way, names in PARTITIONS.items():
        assert counted[way].to_dict() == {"the person": len(names), "copied": len(names)}


def test_unread_outputs_count_as_neutral_or_are_left_out():
    columns = ["female", "male", "neutral", "unread"]
    scores = scores_of_shares(pd.DataFrame([[0.25, 0.25, 0, 0.5]], ["x"], columns)).loc["x"]
    assert scores["score"] == pytest.approx(math.sqrt(0.0625 + 0.5)) and scores["left out"] == 0.5


def test_small_sets_score_too_low_and_large_ones_hardly():
    small, large = small_set_bias((0.0, 0.99, 0.01), [10, 10_000], 500, rng=0)
    assert small < -0.03 and abs(large) < 0.002
    assert small_set_bias((0, 1, 0), [10], 5, rng=0) == [0]


BAD = {
    "no sets": (
        lambda: translation_gender_bias_index({}),
        ["expected sets of sentences by name", "dict"],
    ),
    "a list": (
        lambda: translation_gender_bias_index([HE]),
        ["expected sets of sentences by name", "list"],
    ),
    "an empty set": (
        lambda: translation_gender_bias_index({"a": []}),
        ["'a'", "one output or more", "leave an empty set"],
    ),
    "one string": (
        lambda: translation_gender_bias_index({"a": HE}),
        ["'a'", "a list of one output"],
    ),
    "a rule": (
        lambda: translation_gender_bias_index({"a": [HE]}, both="last"),
        ["female, male, first, neutral", "'last'"],
    ),
    "a shared word": (
        lambda: gender_classes([HE], female=["he"], male=["he"]),
        ["one gender only", "he in both"],
    ),
    "no counts": (lambda: set_score(0, 0, 0), ["not all 0"]),
    "items of other sets": (
        lambda: index_interval({"a": [HE]}, {"b": [0]}),
        ["the item of every sentence"],
    ),
    "too few items": (
        lambda: index_interval({"a": [HE, SHE]}, {"a": [0]}),
        ["the item of every sentence"],
    ),
    "items that do not fit the second": (
        lambda: index_difference({"a": [HE]}, {"a": [HE, SHE]}, {"a": [0]}),
        ["the item of every sentence"],
    ),
    "sets in another order": (
        lambda: index_difference(
            {"a": [HE], "b": [HE]}, {"b": [HE], "a": [HE]}, {"a": [0], "b": [0]}
        ),
        ["the sets a, b", "got b, a"],
    ),
    "coverage over items of other sets": (
        lambda: interval_coverage({"a": [HE]}, {"b": [0]}),
        ["the item of every sentence"],
    ),
    "persons in one string": (lambda: outputs_about_a_person({"a": HE}), ["'a'", "a list of one"]),
    "fewer sources": (lambda: neutral_kinds([HE], []), ["a source for each of 1"]),
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses):
    refuses(call, fragments)


def test_importing_loads_no_heavy_library(loaded_by):
    assert (
        loaded_by(
            "lib.datasets.cho2019, lib.datasets.prates2020, lib.translation.tgbi",
            ("torch", "transformers", "sklearn"),
        )
        == []
    )
