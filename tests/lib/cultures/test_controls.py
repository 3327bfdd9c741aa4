"""Random words say which leans are training and which were planted."""

import numpy as np
import pandas as pd

from lib.cultures.biases import usual_lists, word_biases
from lib.cultures.controls import READINGS, control
from lib.cultures.tasks import Training, train
from lib.datasets.statistics import statistics_table
from lib.embeddings import Embedding
from studies.cross_cultural.planted import Plan, plant

FOLLOWS = {"threat": "-earnings_ratio_full_time", "criminal": "-women_state_legislators_percent"}


def read_with_controls(strength, tokens, epochs):
    """Themes in vectors of twelve states: with a lean planted for two of them, or with none at all."""
    columns = [column.removeprefix("-") for column in FOLLOWS.values()]
    gaps = statistics_table("us_states_2016")[columns].dropna().iloc[::4]
    printed, *sides = usual_lists()
    themes = {name: printed[name] for name in ("threat", "criminal", "excellent", "childcare")}
    plan = Plan(strength, 0, 0.3 * bool(strength), tokens=tokens, types=600, themed=0.5)
    text = plant(gaps, themes, FOLLOWS if strength else {}, *sides, plan, rng=0)
    training = Training(dimensions=32, epochs=epochs)
    spaces = {state: train(text.texts(state), training, state) for state in gaps.index}
    biases = word_biases(spaces, themes, *sides)
    return biases, control(spaces, biases, *sides, rng=0)


def test_where_nothing_was_planted_and_training_was_short_all_themes_are_one_and_it_is_said():
    biases, controls = read_with_controls(strength=0, tokens=5_000, epochs=5)
    assert controls.between_themes > 0.99, "as high as any that was planted"
    assert set(controls.themes["reading"]) == {"as random words"}
    assert (controls.themes["r with random words"] > 0.99).all()
    for said in ("threat, criminal", "random words", "1.00", "more text"):
        assert said in controls.warning
    inside = biases.means().stack().rename_axis(["culture", "theme"]).rename("bias")
    table = controls.leans.join(inside)
    beyond = ~table["bias"].between(table["random low"], table["random high"])
    assert beyond.mean() < 0.25
    assert table["bias"].std() > 10 * (table["bias"] - table["random"]).std()


def test_a_lean_that_was_planted_stands_beyond_random_words_and_no_other_does():
    _, controls = read_with_controls(strength=1.0, tokens=10_000, epochs=16)
    assert controls.themes["reading"].to_dict() == {
        "threat": "beyond",
        "criminal": "beyond",
        "excellent": "no more",
        "childcare": "no more",
    }
    assert controls.themes["p"][["threat", "criminal"]].max() < 0.01
    assert controls.warning == "" and controls.draws == 200


def test_places_that_share_too_little_are_told_so_and_not_judged():
    spaces = {f"p{n}": Embedding(["she", "he", "a"], np.eye(3), ranked=True) for n in range(2)}
    biases = word_biases(spaces, {"theme": ["a"]}, ["she"], ["he"])
    controls = control(spaces, biases, ["she"], ["he"], rng=0)
    assert controls.draws == 0 and controls.warning == ""
    assert controls.themes["reading"].tolist() == ["not tried"]
    assert controls.leans.isna().all(axis=None)
    assert set(controls.themes["reading"]) <= set(READINGS)


def test_the_interval_holds_the_lean_and_rests_on_three_words_or_more():
    rng = np.random.default_rng(0)
    words = ["she", "he", "a", "b", "c", "d", *(f"w{number}" for number in range(90))]
    spaces = {
        f"p{n:02d}": Embedding(words, rng.normal(size=(96, 4)), ranked=True) for n in range(12)
    }
    biases = word_biases(
        spaces, {"three": ["a", "b", "c"], "one": ["d", "absent"]}, ["she"], ["he"]
    )
    leans = control(spaces, biases, ["she"], ["he"], rng=0).leans
    three, one = (leans.xs(theme, level="theme") for theme in ("three", "one"))
    assert (three["low"] < biases.means()["three"]).all()
    assert (three["high"] > biases.means()["three"]).all()
    assert one[["low", "high"]].isna().all(axis=None) and one["random low"].notna().all()
    again = control(spaces, biases, ["she"], ["he"], rng=0)
    pd.testing.assert_frame_equal(again.leans, leans)
