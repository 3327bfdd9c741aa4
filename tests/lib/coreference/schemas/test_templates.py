"""Our own sentences: exact offsets, a balanced design, twins that differ in one word."""

import re

import pytest

from lib.coreference.schemas.templates import known_sentences, own_sentences, share_of_women
from lib.datasets.gap import COLUMNS
from lib.datasets.schemas import PRONOUNS
from lib.lexicons import load_lexicon, word_list


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


def test_another_pronoun_set_is_refused():
    with pytest.raises(ValueError, match="pronouns"):
        own_sentences(("ze",))
