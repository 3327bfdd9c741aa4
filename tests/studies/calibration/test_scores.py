"""Measures on planted text: what must not change them (rotation, scale, doubled words), what turns them, and cases counted by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

from lib.measures.word_scores import UNSIGNED
from studies.calibration.corpus import Plan, plant
from studies.calibration.scores import (
    SIGNED,
    masked_scores,
    resolver_ratio,
    translated_index,
    true_positive_gaps,
    vector_scores,
)
from studies.calibration.trained import MaskedHead

SEEDS = st.integers(0, 2**32 - 1)
CORPUS = plant([1.0, 0.0, -1.0], Plan(sentences=20, pairs=3, types=120), rng=0)
ROWS = 6 + np.arange(3)


def space(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((len(CORPUS.words), 12))


@given(SEEDS)
@settings(max_examples=15)
def test_a_rotation_changes_nothing(seed):
    rotation = ortho_group.rvs(12, random_state=seed)
    turned = vector_scores(space(seed) @ rotation, ROWS, CORPUS)
    np.testing.assert_allclose(turned, vector_scores(space(seed), ROWS, CORPUS), atol=1e-8)


@given(SEEDS)
@settings(max_examples=15)
def test_swapped_classes_turn_signed_measures_and_leave_the_others(seed):
    vectors = space(seed)
    swapped = vectors.copy()
    swapped[:3], swapped[3:6] = vectors[3:6], vectors[:3]
    plain, turned = (vector_scores(v, ROWS, CORPUS) for v in (vectors, swapped))
    assert set(plain) <= {*SIGNED, *UNSIGNED}
    for measure in plain:
        sign = -1 if measure in SIGNED else 1
        np.testing.assert_allclose(turned[measure], sign * plain[measure], atol=1e-8)


def test_swapped_classes_turn_log_probability_bias():
    rng = np.random.default_rng(0)
    words = len(CORPUS.words)
    inputs, outputs = rng.standard_normal((words + 1, 8)), rng.standard_normal((words, 8))
    bias = rng.standard_normal(words)
    order = np.r_[3:6, 0:3, 6:words]
    plain = masked_scores(MaskedHead(inputs, outputs, bias), CORPUS, ROWS, 0)
    turned = masked_scores(MaskedHead(inputs, outputs[order], bias[order]), CORPUS, ROWS, 0)
    np.testing.assert_allclose(turned, -plain, atol=1e-8)


def test_a_classifier_without_gendered_words_has_no_gap_to_speak_of_and_one_with_them_has():
    corpus = plant(np.repeat([2.0, -2.0], 5), Plan(sentences=4_000, types=300), rng=1)
    seen, size, p = true_positive_gaps(corpus, 0)
    assert p < 0.01 and seen[:5].mean() > 0.1 > -0.1 > seen[5:].mean()
    assert true_positive_gaps(corpus, 0, blind=True)[1] < size


def test_index_and_ratio_in_cases_that_can_be_counted():
    assert translated_index([[9, 1]] * 3 + [[1, 9]] * 1)[0] == pytest.approx(np.sqrt(0.75 * 0.25))
    even = resolver_ratio(np.full((40, 2), 50), 0, sentences=4_000)
    assert even[1] < 1 < even[2]
    assert resolver_ratio(np.full((40, 2), 50), 0, handicap=2.0)[2] < 1
