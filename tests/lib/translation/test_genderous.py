"""Shares and tests over a crossed design whose answer is known."""

import itertools

import pandas as pd
import pytest

from lib.datasets.genderous import GENDERS
from lib.translation.genderous import feminine_shares, shares_by_chance, stereotype_test


def design(person) -> pd.DataFrame:
    """Six occupations and six adjectives, two of each stereotype; person(occupation's, adjective's)."""
    rows = [
        ("adjectives", f"job {i}", f"word {j}", GENDERS[i // 2], GENDERS[j // 2])
        for i, j in itertools.product(range(6), range(6))
    ]
    columns = ["kind", "occupation", "adjective", "stereotype", "adjective_stereotype"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(
        person=[person(*pair) for pair in zip(table["stereotype"], table["adjective_stereotype"])]
    )


def test_shares_by_stereotype_are_those_that_were_made():
    table = design(lambda job, word: "feminine" if job == "feminine" else "masculine")
    shares = feminine_shares(table, n_resamples=50, rng=0)["value"]
    assert shares["all", ""] == pytest.approx(1 / 3)
    assert shares["occupation", "feminine"] == 1 and shares["occupation", "masculine"] == 0
    assert shares["occupation difference", ""] == 1 and shares["adjective difference", ""] == 0
    assert stereotype_test(table, "occupation") == pytest.approx(1 / 6)  # one of six divisions
    assert stereotype_test(table, "adjective") == 1


def test_sentences_that_are_missing_or_answered_twice_count_as_they_should():
    table = design(lambda job, word: "feminine" if job == "feminine" else "masculine")
    whole = feminine_shares(table, n_resamples=50, rng=0)
    twice = feminine_shares(pd.concat([table, table.iloc[:3]]), n_resamples=50, rng=0)
    assert whole["value"].equals(twice["value"]) and (twice["n"] == 36).all()
    part = table[table["stereotype"] != "masculine"].iloc[1:]
    shares = feminine_shares(part, n_resamples=50, rng=0)["value"]
    assert shares["occupation", "feminine"] == 1 and shares["all", ""] == pytest.approx(11 / 23)
    assert pd.isna(shares["occupation difference", ""])
    assert pd.isna(stereotype_test(part, "occupation"))


def test_who_knows_no_stereotype_has_no_difference():
    table = design(lambda job, word: "feminine" if job == "feminine" else "masculine")
    chance = shares_by_chance(table, n_resamples=500, rng=0)
    assert chance.loc[("all", "")].tolist() == pytest.approx([1 / 3, 1 / 3])
    low, high = chance.loc[("occupation difference", "")]
    assert low == -high == -1 and chance.loc[("occupation", "feminine"), "null_high"] == 1
