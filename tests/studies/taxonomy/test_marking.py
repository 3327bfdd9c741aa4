"""Explicit marking of sex: which nouns count, and rates by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from lib.lexicons import load_lexicon
from lib.taxonomy.wordnet import noun_senses
from studies.taxonomy.marking import (
    ENDINGS,
    KINDS,
    brown_by_genre,
    count_markings,
    lexicon_table,
    marked_nouns,
    presidents_by_decade,
    rates,
    trend,
)

FALSE_FRIENDS = """
    human humans german germans roman shaman ottoman woman women man men person people witness
    success burgess business mess boy girl lady highness tobacco omen specimen
    """


@pytest.mark.parametrize(
    ("form", "noun", "ending", "kind", "sex"),
    [
        ("policemen", "policeman", "man", "job", "male"),
        ("chairwoman", "chairwoman", "woman", "job", "female"),
        ("salespeople", "salesperson", "person", "job", "neutral"),
        ("spokespersons", "spokesperson", "person", "job", "neutral"),
        ("waitresses", "waitress", "ess", "job", "female"),
        ("usherette", "usherette", "ette", "job", "female"),
        ("cowboys", "cowboy", "boy", "job", "male"),
        ("salesladies", "saleslady", "lady", "job", "female"),
        ("princess", "princess", "ess", "rank", "female"),
        ("englishmen", "englishman", "man", "origin", "male"),
        ("goddesses", "goddess", "ess", "fable", "female"),
        ("horseman", "horseman", "man", "trait", "male"),
    ],
)
def test_marked_nouns(form, noun, ending, kind, sex):
    found = marked_nouns()[form]
    assert (found.noun, found.ending, found.kind, found.sex) == (noun, ending, kind, sex)


@pytest.mark.parametrize("word", FALSE_FRIENDS.split())
def test_false_friends_are_not_marked(word):
    assert word not in marked_nouns()


def test_every_exception_is_a_noun_of_the_table():
    listed = {noun for nouns in load_lexicon("sex_marking").lists.values() for noun in nouns}
    assert listed <= noun_senses().keys()


def test_the_table_of_the_lexicon_counts_nouns_once():
    table = lexicon_table()
    assert table.to_numpy().sum() == len(set(marked_nouns().values()))
    assert list(table.index) == list(ENDINGS) and list(table) == list(KINDS)


def test_counts_and_rates_by_hand():
    texts = ["A chairman and a chairwoman met " + "x " * 94, "x " * 100, "Firemen " + "x " * 99]
    counts = count_markings(texts)
    assert counts["words"].tolist() == [100, 100, 100]
    table = rates(counts, ["a", "a", "b"], n_resamples=500, rng=0)
    assert table.loc["a", ["documents", "words", "counted"]].tolist() == [2, 200, 2]
    assert table.loc["a", ["male", "female", "share_of_man"]].tolist() == [50, 50, 0.5]
    assert (table.loc["a", "male_low"], table.loc["a", "male_high"]) == (0, 100)
    assert table.loc["b", "male"] == 100 and np.isnan(table.loc["b", "male_low"])


def test_kinds_can_be_chosen():
    assert count_markings(["A princess."])["ess"].tolist() == [0]
    assert count_markings(["A princess."], kinds=KINDS)["ess"].tolist() == [1]


def test_no_document_and_an_empty_one():
    assert count_markings([]).empty
    assert np.isnan(rates(count_markings([""]), ["a"]).loc["a", "male"])


@given(st.lists(st.integers(0, 3), min_size=6, max_size=9), st.randoms())
def test_the_trend_is_spearmans(numbers, random):
    years = random.sample(range(1900, 2000), len(numbers))
    counts = count_markings(["chairman " * n + "x " * (9 - n) for n in numbers])
    value, p = trend(counts, years, n_resamples=19, rng=0)
    if len(set(numbers)) == 1:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(spearmanr(years, numbers).statistic)
        assert 0 < p <= 1


@pytest.mark.sample("nltk_brown")
def test_brown_has_fifteen_genres():
    samples = brown_by_genre()
    assert len(samples) == 500 and samples["group"].nunique() == 15
    news = count_markings(samples.loc[samples["group"] == "news", "text"])
    assert isinstance(news, pd.DataFrame)
    assert news["man"].sum() > 20 * news["woman"].sum() >= 0


@pytest.mark.sample("nltk_inaugural")
def test_addresses_go_by_decade():
    speeches = presidents_by_decade("nltk_inaugural")
    assert speeches["group"].iloc[0] == "1780s" and speeches["year"].is_monotonic_increasing
