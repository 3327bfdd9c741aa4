"""Treatments of vectors on a task: a fair gap without signal, a gap with one, and two controls."""

import numpy as np
import pytest

from lib.text_classification.occupations.printed import biographies_by_gender
from lib.text_classification.occupations.synthetic import Planted, biographies, explicit_words
from studies.conceptors.treated import compare_treatments

COUNTS = biographies_by_gender()


@pytest.fixture(scope="module")
def space():
    """Random vectors of all words of the texts, those of gender apart from each other."""
    texts = biographies(3000, Planted(explicit=1), COUNTS, rng=0)["text"]
    words = sorted({word for text in texts for word in text.lower().replace(".", " ").split()})
    words = [word.strip(",;:") for word in words]
    words = list(dict.fromkeys(words))
    return words, np.random.default_rng(0).standard_normal((len(words), 40))


@pytest.fixture(scope="module")
def table(space):
    return compare_treatments(
        *space,
        {"as they are": np.asarray, "nothing left": lambda rows: 0 * rows + 1},
        COUNTS,
        Planted(explicit=1),
        scrubbed=explicit_words(),
        taught=800,
        asked=1500,
        seeds=2,
    ).set_index(["treatment", "seed"])


def test_gender_is_read_where_it_shows_and_no_better_than_chance_once_deleted(table):
    probe = table["probe"].groupby("treatment").mean()
    assert probe["as they are"] > 0.95
    assert probe["words deleted"] < 0.8


def test_the_gap_is_beyond_a_fair_one_and_smaller_once_words_are_deleted(table):
    excess = (table["gap"] - table["fair"]).groupby("treatment").mean()
    assert excess["as they are"] > excess["words deleted"]


def test_vectors_without_anything_name_no_occupation(table):
    accuracy = table["accuracy"].groupby("treatment").mean()
    assert accuracy["nothing left"] < 0.1 < accuracy["as they are"]
