"""Biographies with a planted gender signal: what depends on gender, and what does not."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.lexicons import load_lexicon
from lib.text_classification.occupations.synthetic import Planted, biographies, explicit_words

COUNTS = pd.DataFrame({"female": [90, 15], "male": [10, 85]}, ["nurse", "surgeon"])


def tokens(text: str) -> list[str]:
    return re.findall("[a-z]+", text.lower())


def test_strengths_change_the_words_of_gender_and_nothing_else():
    fair = biographies(200, Planted(), COUNTS, rng=3)
    planted = biographies(200, Planted(explicit=1, attributes=1, topics=1), COUNTS, rng=3)
    pd.testing.assert_frame_equal(fair.drop(columns="text"), planted.drop(columns="text"))
    lists = load_lexicon("biographies").lists
    leaning = [words for name, words in lists.items() if "_" in name]  # attributes and topics
    gendered = {*explicit_words(), *(word for words in leaning for word in words)}
    for first, second in zip(fair["text"], planted["text"]):
        assert len(tokens(first)) == len(tokens(second))
        assert [w for w in tokens(first) if w not in gendered] == [
            w for w in tokens(second) if w not in gendered
        ]


@given(strength=st.floats(0, 1), kind=st.sampled_from(["explicit", "attributes"]))
@settings(max_examples=5)
def test_words_agree_with_gender_as_often_as_the_strength_says(strength, kind):
    people = biographies(1000, Planted(**{kind: strength}), COUNTS, rng=0)
    words = load_lexicon("biographies")
    sides = (
        zip(*words["explicit"])
        if kind == "explicit"
        else (words["female_attributes"], words["male_attributes"])
    )
    feminine, masculine = map(set, sides)
    agree = total = 0
    for text, gender in zip(people["text"], people["gender"]):
        own, other = (feminine, masculine) if gender == "female" else (masculine, feminine)
        agree += sum(word in own for word in tokens(text))
        total += sum(word in own or word in other for word in tokens(text))
    assert agree / total == pytest.approx((1 + strength) / 2, abs=0.05)


def test_shares_of_women_are_those_of_the_counts():
    people = biographies(4000, Planted(), COUNTS, rng=0)
    shares = people.groupby("occupation")["gender"].apply(lambda g: (g == "female").mean())
    assert shares["nurse"] == pytest.approx(0.9, abs=0.03)
    assert shares["surgeon"] == pytest.approx(0.15, abs=0.03)
    sized = biographies(4000, Planted(), COUNTS.mul([9, 1], axis=0), equal_sizes=False, rng=0)
    assert (sized["occupation"] == "nurse").mean() == pytest.approx(0.9, abs=0.02)


def test_all_28_occupations_have_words_and_no_text_says_its_occupation():
    names = [name for name, _ in load_lexicon("biographies")["groups"]]
    assert sorted(names) == sorted(load_lexicon("prost2019")["occupations"])
    counts = pd.DataFrame({"female": 1, "male": 1}, names)
    people = biographies(3000, Planted(explicit=1), counts, rng=0)
    assert people["occupation"].nunique() == 28
    said = [job in text.lower() for job, text in zip(people["occupation"], people["text"])]
    assert not np.array(said)[people["occupation"].str.contains(" ").to_numpy()].any()
