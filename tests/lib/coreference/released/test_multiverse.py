"""Settings between released predictions and a bias ratio."""

import numpy as np
import pytest

from lib.coreference.released.multiverse import floor_settings, multiverse

RNG = np.random.default_rng(0)
CLASSIFIERS = list(RNG.dirichlet([0.2] * 3, size=(3, 40)))
OTHER = RNG.dirichlet([2] * 3, size=40)
ANSWERS = RNG.integers(3, size=40)
FEMALE = np.arange(40) % 2 == 0


def test_every_combination_is_there_once():
    table = multiverse(CLASSIFIERS, OTHER, {"one": ANSWERS, "two": 2 - ANSWERS}, FEMALE)
    universes = table.groupby("system").size() / 3 / 2
    assert universes.to_dict() == {"blend": 10, "fine-tuned": 5, "frozen": 1}
    assert not table.drop(columns=["overall", "masculine", "feminine", "ratio"]).duplicated().any()


def test_a_floor_moves_no_accuracy_of_the_ensemble_where_it_follows_the_mean():
    table = multiverse(CLASSIFIERS, OTHER, {"one": ANSWERS}, FEMALE, places=["mean"])
    accuracies = table[(table["system"] == "fine-tuned") & (table["score"] == "accuracy")]
    assert accuracies["overall"].nunique() == 1


def test_the_ensemble_with_all_of_the_weight_is_the_blend():
    table = multiverse(CLASSIFIERS, OTHER, {"one": ANSWERS}, FEMALE, weights=[1])
    sides = table.pivot_table("overall", ["floor", "place", "score"], "system")
    sides = sides.dropna()
    np.testing.assert_allclose(sides["blend"], sides["fine-tuned"])


def test_another_place_is_refused():
    with pytest.raises(ValueError, match="expected some of mean, each; got 'blend'"):
        list(floor_settings(places=["blend"]))
