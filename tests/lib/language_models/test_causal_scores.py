"""Causal language models: agreement with a plain forward pass, the chain rule, and what is refused."""

import numpy as np
import pytest
import torch

from lib.language_models.causal_scores import (
    CausalLanguageModel,
    calibrated_log_odds,
    sentence_log_odds,
    text_start,
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


def test_a_word_is_known_where_the_vocabulary_can_spell_it(causal):
    assert causal.knows("nurse") and not causal.knows("zebra")


def test_a_model_without_a_start_is_refused(tmp_path):
    with pytest.raises(ValueError, match="neither a start nor an end"):
        CausalLanguageModel(str(build_causal(tmp_path / "causal", start=False)), "cpu")


@pytest.mark.parametrize(
    "texts, given, message",
    [
        (["she is"], ["he"], "a text that begins 'he'"),
        ([""], None, "a text that goes on"),
        (["she is a nurse and " * 10], None, "longer than the 24"),
    ],
)
def test_bad_input_is_refused(texts, given, message, causal):
    with pytest.raises(ValueError, match=message):
        causal.log_probabilities(texts, given)


def test_in_a_chat_model_a_text_does_not_begin_as_a_turn_does(tiny_gguf):
    model = CausalLanguageModel(str(tiny_gguf), "cpu")
    assert model.transformer.tokenizer.bos_token == "<|im_start|>"
    assert model.start == "<|endoftext|>" and model.source.endswith(" after <|endoftext|>")
    asked = CausalLanguageModel(str(tiny_gguf), "cpu", start="<|im_start|>")
    assert asked.start_id == 1 and asked.source.endswith(" after <|im_start|>")
    assert asked.log_probabilities(TEXTS) != pytest.approx(model.log_probabilities(TEXTS), abs=1e-3)


@pytest.mark.parametrize(
    "bos, template, expected",
    [
        ("<s>", None, "<s>"),
        ("<s>", "{{ '<s>' + message['role'] }}", "<|endoftext|>"),
        ("<s>", "{% for m in messages %}<s>user: {{ m }}{% endfor %}", "<|endoftext|>"),
        ("<s>", "{{ bos_token }}[INST] {{ message['content'] }}", "<s>"),
        ("<s>", "<s>[INST] user", "<s>"),
        (None, None, "</s>"),
    ],
)
def test_where_a_text_begins_is_seen_in_the_template(bos, template, expected):
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    pieces = ["<unk>", "<|endoftext|>", "<s>", "</s>", "she"]
    backend = Tokenizer(
        models.WordLevel({piece: place for place, piece in enumerate(pieces)}, "<unk>")
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        unk_token="<unk>",
        bos_token=bos,
        eos_token="</s>",
        additional_special_tokens=pieces[1:2],
    )
    tokenizer.chat_template = template
    assert text_start(tokenizer) == expected


def test_an_unknown_start_is_refused_with_a_hint(tiny_gguf, refuses):
    refuses(
        lambda: CausalLanguageModel(str(tiny_gguf), "cpu", start="<|endoftxt|>"),
        ["tiny.gguf: start: expected 'auto' or a piece", "Did you mean '<|endoftext|>'?"],
    )


SHARING = {
    "a tree": ("tiny_gguf", True),
    "rows": ("tiny_gguf", False),
    "learned positions": ("tiny_causal_model", True),
}


@pytest.mark.parametrize(("folder", "shares"), SHARING.values(), ids=SHARING)
def test_what_texts_begin_with_alike_is_read_once_and_the_numbers_stay(
    folder, shares, request, monkeypatch
):
    model = CausalLanguageModel(str(request.getfixturevalue(folder)), "cpu")
    assert model._network.shares and model._network.splits
    beginnings = ["she is a", "she is a", "she is a", "the doctor said that", "the doctor", "she"]
    ends = [
        " nurse",
        " doctor and kind",
        " nurse and new",
        " she was",
        " said that she is",
        " walks",
    ]
    texts = [first + last for first, last in zip(beginnings, ends)]
    alone = [model.log_probabilities([text], [first])[0] for text, first in zip(texts, beginnings)]
    monkeypatch.setattr(model._network, "shares", shares)
    monkeypatch.setattr("lib.language_models.causal_scores.WORTH_SHARING", 0)
    read, forward = [], model.transformer.model.base_model.forward

    def counted(*args, input_ids, **named):
        read.append(input_ids.numel())
        return forward(*args, input_ids=input_ids, **named)

    monkeypatch.setattr(model.transformer.model.base_model, "forward", counted)
    assert model.log_probabilities(texts, beginnings) == pytest.approx(alone, abs=1e-4)
    rows, _ = model._encode(texts, beginnings)
    once = len({tuple(row[:end]) for row in rows for end in range(1, len(row))})
    assert sum(read) == once if shares else sum(read) > once
    monkeypatch.setattr("lib.language_models.causal_scores.TREE", 6)
    monkeypatch.setattr("lib.language_models.causal_scores.SOFTMAX", 1)
    assert model.log_probabilities(texts, beginnings) == pytest.approx(alone, abs=1e-4)


def test_trees_get_smaller_on_a_full_device(tiny_gguf, monkeypatch):
    model = CausalLanguageModel(str(tiny_gguf), "cpu")
    texts = ["she is a nurse", "she is a doctor", "she is kind", "the doctor said that he was new"]
    expected = model.log_probabilities(texts)
    monkeypatch.setattr("lib.language_models.causal_scores.WORTH_SHARING", 0)
    base = model.transformer.model.base_model
    refused = refuse_large_batches(monkeypatch, base, 16)
    assert model.log_probabilities(texts) == pytest.approx(expected, abs=1e-4) and refused
    refuse_large_batches(monkeypatch, base, 2)
    with pytest.raises(MemoryError, match=r"pieces does not fit on cpu beside tiny\.gguf"):
        model.log_probabilities(texts)


def test_a_model_that_caps_its_scores_is_read_as_it_is(tmp_path):
    from transformers import AutoTokenizer, Gemma2Config, Gemma2ForCausalLM

    folder = build_causal(tmp_path / "causal")
    size = len(AutoTokenizer.from_pretrained(folder))
    torch.manual_seed(0)
    config = Gemma2Config(
        vocab_size=size,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        intermediate_size=24,
        max_position_embeddings=24,
        final_logit_softcapping=0.05,
    )
    network = Gemma2ForCausalLM(config).eval()
    network.save_pretrained(folder)
    model = CausalLanguageModel(str(folder), "cpu")
    assert not model._network.splits
    texts = ["she is a nurse.", "she is a doctor."]
    for text, value in zip(texts, model.log_probabilities(texts)):
        ids = torch.tensor([[0, *model.transformer.tokenizer(text)["input_ids"]]])
        with torch.inference_mode():
            log_p = network(ids).logits[0].log_softmax(-1)
        expected = sum(log_p[at - 1, ids[0, at]].item() for at in range(1, ids.shape[1]))
        assert value == pytest.approx(expected, abs=1e-4)
