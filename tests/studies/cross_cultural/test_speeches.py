"""Speeches: read whole, cut into sentences, and projected so that words beside women lean female."""

import pandas as pd
import pytest

from lib.language_models.encoder import ContextEncoder
from studies.cross_cultural.speeches import (
    project_speeches,
    read_speeches,
)

pytestmark = pytest.mark.usefixtures("one_thread")


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


TEXTS = {
    "TX": "She was in the mother's house. The woman saw the crime.",
    "OH": "He was in jail. His father saw the crime.",
    "UT": "Nothing of the kind.",
}


@pytest.fixture(scope="module")
def projected():
    themes = {"criminal": ("crime", "jail")}
    return project_speeches(
        ContextEncoder(), pd.Series(TEXTS), themes, ("she", "woman"), ("he", "father"), rng=0
    )


def test_words_beside_women_lean_female_in_one_space_for_all(projected):
    rows = projected.occurrences.set_index(["place", "word"])
    assert projected.places == ("TX", "OH", "UT") and projected.axis == (2, 2)
    assert rows["near"].to_dict() == {("TX", "crime"): 1, ("OH", "jail"): -1, ("OH", "crime"): -1}
    assert rows.at[("TX", "crime"), "projection"] > rows.at[("OH", "crime"), "projection"]
