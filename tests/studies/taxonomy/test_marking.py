"""Explicit marking of sex: which nouns count, and rates by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from studies.taxonomy.marking import (
    count_markings,
    marked_nouns,
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
        ("salespeople", "salesperson", "person", "job", "neutral"),
        ("waitresses", "waitress", "ess", "job", "female"),
        ("cowboys", "cowboy", "boy", "job", "male"),
        ("englishmen", "englishman", "man", "origin", "male"),
        ("horseman", "horseman", "man", "trait", "male"),
    ],
)
def test_marked_nouns(form, noun, ending, kind, sex):
    found = marked_nouns()[form]
    assert (found.noun, found.ending, found.kind, found.sex) == (noun, ending, kind, sex)


def test_false_friends_are_not_marked():
    assert not set(FALSE_FRIENDS.split()) & set(marked_nouns())


def test_counts_and_rates_by_hand():
    texts = ["A chairman and a chairwoman met " + "x " * 94, "x " * 100, "Firemen " + "x " * 99]
    counts = count_markings(texts)
    assert counts["words"].tolist() == [100, 100, 100]
    table = rates(counts, ["a", "a", "b"], n_resamples=500, rng=0)
    assert table.loc["a", ["documents", "words", "counted"]].tolist() == [2, 200, 2]
    assert table.loc["a", ["male", "female", "share_of_man"]].tolist() == [50, 50, 0.5]
    assert (table.loc["a", "male_low"], table.loc["a", "male_high"]) == (0, 100)
    assert table.loc["b", "male"] == 100 and np.isnan(table.loc["b", "male_low"])


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
