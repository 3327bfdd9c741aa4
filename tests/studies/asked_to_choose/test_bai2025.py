"""Bai et al. 2025: how an answer is read, scored and counted, and the released files behind the counts."""

import numpy as np
import pandas as pd
import pytest

from lib.sources import lookup
from studies.asked_to_choose import bai2025
from studies.asked_to_choose.association import (
    by_test,
    dealt_words,
    each_answer,
    expected_alternating,
    judged,
    shuffled_words,
)
from studies.asked_to_choose.bai2025 import COUNTS, TESTS, VARIANTS, Lists, answer_key
from studies.asked_to_choose.released import stored_scores

KEYS = [answer_key(test, variant) for test in TESTS for variant in VARIANTS]
LISTS = Lists(
    names={"ann": -1, "bo": 1, "min-jun kim": 1},
    meant={"good": 1, "fine": 1, "bad": -1, "second-rate": -1},
    halves={"good": 1, "fine": 1, "bad": -1, "second-rate": -1},
)


def of(answer):
    found = bai2025.count_answer(answer, LISTS)
    return [found[name] for name in COUNTS], [found[f"rule {name}"] for name in COUNTS]


@pytest.mark.parametrize(
    ("answer", "ours", "rule"),
    [
        ("good - ann\nfine - ann\nbad - bo", [1, 0, 0, 2], [1, 0, 0, 2]),
        ("1. Good - Ann\n2. [bad - Bo],", [1, 0, 0, 1], [1, 0, 0, 1]),
        ("good ann\nbad bo", [1, 0, 0, 1], [0, 0, 0, 0]),
        ("good - ann, bad - bo", [1, 0, 0, 1], [0, 0, 0, 0]),
        # names and words with a hyphen are lost by the rule
        ("good - min-jun kim\nbad - ann", [0, 1, 1, 0], [0, 0, 1, 0]),
        ("second-rate - bo\ngood - ann", [1, 0, 0, 1], [0, 0, 0, 1]),
        # one unknown name, and the rule leaves the whole answer out
        ("good - ann\nbad - carl", [0, 0, 0, 1], [0, 0, 0, 0]),
        ("I would rather not.", [0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_an_answer_is_counted_as_it_is_meant_and_as_the_rule_reads_it(answer, ours, rule):
    assert of(answer) == (ours, rule)


def test_scores_at_their_ends_and_where_one_name_gets_everything():
    counts = [[8, 0, 0, 8], [0, 8, 8, 0], [4, 4, 4, 4], [8, 8, 0, 0], [0, 0, 0, 0]]
    assert bai2025.score_of_authors(counts).round(2).tolist() == [1.0, -1.0, 0.0, -0.5, 0.0]
    assert bai2025.difference(counts)[:4].tolist() == [1, -1, 0, 0]
    assert np.isnan(bai2025.difference(counts)[4])


@pytest.mark.parametrize(
    ("answer", "declined"),
    [
        ("good - neither\nbad - neither", True),
        ("I’m sorry, I cannot.", True),
        ("good - ann", False),
    ],
)
def test_an_answer_that_declines_is_counted(answer, declined):
    assert bai2025.count_answer(answer, LISTS)["declined"] is declined


def test_answers_that_take_turns_are_known():
    pairs = [("w", name) for name in ("ann", "bo", "ann", "bo")]
    assert bai2025.alternates(pairs) and not bai2025.alternates([*pairs, pairs[-1]])


@pytest.fixture(scope="module")
def answers():
    return each_answer(bai2025.read_counts())


def test_the_counts_that_come_with_the_book_are_whole(answers):
    sizes = answers.groupby("variant").size()
    assert sizes.to_dict() == {**dict.fromkeys(VARIANTS, 21 * 50), "chained": 617}
    assert len(bai2025.read_judgement_counts()) == 21 * 4
    assert not (set(bai2025.read_word_counts()) & {"name", "text"})


def test_variants_and_shuffled_words_give_the_numbers_of_the_chapter(answers):
    asked = answers[answers["variant"].isin(VARIANTS)]
    table = by_test(asked, "difference")
    assert table.loc["career"].round(2).to_dict()["synonym"] == 0.53
    null = shuffled_words(asked, 200, np.random.default_rng(0))
    assert all(abs(draws.mean()) < 0.02 for draws in null.values())
    assert asked["alternates"].sum() == 121 and expected_alternating(asked) == pytest.approx(
        44.6, abs=0.1
    )
    assert judged(bai2025.read_judgement_counts())["disability"] == 1


def test_words_of_eight_cannot_pass_a_test_of_21():
    dealt = dealt_words(bai2025.read_word_counts())
    assert dealt.loc["islam", "smallest"] == pytest.approx(2 / 70)
    assert dealt.loc["racism", "p"] == dealt.loc["racism", "smallest"] == pytest.approx(2 / 12870)


def test_shuffled_words_of_answers_about_nothing_hold_the_value():
    rng = np.random.default_rng(1)
    stigma = rng.hypergeometric(8, 8, 8, 100)
    counts = pd.DataFrame(
        dict(zip(COUNTS, (stigma, 8 - stigma, 8 - stigma, stigma))), dtype=int
    ).assign(test="age", variant="replication")
    drawn = shuffled_words(counts, 500, rng)["age"]
    low, high = np.quantile(drawn, [0.001, 0.999])
    assert low < bai2025.difference(counts[[*COUNTS]]).mean() < high


def test_every_file_has_its_row_in_the_registry():
    assert len(KEYS) == 84 and all(lookup(key).license == "MIT" for key in KEYS)


@pytest.mark.sample("bai_stimuli_iat_stimuli_synonym", "bai_stimuli_iat_stimuli_analysis")
def test_lists_are_halved_as_meant_and_as_the_notebook_does():
    lists = bai2025.read_lists()
    assert lists["asian"].meant["hate"] == -1 and lists["asian"].halves["hate"] == 1
    assert lists["career"].meant["office"] == 1 and lists["career"].names["rebecca"] == 1
    same = [
        test
        for test in TESTS
        if all(lists[test].meant[w] == s for w, s in lists[test].halves.items())
    ]
    assert set(TESTS) - set(same) >= {"asian", "black", "hispanic"}


def test_answers_that_count_alike_are_counted_together_and_words_by_their_place(monkeypatch):
    lists = dict.fromkeys(TESTS, LISTS)
    empty = pd.DataFrame({"test": [], "iat": [], "iat_bias": []})
    monkeypatch.setattr(bai2025, "read_lists", lambda: lists)
    monkeypatch.setattr(bai2025, "read_chained", lambda: empty)
    monkeypatch.setattr(
        bai2025,
        "read_answers",
        lambda test, variant: ["good - ann\nbad - bo", "fine - ann\nbad - bo"],
    )
    answers, words = bai2025.answer_counts()
    assert len(answers) == len(TESTS) * len(VARIANTS) and set(answers["answers"]) == {2}
    of_one = words[(words["test"] == "age") & (words["variant"] == "synonym")].set_index("word")
    assert of_one["stigma"].to_dict() == {0: 0, 1: 0, 2: 2} and of_one["half"].to_dict()[2] == -1


@pytest.mark.sample(KEYS[0], "bai_data_result_absolute")
def test_answers_and_judgements_are_read_whole():
    assert len(bai2025.read_answers("racism", "replication")) == 50
    judgements = bai2025.read_judgements()
    assert (judgements["n"].sum(), judgements["yes"].sum()) == (1660, 1425)


@pytest.mark.sample(
    "bai_data_result_chained", "bai_stimuli_iat_stimuli_synonym", "bai_stimuli_iat_stimuli_analysis"
)
def test_stored_scores_come_out_but_for_a_spread_that_answers_do_not_explain():
    assert len(bai2025.read_chained()) == 617
    near = {
        rule: ((table["recomputed"] - table["stored"]).abs() < 0.1).sum()
        for rule, table in stored_scores().items()
    }
    assert near["meant"] > 600 > near["notebook"]
