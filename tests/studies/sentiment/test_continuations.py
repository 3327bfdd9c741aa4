"""Twins by a language model: what is asked, the tests by pairs and by names, and what a made-up model makes of them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from studies.sentiment import continuations
from studies.sentiment.continuations import (
    KNOWN,
    LEVEL,
    WORD_PAIRS,
    WORDINGS,
    asked_sentences,
    compare,
    counts,
    found_as_planted,
    log_odds,
    names_apart,
    pairs_apart,
)


class Model:
    """Log probabilities made of the text: what a sentence says, and a constant for each word and wording."""

    def __init__(self, value):
        self.value, self.calls = value, 0

    def log_probabilities(self, texts, given):
        self.calls += 1
        found = []
        for text, start in zip(texts, given):
            sentence = next(start[: -len(w) - 1] for w in WORDINGS if start.endswith(w))
            praise = text.rpartition(" ")[2] in [pair[0] for pair in WORD_PAIRS]
            found.append(-10 - len(text) / 100 + praise * (self.value(sentence) + len(start) / 50))
        return np.array(found)


def test_each_text_has_its_log_odds_in_one_call_and_less_what_a_word_costs():
    model = Model({"A.": 1.5, "B.": -0.5}.get)
    odds = log_odds(model, ["A.", "B."])
    assert odds.shape == (2, len(WORDINGS), len(WORD_PAIRS)) and model.calls == 1
    np.testing.assert_allclose(odds[0] - odds[1], 2.0)


def test_what_is_asked_are_twins_and_no_known_sentence_says_the_words_of_the_score():
    asked = asked_sentences(4, 2)
    assert asked.groupby(["twins", "planted"]).size().to_dict() == {
        ("known", "nothing"): 2 * len(KNOWN),
        ("names", "blame"): 16,
        ("names", "nothing"): 16,
        ("names", "praise"): 16,
        ("own nouns", "blame"): 40,
        ("own nouns", "nothing"): 40,
        ("own nouns", "praise"): 40,
    }
    once = asked.drop_duplicates("text")
    assert once["side"].value_counts()["male"] == 2 * 28  # plain and local
    planted = asked[(asked["twins"] == "names") & (asked["planted"] == "praise")]
    assert planted["text"].str.contains("brilliant").equals(planted["side"] == "female")
    said = {word.strip(".").lower() for text in sum(KNOWN, ()) for word in text.split()}
    assert not said & {word for pair in WORD_PAIRS for word in pair}


def test_by_ranks_the_pairs_are_those_of_wilcoxon():
    means = np.random.default_rng(0).normal(0.4, 1, 10)
    found = pairs_apart(pd.DataFrame({"job": means}), rng=0)
    assert found["p by ranks"] == pytest.approx(stats.wilcoxon(means, method="exact").pvalue)
    assert found["smallest p"] == 2 / 2**10
    assert found["value"] == pytest.approx(means.mean())


def test_power_is_that_of_a_t_test():
    """What is found from, planted in normal draws, is found by a t-test at this level in about four of five."""
    rng = np.random.default_rng(0)
    error = 1 / np.sqrt(20)
    planted = continuations._found_from(error, 19)
    drawn = rng.normal(planted, 1, (4000, 20))
    assert (stats.ttest_1samp(drawn, 0, axis=1).pvalue < LEVEL).mean() == pytest.approx(
        0.8, abs=0.03
    )


def test_under_the_null_the_names_are_found_apart_no_more_often_than_they_should_be():
    rng = np.random.default_rng(1)
    index = pd.MultiIndex.from_product([["female", "male"], range(12)])
    found = [
        names_apart(pd.Series(rng.normal(size=24), index), n_resamples=199, rng=draw)
        for draw in range(200)
    ]
    for test in ("p of the mean", "p by ranks"):
        assert np.mean([row[test] < 0.05 for row in found]) == pytest.approx(0.05, abs=0.04)
    assert np.mean([row["low"] <= 0 <= row["high"] for row in found]) > 0.88


@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_twins_differ_where_the_model_makes_them_and_planted_words_are_found(gap):
    feminine = {"this woman", "my mother", *continuations.FEMININE}
    feminine |= {pair[0] for pair in continuations.PAIRS}

    def value(sentence):
        of_side = any(sentence.lower().startswith(f"{noun} is".lower()) for noun in feminine)
        noise = np.random.default_rng(len(sentence) * 7 + ord(sentence[2])).normal(0, 0.2)
        return gap * of_side + 2 * ("brilliant" in sentence) - 3 * ("careless" in sentence) + noise

    asked = asked_sentences(20, 1)
    asked = asked[asked["twins"] != "known"]
    found = compare(asked, log_odds(Model(value), asked["text"].tolist()), n_resamples=200, rng=0)
    for (_, planted), row in found.iterrows():
        if planted == "nothing":
            assert counts(row) == (gap > 0)
        else:
            assert found_as_planted(row, planted) and row["value"] == pytest.approx(
                {"praise": 2, "blame": -3}[planted], abs=0.3
            )
    assert (found["value"] > found["low"]).all() and (found["value"] < found["high"]).all()
    assert found[["over wordings", "over word pairs"]].to_numpy() == pytest.approx(1)


def test_a_model_that_says_the_same_of_all_finds_nothing_and_says_no_reliability():
    asked = asked_sentences(4, 1)
    asked = asked[asked["twins"] != "known"]
    scores = np.zeros((len(asked), len(WORDINGS), len(WORD_PAIRS)))
    found = compare(asked, scores, n_resamples=20, rng=0)
    assert (found[["p of the mean", "p by ranks"]] == 1).all(axis=None)
    assert found["over wordings"].isna().all() and (found["value"] == 0).all()
