"""Speeches as released: whole, and by place or year."""

import pytest

from lib.datasets.speeches import read_presidents, read_speeches


def test_an_unknown_collection_is_refused(refuses):
    refuses(lambda: read_speeches("mayors"), ["governors_2019, general_debate_2017", "'mayors'"])


@pytest.mark.sample("sots_index", "sots_ohio", "sots_wyoming", "sots_newyork")
def test_governors_of_fifty_states_spoke():
    found = read_speeches("governors_2019")
    assert len(found) == 50 and found.index.is_unique and found["tokens"].min() > 1000
    assert set(found["group"].str[-1]) == {"R", "D"} and found.loc["NY", "name"] == "New York"


@pytest.mark.sample("un_general_debate_2017")
def test_countries_spoke_and_the_european_union_is_none():
    found = read_speeches("general_debate_2017")
    assert len(found) == 195 and found.index.is_unique and (found["tokens"] > 300).all()
    assert found.loc["BIH", "group"] == "Europe"


@pytest.mark.sample("nltk_state_union", "nltk_inaugural")
@pytest.mark.parametrize(
    ("key", "count", "first", "last"),
    [("nltk_state_union", 65, 1945, 2006), ("nltk_inaugural", 59, 1789, 2021)],
)
def test_presidents_spoke_in_the_order_of_years(key, count, first, last):
    found = read_presidents(key)
    assert len(found) == count and found["year"].is_monotonic_increasing
    assert (found["year"].iloc[0], found["year"].iloc[-1]) == (first, last)
    assert found["text"].str.len().min() > 500
