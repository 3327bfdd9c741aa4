"""Tuned resolvers: a card that says what lies in its folder, and differences between arms that were put there."""

import shutil

import numpy as np
import pandas as pd
import pytest

from lib.datasets.gap import CLASSES
from lib.paths import DATA
from scripts.train.tuned_resolvers import card

FOLDER = DATA / "models" / "tuned-resolvers"


def test_the_card_says_what_lies_in_the_folder(tmp_path):
    for name in card.RESULT:
        shutil.copy(FOLDER / name, tmp_path)
    assert card.write_card(tmp_path).read_bytes() == (FOLDER / "card.md").read_bytes()


def test_a_step_that_took_longer_on_less_is_marked_and_not_used():
    costs = pd.read_csv(FOLDER / "costs.csv").assign(**{card.AS_IT_COMES: 9.0})
    assert card._costs(costs).count("9.000 (held up)") == len(costs)
    assert card._papers(costs) == card._papers(costs.assign(**{card.AS_IT_COMES: 0.01}))


def test_differences_are_those_between_the_arms():
    from scripts.train.tuned_resolvers.train import differences

    n = 60
    answers = np.arange(n) % 3
    names = [f"test-{k}" for k in range(n)]
    gender = np.where(np.arange(n) // 3 % 2, "female", "male")
    passages = pd.DataFrame({"ID": names, "URL": names, "gender": gender})
    right = np.eye(3)[answers]
    frozen = 0.4 * right + 0.2
    # the tuned arm is surer, and says A of all feminine passages
    tuned = np.where((gender == "female")[:, None], [0.8, 0.1, 0.1], 0.7 * right + 0.1)
    said = pd.concat(
        pd.DataFrame({"ID": names, "arm": arm, "seed": seed, **dict(zip(CLASSES, values.T))})
        for arm, values in (("mentions, frozen", frozen), ("mentions, 2 layers", tuned))
        for seed in (0, 1)
    ).sample(frac=1, random_state=0)
    (row,) = differences(said, passages, answers, draws=200).to_dict("records")
    surer = -np.log(0.8) + np.log(0.6)
    thirds = -(np.log(0.8) + 2 * np.log(0.1)) / 3 + np.log(0.6)
    assert row["difference"] == pytest.approx((surer + thirds) / 2)
    assert row["low"] < row["difference"] < row["high"]
    assert row["low, seeds too"] == pytest.approx(row["low"])  # seeds do not differ
    # A is right of 10 of 30, and 20 have a name: F1 is 2 * 10 / (30 + 20)
    assert row["F1 ratio difference"] == pytest.approx(0.4 - 1)
    assert row["F1 difference"] < 0 and row["F1 high"] < 0 and row["F1 ratio high"] < 0


def test_what_is_measured_is_what_the_card_asks_for():
    from scripts.train.tuned_resolvers import train

    assert tuple(name for name, *_ in train.COSTS) == card.SYSTEMS
    assert {name.partition(":")[0] for name in train.OTHERS} == set(card.PAPERS)


def test_scores_without_their_answers_are_made_again(tmp_path):
    from scripts.train.tuned_resolvers.train import Kept

    shutil.copy(FOLDER / "scores.csv", tmp_path)
    assert not Kept(tmp_path).has("mentions, frozen", 0)
    shutil.copy(FOLDER / "scores.csv", tmp_path / "predictions.csv")
    assert Kept(tmp_path).has("mentions, frozen", 0)
