"""Vectors of sentences do not depend on what else is read."""

import numpy as np
import pytest

from studies.sentence_measures.sentence_vectors import sentence_vectors
from tests.support.crowded import refuse_large_batches

pytestmark = pytest.mark.usefixtures("one_thread")
SENTENCES = ["she is the nurse.", "the woman works in the new town.", "the town"]


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_vectors_of_sentences_do_not_depend_on_their_batch(pooling, model):
    network = model().transformer
    together = sentence_vectors(network, SENTENCES, pooling=pooling)
    alone = [sentence_vectors(network, [text], pooling=pooling)[0] for text in SENTENCES]
    assert together == pytest.approx(np.array(alone), abs=1e-5)


def test_a_full_device_gets_smaller_batches_and_the_vectors_stay(model, monkeypatch):
    network = model().transformer
    expected = sentence_vectors(network, SENTENCES)
    refused = refuse_large_batches(monkeypatch, network.model.base_model)
    assert sentence_vectors(network, SENTENCES) == pytest.approx(expected, abs=1e-5)
    assert refused
