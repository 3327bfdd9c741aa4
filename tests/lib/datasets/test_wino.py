"""WinoBias, Winogender, WinoPron: sizes, balance, offsets, and agreement with the files as released."""

import csv

import pandas as pd
import pytest

from lib.datasets.schemas import CASES, PRONOUNS
from lib.datasets.winobias import read_occupations, read_winobias
from lib.datasets.winogender import read_occupation_shares, read_winogender
from lib.datasets.winopron import read_winopron
from lib.sources import fetch

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


def test_another_part_is_refused():
    with pytest.raises(ValueError, match="part"):
        read_winobias("train")
