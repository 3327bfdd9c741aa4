"""Which beginning is more probable: against a loss computed another way, and what cannot be asked."""

import numpy as np
import pytest
import torch

from lib.translation import load_translator
from studies.equalizing.preference import log_odds


@pytest.fixture(scope="module")
def translator():
    return load_translator("tatoeba-en-es-untaught", device="cpu", cache=False)


def test_log_odds_are_the_difference_of_two_losses(translator):
    sources = ["I am tired.", "We know each other."]
    first, second = ["Estoy cansada", "Nos conocemos"], ["Estoy cansado de", "Sí"]
    found = log_odds(translator, sources, first, second)
    transformer = translator.transformer
    expected = []
    for source, *targets in zip(sources, first, second):
        losses = []
        for target in targets:
            given = transformer.tokenizer(source, return_tensors="pt")["input_ids"]
            wanted = transformer.tokenizer(target, return_tensors="pt")["input_ids"][:, :-1]
            with torch.inference_mode():
                loss = transformer.model(input_ids=given, labels=wanted).loss
            losses.append(float(loss) * wanted.shape[1])
        expected.append(losses[1] - losses[0])
    np.testing.assert_allclose(found, expected, atol=1e-3)
    assert log_odds(translator, sources, second, first) == pytest.approx(-found)
