"""Vectors and a masked head of planted text: they learn what was planted, and the same on any number of threads."""

import numpy as np
import torch

from studies.calibration.corpus import Plan, plant
from studies.calibration.scores import masked_scores, sentence_associations
from studies.calibration.trained import glove, masked_head, skip_gram


def test_a_masked_head_is_the_same_to_the_last_digit_on_any_number_of_threads(one_thread):
    corpus = plant([1.0, -1.0], Plan(sentences=1_000, types=60), rng=0)
    expected = masked_head(corpus, 16, epochs=2, rng=0)
    torch.set_num_threads(2)
    found = masked_head(corpus, 16, epochs=2, rng=0)
    torch.set_num_threads(1)
    np.testing.assert_array_equal(found.inputs, expected.inputs)
    np.testing.assert_array_equal(found.outputs, expected.outputs)


def test_what_is_trained_learns_the_planted_order():
    odds = np.linspace(-3, 3, 20)
    corpus = plant(odds, Plan(sentences=4_000, types=200), rng=0)
    targets = 12 + np.arange(20)
    head = masked_head(corpus, 20, epochs=10, rng=0)
    scores = masked_scores(head, corpus, targets, 0)["log probability bias"]
    assert np.corrcoef(scores, odds)[0, 1] > 0.9
    assert (
        np.corrcoef(sentence_associations(head, corpus, targets, 0).mean(axis=1), odds)[0, 1] > 0.7
    )
    for vectors in (skip_gram(corpus, 10, epochs=2), glove(corpus, 10, epochs=2, rng=0)):
        assert vectors.shape == (len(corpus.words), 10)
