"""Tiny fill-mask models, behind our class and with transformers alone."""

import functools

import pytest
import torch

from lib.language_models import MaskedLanguageModel


@pytest.fixture(scope="module")
def model(tiny_model):
    """A function from a kind to the tiny model of that kind."""
    return functools.cache(
        lambda kind="bert", **named: MaskedLanguageModel(str(tiny_model(kind)), "cpu", **named)
    )


@pytest.fixture(scope="module")
def plain(tiny_model):
    """A function from a kind and a sentence to (ids, log probabilities (t, v), tokenizer), with transformers alone."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    @functools.cache
    def loaded(kind):
        folder = tiny_model(kind)
        network = AutoModelForMaskedLM.from_pretrained(folder).eval()
        return AutoTokenizer.from_pretrained(folder), network

    def read(kind, sentence):
        tokenizer, network = loaded(kind)
        coded = tokenizer(sentence.replace("[MASK]", tokenizer.mask_token), return_tensors="pt")
        with torch.inference_mode():
            logits = network(**coded).logits[0]
        values = torch.log_softmax(logits, -1).double().numpy()
        return coded["input_ids"][0].tolist(), values, tokenizer

    return read
