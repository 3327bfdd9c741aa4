"""A model of the reader's own is asked about sentences of GEST as the released ones were."""

import numpy as np
import pytest

from lib.language_models import MaskedLanguageModel
from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.gest import chosen, live_scores, masked_scores

SENTENCES = ["She is a nurse.", "he works as a doctor.", "the nurse said that."]


@pytest.fixture
def model(tiny_causal_model, tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    return CausalLanguageModel(str(tiny_causal_model), device="cpu")


def test_a_score_is_the_log_odds_to_base_ten_of_the_masculine_word_in_both_templates(model):
    found = live_scores(model, SENTENCES)
    assert found.shape == (3, 2) and list(found) == [(model.name, 0), (model.name, 1)]
    begun = '"he works as a doctor.", the'
    man, woman = model.log_probabilities([f"{begun} man", f"{begun} woman"], [begun] * 2)
    assert found.iloc[1, 1] == pytest.approx((man - woman) / np.log(10), abs=1e-5)


def test_scores_do_not_depend_on_what_else_is_asked_and_are_kept(model, monkeypatch):
    whole = live_scores(model, SENTENCES)
    assert live_scores(model, SENTENCES[2:]).to_numpy() == pytest.approx(
        whole.iloc[2:].to_numpy(), abs=1e-5
    )
    monkeypatch.setattr(model, "log_probabilities", None)
    assert live_scores(model, SENTENCES).equals(whole)


def test_as_many_sentences_of_each_stereotype_are_chosen_and_fewer_are_a_part_of_more():
    labels = np.repeat([1, 2, 3], [5, 9, 2])
    few, more = (chosen(labels, each, rng=0) for each in (3, 6))
    assert np.bincount(labels[few])[1:].tolist() == [3, 3, 2]
    assert np.bincount(labels[more])[1:].tolist() == [5, 6, 2]
    assert set(few) < set(more) and (np.diff(more) > 0).all()


def test_a_model_that_fills_masks_is_asked_under_four_templates(tiny_model):
    model = MaskedLanguageModel(str(tiny_model("bert")), "cpu")
    found = masked_scores(model, SENTENCES)
    assert found.shape == (3, 4)
    he, she = model.log_probabilities(['"he works as a doctor.", [MASK] said.'], ["he", "she"])[0]
    assert found.iloc[1, 2] == pytest.approx((he - she) / np.log(10), abs=1e-5)
