"""Answers as a block: who is asked, whose the differences are, and what chance gives."""

import numpy as np
import pandas as pd
import pytest

from lib.language_models import MaskedLanguageModel, log_probability_bias
from studies.log_probability_bias import answers
from studies.log_probability_bias.statistics import generalisability, variance_components
from tests.studies.log_probability_bias.test_statistics import crossed

PAIRS = [("he", "she"), ("the {target}", "man", "woman")]
SENTENCES = ["{target} is the {attribute}.", "{target} was the {attribute}."]


def test_two_words_fill_the_gap_alone_and_three_bring_what_stands_around_them():
    assert answers.framed(PAIRS) == [("{target}", "he", "she"), ("the {target}", "man", "woman")]
    assert answers.name_of(answers.framed(PAIRS)[1]) == "man – woman"


@pytest.mark.parametrize(
    "pair", ["he/she", ("he",), ("he", "he"), ("my", "uncle", "aunt"), ("", "she")]
)
def test_what_is_no_pair_is_refused_and_shown(pair):
    with pytest.raises(ValueError, match=r"expected .* got"):
        answers.framed([pair])


def test_pairs_of_english_words_that_name_a_gender_are_known():
    assert answers.in_english(answers.framed([("uncle", "aunt")]))
    assert not answers.in_english(answers.framed([("él", "ella"), ("red", "blue")]))


def test_a_block_holds_the_scores_of_the_library(tiny_model, one_thread):
    m = MaskedLanguageModel(str(tiny_model("bert")), "cpu")
    words, pairs = ["nurse", "doctor", "engineer"], answers.framed([PAIRS[1], PAIRS[0]])
    block = answers.ask(m, words, SENTENCES, pairs)
    assert block.shape == (3, 2, 2)
    framed = [text.replace("{target}", "the {target}") for text in SENTENCES]
    expected = log_probability_bias(m, words, framed, [("man", "woman")], pieces="marginalise")
    assert block[:, :, 0].ravel() == pytest.approx(expected["bias"].to_numpy(), abs=1e-6)
    assert answers.ask(m, [], SENTENCES, pairs).shape == (0, 2, 2)


def test_words_are_spread_over_the_order_of_their_facts():
    facts = pd.Series({"b": 2.0, "a": 1.0, "d": 4.0, "c": 3.0, "e": 5.0})
    assert answers.spread_evenly(facts, 3) == ["a", "c", "e"]
    assert answers.spread_evenly(facts, 9) == list("abcde")


def test_the_parts_are_all_of_the_differences_and_shuffled_words_share_no_order():
    scores = crossed(40, 6, 5, [1.0, 0.3, 0.3, 0.2, 0.7, 0.2, 0.4])
    found = answers.split(scores, n_resamples=40, draws=40, rng=0)
    assert found.parts["value"].sum() == pytest.approx(1)
    word = found.parts.loc["the word itself"]
    assert word["low"] < word["value"] < word["high"]
    assert word["null low"] == pytest.approx(0, abs=0.02)
    assert word["null high"] < word["value"]
    again = answers.found_again(found, {"once": (1, 1), "often": (6, 5)})
    once = generalisability(variance_components(scores), 1, 1)
    assert again.loc["once", "value"] == pytest.approx(once)
    assert again.loc["once", "value"] < again.loc["often", "value"]


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    deviations = [0.32, 0.09, 0.09, 0.1, 0.31, 0.2, 0.13]
    variance = np.square(deviations)
    truth, held = variance[0] / (variance[0] + variance[3] + variance[4] + variance[6]), 0
    for seed in range(40):
        found = answers.redrawn_components(
            crossed(60, 10, 5, deviations, seed), n_resamples=60, rng=seed
        )
        low, high = np.quantile(
            [generalisability(row, 1, 1) for _, row in found.iterrows()], [0.025, 0.975]
        )
        held += low <= truth <= high
    assert held >= 33  # of 40, with sixty draws each


@pytest.mark.parametrize("shape", [(2, 4, 4), (9, 1, 4), (9, 4, 1), (0, 4, 4)])
def test_too_few_words_sentences_or_pairs_have_no_split(shape):
    scores = np.random.default_rng(0).standard_normal(shape)
    assert answers.split(scores, n_resamples=5, draws=5) is None


def test_known_words_are_told_apart_and_random_labels_are_not():
    rng = np.random.default_rng(0)
    sides = np.repeat([-1.0, 1.0], 20)[:, None, None]  # women first: their scores are negative
    found = answers.told_apart(
        sides + 0.3 * rng.standard_normal((40, 3, 2)), ["a", "b"], n_resamples=50, draws=200, rng=0
    )
    assert list(found.index) == ["a", "b", "all pairs"]
    assert (found[["value", "women", "men"]] > 0.95).all(axis=None)
    assert (found["null low"] < 0.5).all() and (found["null high"] < 0.75).all()


def test_a_lean_follows_facts_with_the_female_side_up():
    facts = np.array([0.1, 0.2, np.nan, 0.4, 0.5, 0.6, 0.7, 0.8])
    scores = -np.nan_to_num(facts, nan=9)[:, None, None] + np.zeros((8, 3, 1))
    found = answers.beside_facts(scores, facts, ["a"], n_resamples=50, draws=200, rng=0)
    assert list(found.index) == ["a"] and found.loc["a", "value"] == pytest.approx(1)
    assert found.loc["a", "null low"] < 0 < found.loc["a", "null high"] < 1


def test_shuffled_sentences_all_have_the_share_of_the_whole():
    sides = np.array([[True, True, False]] * 300)
    drawn = answers.shuffled_shares(sides, draws=50, rng=0)
    assert drawn.shape == (50, 3)
    assert drawn.mean(axis=0) == pytest.approx([2 / 3] * 3, abs=0.02)
