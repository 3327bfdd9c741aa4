"""Our own sentences (exact offsets, a balanced design, twins that differ in one word); WinoBias, Winogender, WinoPron (sizes,
balance, agreement with the files as released).
"""

import csv
import re

import pandas as pd
import pytest

from lib.coreference.sentences import CASES, PRONOUNS
from lib.datasets.gap import COLUMNS
from lib.datasets.winogender import read_occupation_shares
from lib.lexicons import load_lexicon, word_list
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


def test_the_occupations_are_among_the_books_own():
    chosen = {word for word, _ in load_lexicon("two_people")["occupations"]}
    assert len(chosen) == 24
    assert chosen <= set(word_list("occupations/occupations"))


def test_each_known_noun_is_the_answer_as_often_in_either_place():
    table = known_sentences()
    assert set(table.groupby(["nouns", "pronouns", "answer"]).size()) == {6}


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


@pytest.mark.sample("winogender_templates", "winogender_occupations_stats")
def test_winogender_has_few_accusatives_and_a_share_for_each_occupation():
    table = read_winogender()
    counts = table["case"].value_counts() // 3
    assert counts.to_dict() == {"nominative": 89, "possessive": 27, "accusative": 4}
    assert set(table["occupation"]) == set(read_occupation_shares().index)


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


@pytest.mark.sample("winopron_data", "winopron_readme")
def test_winopron_fills_her_by_case():
    table = read_winopron(("she", "they"))
    she = table[table["pronouns"] == "she"].set_index("template")
    they = table[table["pronouns"] == "they"].set_index("template")
    her = she.index[she["Pronoun"] == "her"]
    assert set(they.loc[her, "Pronoun"]) == {"them", "their"}


@pytest.mark.sample(*WINOBIAS, *OCCUPATIONS)
@pytest.mark.parametrize("part", ["dev", "test"])
def test_winobias_has_each_sentence_for_and_against_the_stereotype(part):
    table = read_winobias(part)
    assert len(table) == 1584
    assert offsets_fit(table)
    sides = table.groupby("template")["side"].agg(list)
    assert sides.map(lambda pair: pair == ["pro", "anti"]).all()
    known = {word.lower() for words in read_occupations().values() for word in words}
    assert set(table["occupation"].str.lower()) <= known
    assert set(table["participant"].str.lower()) <= known


@pytest.mark.sample(*WINOBIAS, *OCCUPATIONS)
def test_her_in_winobias_takes_the_case_of_him_or_his():
    table = pd.concat([read_winobias("dev"), read_winobias("test")])
    forms = table[table["pronouns"] == "he"].groupby("case")["Pronoun"].agg(set).to_dict()
    assert forms == {case: {form} for case, form in zip(CASES, PRONOUNS["he"])}


@pytest.mark.sample(*WINOBIAS, *OCCUPATIONS)
def test_the_pro_side_has_the_pronoun_of_the_occupations_majority():
    occupations = {
        side: [word.lower() for word in words] for side, words in read_occupations().items()
    }
    table = read_winobias("test")
    pro = table[table["side"] == "pro"]
    female = pro["occupation"].str.lower().isin(occupations["female"])
    assert (female == (pro["gender"] == "female")).mean() > 0.99
