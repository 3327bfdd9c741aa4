"""Templates with people and a pronoun: exact offsets, forms by case, answers by place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.coreference.sentences import (
    CASES,
    PRONOUNS,
    as_passages,
    fill_schema,
    fill_template,
    occupation_leans,
)
from lib.datasets.gap import COLUMNS

PEOPLE = {"occupation": "nurse", "participant": "guest"}


@pytest.mark.parametrize(
    ("pronouns", "forms"), [("she", ["she", "her", "her"]), ("xe", ["xe", "xem", "xyr"])]
)
def test_the_case_of_the_slot_decides_the_form(pronouns, forms):
    filled = [
        fill_template(f"The {{occupation}} and the {{participant}} {{{case}}}.", PEOPLE, pronouns)
        for case in CASES
    ]
    assert [row["Pronoun"] for row in filled] == forms
    assert [row["case"] for row in filled] == list(CASES)


def test_a_slot_that_begins_the_sentence_takes_a_capital_and_they_take_were():
    row = fill_template("{occupation} said {nominative} was late, {participant}.", PEOPLE, "they")
    assert row["Text"] == "Nurse said they were late, guest."
    assert (row["A"], row["A-offset"]) == ("Nurse", 0)
    begins = fill_template("{nominative} saw a {occupation} and a {participant}.", PEOPLE, "xe")
    assert begins["Text"].startswith("Xe saw")


word = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)


@given(st.permutations(["occupation", "participant", *CASES[:1]]), word, word, word)
def test_every_offset_is_where_the_word_is(order, occupation, participant, between):
    template = f"{between} " + f" {between} ".join(f"{{{slot}}}" for slot in order) + "."
    for pronouns in PRONOUNS:
        row = fill_schema(template, occupation, participant, pronouns, "participant")
        for name in ("Pronoun", "A", "B"):
            start = row[f"{name}-offset"]
            assert row["Text"][start : start + len(row[name])] == row[name]
        assert row["A-offset"] < row["B-offset"]
        assert row[row["answer"]] == participant


def test_filled_sentences_are_a_table_like_gaps():
    template = "The {participant} met the {occupation} and lost {possessive} hat."
    rows = [
        fill_schema(template, "nurse", "guest", "she", about) | {"template": about, "cluster": "c"}
        for about in ("occupation", "participant", "neither")
    ]
    table = as_passages(rows, "own")
    assert set(COLUMNS) <= set(table)
    assert table["answer"].tolist() == ["B", "A", "NEITHER"]
    assert table["A-coref"].tolist() == [False, True, False]
    assert table["neither"].tolist() == [False, False, True]
    assert table["gender"].tolist() == ["female"] * 3
    assert table["URL"].tolist() == ["own/0"] * 3  # no word that a resolver could read as a title


def test_a_lean_is_what_she_gives_an_occupation_beyond_he_wherever_it_stands():
    templates = (
        "The {occupation} met the {participant} before {nominative} left.",
        "The {participant} met the {occupation} before {nominative} left.",
    )
    rows = [
        fill_schema(template, "nurse", "guest", pronouns, "occupation")
        | {"template": template, "cluster": "c"}
        for template in templates
        for pronouns in ("she", "he")
    ]
    given = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.4, 0.5, 0.1], [0.5, 0.3, 0.2]]
    assert occupation_leans(as_passages(rows, "own"), given)["nurse"] == pytest.approx(0.3)
