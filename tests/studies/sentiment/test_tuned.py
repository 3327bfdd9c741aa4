"""The tuned encoder: what moves and what does not, that it learns, what it is compared with, and what it refuses."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from lib.language_models.pretrained import load_transformer
from studies.sentiment.lstm import Phrases
from studies.sentiment.tuned import (
    TunedSettings,
    against_frozen,
    answers,
    recorded,
    scores,
    tuned,
)

pytestmark = pytest.mark.usefixtures("one_thread")
TEXTS = ["the film is a bird", "the film is a tree", "my dog is a bird", "my dog is a tree"] * 4
FEW = Phrases(TEXTS, np.array([1, 0, 0, 1] * 4))  # no sum over words tells these apart
SETTINGS = TunedSettings(phrases=0, epochs=6, batch_size=4, learning_rate=3e-4, layers=1)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))


def test_the_last_layer_moves_and_no_other_and_the_phrases_are_learned_better():
    frozen, moved = tuned(FEW, 0, SETTINGS)
    before = dict(load_transformer("minilm", device="cpu").model.named_parameters())
    changed = {
        name
        for name, values in moved.transformer.model.named_parameters()
        if not values.equal(before[name])
    }
    assert changed and all(name.startswith("encoder.layer.5.") for name in changed)
    right = [np.abs(model.positive(TEXTS) - FEW.labels).mean() for model in (frozen, moved)]
    assert right[1] < right[0] - 0.05


def test_a_seed_comes_back_from_the_cache_and_without_it(tmp_path, monkeypatch):
    short = dataclasses.replace(SETTINGS, epochs=1)
    first = answers(FEW, TEXTS[:4], 1, short)
    np.testing.assert_array_equal(first, answers(FEW, TEXTS[:4], 1, short))
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "fresh"))
    np.testing.assert_array_equal(first, answers(FEW, TEXTS[:4], 1, short))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layers": 7}, "layers: expected 'all' or 1 to 6, got 7"),
        ({"phrases": 17}, "phrases: expected at most 16, got 17"),
    ],
)
def test_what_cannot_be_tuned_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        tuned(FEW, 0, dataclasses.replace(SETTINGS, **changes))


@pytest.fixture
def sentences() -> pd.DataFrame:
    """Three pairs with two occupations."""
    cells = [(side, pair, job) for side in ("male", "female") for pair in "abc" for job in "xy"]
    return pd.DataFrame(cells, columns=["side", "pair", "occupation"])


def test_differences_are_those_that_were_put_there(sentences):
    """Frozen: half of the held-out texts right, twins equal. Tuned: all right, feminine twins .1 higher, .2 in the second seed."""
    truth = np.array([1, 0] * 20)
    said = {}
    for seed, shift in ((0, 0.1), (1, 0.2)):
        frozen = [*np.full(40, 0.6), *np.full(12, 0.5)]
        better = [*(0.2 + 0.6 * truth), *np.full(6, 0.5), *np.full(6, 0.5 + shift)]
        said[seed] = np.array([frozen, better])
    table = scores(said, truth, sentences).set_index(["arm", "seed"])
    assert table.loc[("frozen", 0), "share right"] == 0.5
    assert table.loc[("tuned", 1), "F − M"] == pytest.approx(0.2)
    change = against_frozen(said, truth, sentences, draws=500).set_index("what")
    right = change.loc["share right"]
    assert right["value"] == 0.5 and 0 < right["low"] < 0.5 < right["high"] < 1
    lean = change.loc["F − M, tuned less frozen"]
    assert lean["value"] == pytest.approx(0.15) and lean["lowest seed"] == pytest.approx(0.1)


def test_arms_that_do_not_differ_have_an_interval_around_zero(sentences):
    rng = np.random.default_rng(0)
    said = {seed: rng.random((2, 212)) for seed in range(5)}
    change = against_frozen(said, np.arange(200) % 2, sentences, draws=500).set_index("what")
    assert change.loc["share right", "low"] < 0 < change.loc["share right", "high"]


def test_what_is_recorded_has_both_arms_of_each_seed():
    of_arms, changes = recorded()
    assert (of_arms.groupby("seed")["arm"].nunique() == 2).all()
    assert (changes["seeds"] == of_arms["seed"].nunique()).all()
