"""Speeches: read whole, cut into sentences, and projected so that words beside women lean female."""

import numpy as np
import pandas as pd
import pytest

from lib.language_models.encoder import ContextEncoder
from studies.cross_cultural.speeches import (
    SpeechBiases,
    project_speeches,
    read_speeches,
    sentences_of,
    widely_said,
)

pytestmark = pytest.mark.usefixtures("one_thread")

ROWS = pd.DataFrame(
    {
        "place": ["TX", "TX", "OH", "OH", "NY", "NY"],
        "word": ["jail", "crime", "jail", "jail", "crime", "crime"],
        "projection": [1.0, 5.0, 2.0, 3.0, 4.0, 6.0],
        "near": [1, 0, -1, 0, 0, 0],
    }
)
SMALL = SpeechBiases(ROWS, ("NY", "OH", "TX", "UT"), (3, 4))


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


def test_an_unknown_collection_is_refused(refuses):
    refuses(lambda: read_speeches("mayors"), ["governors_2019, general_debate_2017", "'mayors'"])


def test_a_word_is_widely_said_in_texts_and_not_in_occurrences():
    assert widely_said(["A good good year.", "Good bad bad."], ["good", "bad"], fewest=2) == [
        "good"
    ]


def test_long_sentences_are_cut_and_none_is_lost():
    text = "We met. " + "word " * 130 + "end!\nNew line"
    found = sentences_of(text, longest=60)
    assert found[0] == "We met." and found[-1] == "New line"
    assert " ".join(found).split() == text.split() and max(len(one.split()) for one in found) == 60


def test_a_place_does_not_differ_by_the_words_it_prefers():
    """Deviations from a word's mean: crime is 5 everywhere on average, jail 2."""
    biases = SMALL.biases(("jail", "crime", "prison"), fewest=2)
    assert list(biases.index) == ["NY", "OH", "TX", "UT"] and list(biases) == ["jail", "crime"]
    assert biases.loc["TX"].tolist() == [-1, 0] and biases.loc["OH", "jail"] == 0.5
    assert biases.loc["UT"].isna().all() and np.isnan(biases.at["NY", "jail"])
    assert list(SMALL.biases(("jail", "crime"), fewest=3)) == []


def test_intervals_hold_their_value_and_places_with_one_occurrence_have_none():
    found = SMALL.intervals(("jail",), 200, fewest=2, rng=0)
    assert list(found.index) == ["OH"] and found.at["OH", "n"] == 2
    assert found.at["OH", "low"] <= found.at["OH", "value"] <= found.at["OH", "high"]


def test_halves_of_places_that_differ_correlate_and_of_noise_do_not():
    rng, places = np.random.default_rng(0), np.repeat([f"p{number}" for number in range(40)], 20)
    for spread, low, high in ((2.0, 0.9, 1.0), (0.0, -0.3, 0.3)):
        values = np.repeat(spread * rng.standard_normal(40), 20) + rng.standard_normal(800)
        rows = pd.DataFrame({"place": places, "word": "jail", "projection": values, "near": 0})
        assert (
            low
            <= SpeechBiases(rows, tuple(dict.fromkeys(places)), (1, 1)).halves(("jail",), 10, rng=0)
            <= high
        )


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


def test_a_pole_without_words_is_refused(refuses):
    refuses(
        lambda: project_speeches(ContextEncoder(), TEXTS, {"c": ("crime",)}, ("queen",), ("he",)),
        ["queen", "got none"],
    )
