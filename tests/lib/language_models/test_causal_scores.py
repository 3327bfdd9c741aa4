"""Causal language models: agreement with a plain forward pass, the chain rule, and what is refused."""

import numpy as np
import pytest
import torch

from lib.language_models.causal_scores import (
    CausalLanguageModel,
    calibrated_log_odds,
    sentence_log_odds,
)
from tests.support.crowded import refuse_large_batches
from tests.support.tiny_models import build_causal

pytestmark = pytest.mark.usefixtures("one_thread")

TEXTS = [
    "she is a nurse.",
    "in the town he was kind to the new doctor.",
    "they",
    "he works as an engineer.",
]


@pytest.fixture(scope="module")
def causal(tiny_causal_model):
    return CausalLanguageModel(str(tiny_causal_model), "cpu")


def test_log_probabilities_are_those_of_a_plain_forward_pass(causal):
    found = causal.log_probabilities(TEXTS)
    network, tokenizer = causal.transformer.model, causal.transformer.tokenizer
    for value, text in zip(found, TEXTS):
        ids = torch.tensor([[0, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
        with torch.inference_mode():
            log_p = torch.log_softmax(network(ids).logits[0], -1)
        expected = sum(log_p[place - 1, ids[0, place]].item() for place in range(1, ids.shape[1]))
        assert value == pytest.approx(expected, abs=1e-4)


def test_a_full_device_gets_smaller_batches_and_the_numbers_stay(causal, monkeypatch):
    expected = causal.log_probabilities(TEXTS)
    refused = refuse_large_batches(monkeypatch, causal.transformer.model.base_model)
    assert causal.log_probabilities(TEXTS) == pytest.approx(expected, abs=1e-4)
    assert refused


def test_a_text_is_as_likely_as_its_beginning_times_how_it_goes_on(causal):
    beginnings = ["she is", "in the town he", "they", "he works"]
    texts = [text for text in TEXTS if text != "they"]
    parts = [text for text in beginnings if text != "they"]
    whole = causal.log_probabilities(texts)
    rest = causal.log_probabilities(texts, parts)
    assert whole == pytest.approx(causal.log_probabilities(parts) + rest, abs=1e-4)


def test_the_next_words_of_a_beginning_sum_to_one(causal):
    vocabulary = [
        word for word in causal.transformer.tokenizer.get_vocab() if word not in ("<s>", "<unk>")
    ]
    ends = causal.log_probabilities(
        [f"she is {word}" for word in vocabulary], ["she is"] * len(vocabulary)
    )
    assert 0.8 < np.exp(ends).sum() < 1  # the special pieces take the rest


def test_the_longest_beginning_is_what_counts_and_order_and_batches_do_not(causal, monkeypatch):
    alone = np.array([causal.log_probabilities([text])[0] for text in TEXTS])
    monkeypatch.setattr("lib.language_models.causal_scores.BATCH", 8)
    assert causal.log_probabilities(TEXTS[::-1])[::-1] == pytest.approx(alone, abs=1e-4)


def test_odds_turn_with_the_pair_and_the_domain_only_moves_zero(causal):
    first, second = ["she is a nurse."] * 2, ["he is a nurse.", "she is a nurse."]
    odds = sentence_log_odds(causal, first, second)
    assert odds == pytest.approx(-sentence_log_odds(causal, second, first), abs=1e-5)
    assert odds[1] == pytest.approx(0, abs=1e-5)
    contexts = ["the nurse said that", "the doctor said that", "the woman said that"]
    plain = calibrated_log_odds(causal, contexts, (" she", " he"))
    moved = calibrated_log_odds(causal, contexts, (" she", " he"), contexts[1])
    assert moved == pytest.approx(plain - plain[1], abs=1e-5)
    turned = calibrated_log_odds(causal, contexts, (" he", " she"), contexts[1])
    assert moved == pytest.approx(-turned, abs=1e-5)


def test_a_model_that_knows_nothing_finds_texts_of_one_length_equally_likely(tmp_path):
    model = CausalLanguageModel(str(build_causal(tmp_path / "causal")), "cpu")
    for parameter in model.transformer.model.parameters():
        parameter.data.zero_()
    size = model.transformer.model.config.vocab_size
    expected = -np.log(size) * np.array([3, 2])
    assert model.log_probabilities(["she is kind", "he walks"]) == pytest.approx(expected, rel=1e-5)


def test_a_word_is_known_where_the_vocabulary_can_spell_it(causal):
    assert causal.knows("nurse") and not causal.knows("zebra")


def test_no_texts_give_no_numbers(causal):
    assert causal.log_probabilities([]).shape == (0,)


def test_a_model_without_a_start_is_refused(tmp_path):
    with pytest.raises(ValueError, match="neither a start nor an end"):
        CausalLanguageModel(str(build_causal(tmp_path / "causal", start=False)), "cpu")


@pytest.mark.parametrize(
    "texts, given, message",
    [
        ("she is", None, "put it in a list"),
        (["she is"], ["he"], "a text that begins 'he'"),
        (["she is"], ["she is"], "a text that goes on"),
        ([""], None, "a text that goes on"),
        (["she is"], [], "a beginning for each text"),
        (["she is a nurse and " * 10], None, "longer than the 24"),
    ],
)
def test_bad_input_is_refused(texts, given, message, causal):
    with pytest.raises(ValueError, match=message):
        causal.log_probabilities(texts, given)
