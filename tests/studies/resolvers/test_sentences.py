"""Our own sentences (exact offsets, a balanced design, twins that differ in one word); WinoBias, Winogender, WinoPron (sizes,
balance, agreement with the files as released).
"""

import csv
import re

import pandas as pd
import pytest

from lib.coreference.sentences import PRONOUNS
from lib.datasets.gap import COLUMNS
from lib.lexicons import load_lexicon
from lib.sources import fetch
from studies.resolvers.sentences import (
    known_sentences,
    own_sentences,
    read_occupations,
    read_winobias,
    read_winogender,
    read_winopron,
    share_of_women,
)


@pytest.fixture(scope="module")
def own():
    return own_sentences()


@pytest.mark.parametrize("sentences", [own_sentences, known_sentences])
def test_offsets_are_exact_and_ids_unique(sentences):
    table = sentences()
    assert set(COLUMNS) <= set(table)
    assert table["ID"].is_unique
    assert table["Text"].is_unique
    assert not table["Text"].str.contains(r"[{}]").any()
    for name in ("Pronoun", "A", "B"):
        for text, word, start in table[["Text", name, f"{name}-offset"]].itertuples(index=False):
            assert text[start : start + len(word)] == word
            assert not text[start - 1 : start].isalpha()
            assert not text[start + len(word)].isalpha()


def test_every_cell_of_the_design_has_as_many_sentences(own):
    sizes = own.groupby(["pronouns", "case", "about"]).size()
    assert len(sizes) == 4 * 3 * 3
    assert set(sizes) == {24}
    places = own[own["about"] != "neither"].groupby(["pronouns", "case", "about", "answer"]).size()
    assert set(places) == {12}
    assert set(own.groupby(["cluster", "about", "first"]).size()) == {2 * len(PRONOUNS)}


def test_twins_of_the_two_majorities_differ_in_the_occupation_alone(own):
    shares = share_of_women()
    occupations = [word for word, _ in load_lexicon("two_people")["occupations"]]
    assert (shares[occupations[:12]] > 50).all()
    assert (shares[occupations[12:]] < 50).all()
    texts = own.groupby("occupation")["Text"].agg(list)
    for female, male in zip(occupations[:12], occupations[12:]):
        renamed = [re.sub(rf"\b{female}\b", male, text) for text in texts[female]]
        assert renamed == texts[male]


def test_the_pronoun_is_all_that_differs_within_a_template(own):
    blanked = own.apply(
        lambda row: (
            row["Text"][: row["Pronoun-offset"]]
            + "_"
            + row["Text"][row["Pronoun-offset"] + len(row["Pronoun"]) :]
        ),
        axis=1,
    )
    assert (blanked.groupby(own["template"]).nunique() == 1).all()


WINOBIAS = [
    f"winobias_{side}_stereotyped_type{kind}_{part}"
    for side in ("pro", "anti")
    for kind in (1, 2)
    for part in ("dev", "test")
]


OCCUPATIONS = ["winobias_female_occupations", "winobias_male_occupations"]


def offsets_fit(table):
    return all(
        text[start : start + len(word)] == word
        for name in ("Pronoun", "A", "B")
        for text, word, start in table[["Text", name, f"{name}-offset"]].itertuples(index=False)
    )


@pytest.mark.sample("winogender_templates", "winogender_all_sentences")
def test_winogender_is_filled_as_its_authors_did():
    table = read_winogender(someone=True)
    released = pd.read_csv(fetch("winogender_all_sentences"), sep="\t", quoting=csv.QUOTE_NONE)
    assert len(table) == 720
    assert set(table["Text"]) == set(released["sentence"])
    assert offsets_fit(table)


@pytest.mark.sample("winopron_data", "winopron_readme")
def test_winopron_has_every_case_and_answer_equally_often():
    table = read_winopron()
    assert len(table) == 1440
    sizes = table.groupby(["pronouns", "case", "about"]).size()
    assert len(sizes) == 4 * 3 * 2
    assert set(sizes) == {60}
    assert table["template"].nunique() == 360
    assert table["cluster"].nunique() == 60
    assert offsets_fit(table)


@pytest.mark.sample(*WINOBIAS, *OCCUPATIONS)
def test_winobias_has_each_sentence_for_and_against_the_stereotype():
    table = read_winobias("test")
    assert len(table) == 1584
    assert offsets_fit(table)
    sides = table.groupby("template")["side"].agg(list)
    assert sides.map(lambda pair: pair == ["pro", "anti"]).all()
    known = {word.lower() for words in read_occupations().values() for word in words}
    assert set(table["occupation"].str.lower()) <= known
    assert set(table["participant"].str.lower()) <= known
