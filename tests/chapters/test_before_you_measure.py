"""What the chapter `before_you_measure` found: pairs that are one pronoun, outside facts beside chance, and a control."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.chapters.runs import run_of


@pytest.fixture(scope="module")
def rows():
    found = run_of("sample", "before_you_measure")
    settings = pd.DataFrame([json.loads(text) for text in found["settings"]], index=found.index)
    return found.join(settings).set_index("quantity")


def test_halves_that_share_a_pronoun_look_more_reliable_than_they_are(rows):
    whole = rows.loc["reliability of the mean over all pairs"].set_index("forms_of_one_pronoun")
    half = rows.loc["split-half correlation over base pairs"].set_index("forms_of_one_pronoun")
    assert whole.loc["together", "value"] < whole.loc["apart", "value"]
    expected = 2 * half["value"] / (1 + half["value"])
    assert np.allclose(whole["value"], expected[whole.index])


def test_the_lean_goes_with_what_lies_outside_more_than_random_pairs_do(rows):
    orders = rows.loc["rank correlation of the lean"].set_index("beside")
    chance = rows.loc["rank correlation of the lean, random pairs"].set_index("beside")
    assert set(orders.index) == {
        "women's share of the occupation",
        "people's ratings",
        "the resolver's preference",
    }
    assert (orders["value"] > chance.loc[orders.index, "high"]).all()


def test_an_unrelated_contrast_is_no_stronger_than_the_largest_of_as_many_random_pairs(rows):
    strongest = rows.loc["strongest correlation with an unrelated contrast", "value"]
    assert strongest < 0  # north and south, with its sign
    assert -strongest < rows.loc["largest correlation with a random word pair", "high"]


def test_the_resolver_hears_the_gender_of_mothers_and_fathers(rows):
    assert rows.loc["preference of the resolver, mother less father and their like", "value"] > 0.02
