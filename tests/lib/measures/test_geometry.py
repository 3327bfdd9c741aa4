"""Geometry of vectors: clusters and classes that are there or not, what must hold for any vectors, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.measures.geometry import (
    absolute_cosine,
    classification_accuracy,
    clustering_accuracy,
    matched_accuracy,
)

SEEDS = st.integers(0, 9999)

few = settings(max_examples=40)


def rows(n=30, d=6, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def turn(d=6, seed=1):
    return np.linalg.qr(rows(d, d, seed))[0]


@few
@given(SEEDS, st.floats(0.01, 100), st.floats(0.2, 3))
def test_direct_bias_ignores_lengths_signs_and_turns(seed, scale, strictness):
    words, directions = rows(seed=seed), rows(3, seed=seed + 1)
    bias = absolute_cosine(words, directions, strictness)
    assert ((bias >= 0) & (bias <= 1)).all()
    assert absolute_cosine(
        scale * words @ turn(), -scale * directions @ turn(), strictness
    ) == pytest.approx(bias)


def test_clusters_are_matched_whatever_their_names():
    labels = np.repeat([1, 0], 50)
    assert matched_accuracy(labels, labels) == matched_accuracy(1 - labels, labels) == 1
    assert matched_accuracy(["b", "b", "a", "a"], [0, 0, 0, 1]) == 0.75
    assert (
        matched_accuracy([0, 1, 2, 2], ["x", "x", "y", "y"]) == 0.75
    )  # the third cluster stands for no label


@few
@given(SEEDS, st.permutations(range(3)), st.permutations(range(3)))
def test_matched_accuracy_ignores_renaming_and_is_never_below_one_part_in_the_labels(
    seed, first, second
):
    generator = np.random.default_rng(seed)
    clusters, labels = generator.integers(0, 3, size=(2, 40))
    accuracy = matched_accuracy(clusters, labels)
    assert (
        accuracy
        == matched_accuracy(np.array(first)[clusters], np.array(second)[labels])
        == matched_accuracy(labels, clusters)
    )
    assert accuracy >= 1 / 3


@pytest.fixture
def clouds():
    """Two clouds of 60 words around opposite points, and their labels."""
    vectors = rows(120)
    vectors[:60, 0] += 6
    vectors[60:, 0] -= 6
    return vectors, np.repeat(["f", "m"], 60)


def test_two_clouds_are_clustered_and_told_apart(clouds):
    assert clustering_accuracy(*clouds, rng=0) == 1
    assert classification_accuracy(*clouds, rng=0) > 0.97


def test_labels_drawn_by_lot_are_not_told_apart(clouds):
    labels = np.random.default_rng(0).permutation(clouds[1])
    accuracy = np.mean([classification_accuracy(clouds[0], labels, rng=seed) for seed in range(20)])
    assert accuracy == pytest.approx(0.5, abs=0.05)


def test_the_same_seed_gives_the_same_and_lengths_do_not_matter(clouds):
    vectors, labels = rows(80, seed=3), np.repeat([0, 1], 40)
    longer = vectors * np.random.default_rng(0).uniform(0.5, 2, size=(80, 1))
    for measure in (clustering_accuracy, classification_accuracy):
        assert (
            measure(vectors, labels, rng=5)
            == measure(vectors, labels, rng=5)
            == measure(longer, labels, rng=5)
        )


def test_a_word_with_two_rows_must_not_be_on_both_sides():
    words, labels = (
        rows(100, 40),
        np.random.default_rng(1).permutation(np.repeat([0, 1], 50)),
    )  # nothing to learn
    twice = np.repeat(words, 2, axis=0) + 0.01 * rows(200, 40, seed=2)
    owner, sides = np.repeat(np.arange(100), 2), np.repeat(labels, 2)
    leaking = np.mean([classification_accuracy(twice, sides, rng=seed) for seed in range(5)])
    honest = np.mean(
        [classification_accuracy(twice, sides, groups=owner, rng=seed) for seed in range(5)]
    )
    assert leaking > 0.55 and honest == pytest.approx(0.5, abs=0.04)


def test_importing_loads_no_heavy_library(loaded_by):
    assert loaded_by("lib.measures.geometry", ["torch", "transformers", "sklearn", "gensim"]) == []
    assert loaded_by("json", ["json", "torch"]) == ["json"]  # the check notices what is there


TWO = np.repeat([0, 1], 15)


def test_bad_input_says_what_was_expected_and_what_to_do(refuses):
    refuses(
        lambda: absolute_cosine([[0, 0], [1, 0]], [1, 1]),
        ["words", "a direction", "zeros in row 0"],
    )
    refuses(lambda: clustering_accuracy(np.full((30, 2), np.nan), TWO), ["words", "NaN", "row 0"])
    refuses(lambda: classification_accuracy(rows(), TWO, groups=[1]), ["groups", "(30,)", "(1,)"])
