"""Geometry of vectors: closed forms, golden numbers of MiniLM's static rows, what must hold for any vectors, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.debiasing.projection import principal_directions
from lib.embeddings import load_embedding
from lib.lexicons import base_pairs, word_list
from lib.measures import gender_polarity, neighbours
from lib.measures.geometry import (
    absolute_cosine,
    beside_null,
    classification_accuracy,
    clustering_accuracy,
    explained_variance,
    matched_accuracy,
    neighbour_correlation,
    random_absolute_cosine,
)

SEEDS = st.integers(0, 9999)
few = settings(max_examples=40)


def rows(n=30, d=6, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def turn(d=6, seed=1):
    return np.linalg.qr(rows(d, d, seed))[0]


def test_the_variance_of_swaps_along_two_axes_worked_by_hand():
    differences = [[3, 0, 0], [-3, 0, 0], [0, 1, 0]]  # squared lengths 18 and 1
    assert explained_variance(differences) == pytest.approx([18 / 19, 1 / 19, 0])
    assert explained_variance([[2, 1], [2, -1]], centred=True) == pytest.approx(
        [1, 0]
    )  # the mean [2, 0] is gone


@few
@given(SEEDS, st.integers(1, 9), st.floats(0.01, 100))
def test_shares_of_variance_sum_to_one_and_ignore_turns_signs_and_scale(seed, m, scale):
    differences = rows(m, seed=seed)
    shares = explained_variance(differences)
    signs = np.random.default_rng(seed).choice([-1, 1], size=(m, 1))
    assert (
        shares.sum() == pytest.approx(1)
        and (np.diff(shares) <= 1e-12).all()
        and len(shares) == min(m, 6)
    )
    assert explained_variance(scale * signs * differences @ turn()) == pytest.approx(
        shares, abs=1e-9
    )


def test_the_first_share_is_the_mean_squared_length_along_the_principal_direction():
    differences = rows(8)
    axis = principal_directions(differences, centred=False)[0]
    assert explained_variance(differences)[0] == pytest.approx(
        ((differences @ axis) ** 2).sum() / (differences**2).sum()
    )


def test_uncentred_shares_are_those_of_both_words_of_each_pair_less_their_midpoint():
    female, male = rows(5), rows(5, seed=1)
    middle = (female + male) / 2
    both = explained_variance(np.concatenate([female - middle, male - middle]))
    assert both[:5] == pytest.approx(explained_variance(female - male))


def test_direct_bias_of_words_at_known_angles():
    words = [[1, 0], [0, 2], [-1, 1]]
    assert absolute_cosine(words, [[5, 0], [0, -1]]) == pytest.approx([(1 + 0.5**0.5) / 3] * 2)
    assert absolute_cosine(words, [5, 0], strictness=2) == pytest.approx([0.5])


@few
@given(SEEDS, st.floats(0.01, 100), st.floats(0.2, 3))
def test_direct_bias_ignores_lengths_signs_and_turns(seed, scale, strictness):
    words, directions = rows(seed=seed), rows(3, seed=seed + 1)
    bias = absolute_cosine(words, directions, strictness)
    assert ((bias >= 0) & (bias <= 1)).all()
    assert absolute_cosine(
        scale * words @ turn(), -scale * directions @ turn(), strictness
    ) == pytest.approx(bias)


def test_the_cosine_of_random_directions_in_closed_form_and_by_lot():
    assert random_absolute_cosine([1, 2, 3]) == pytest.approx([1, 2 / np.pi, 0.5])
    assert random_absolute_cosine(300) == pytest.approx(np.sqrt(2 / np.pi / 300), rel=2e-3)
    assert absolute_cosine(rows(20_000, 50), rows(20, 50, seed=1)).mean() == pytest.approx(
        random_absolute_cosine(50), rel=0.01
    )


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


def test_random_halves_match_a_little_better_than_half():
    generator, labels = np.random.default_rng(0), np.repeat([0, 1], 75)
    found = [matched_accuracy(generator.integers(0, 2, size=150), labels) for _ in range(2000)]
    assert np.mean(found) == pytest.approx(0.5 + 1 / np.sqrt(2 * np.pi * 150), abs=0.003)


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


def test_words_on_a_line_have_neighbours_of_their_own_side():
    scores = np.arange(-10, 10) + 0.5
    near = np.array([np.argsort(np.abs(scores - score))[1:6] for score in scores])
    share = (scores[near] > 0).mean(axis=1)
    assert neighbour_correlation(scores, near) == pytest.approx(np.corrcoef(scores, share)[0, 1])
    assert neighbour_correlation(np.column_stack([scores, -scores]), near) == pytest.approx(
        [np.corrcoef(scores, share)[0, 1]] * 2
    )


@few
@given(SEEDS, st.floats(0.01, 100))
def test_the_correlation_ignores_the_size_of_scores_and_stays_in_range(seed, scale):
    words, scores = rows(40, seed=seed), rows(40, 3, seed=seed + 1)
    near = neighbours(words, words, 7, exclude=np.arange(40))
    found = neighbour_correlation(scores, near)
    assert (np.abs(found) <= 1).all() and neighbour_correlation(
        scale * scores, near
    ) == pytest.approx(found)
    assert neighbour_correlation(scores[:, 1], near) == pytest.approx(found[1])


def test_a_value_beside_its_null_in_numbers():
    row = beside_null([2, 4], [0, 1, 2, 3, 4])
    assert (row["value"], row["low"], row["high"]) == (3, 2, 4)
    assert (row["null low"], row["null"], row["null high"]) == pytest.approx((0.1, 2, 3.9))
    assert row["below"] == 0.7  # three below, one equal
    spread = np.std([0, 1, 2, 3, 4], ddof=1)
    assert (row["distance"], row["distance low"], row["distance high"]) == pytest.approx(
        (1 / spread, 0, 2 / spread)
    )


def test_a_null_that_does_not_spread_gives_no_distance():
    row = beside_null([0.8, 0.9], [0.1 + 0.2] * 3)
    assert np.isnan([row["distance"], row["distance low"], row["distance high"]]).all()
    assert (row["null low"], row["null high"], row["below"]) == (0.1 + 0.2, 0.1 + 0.2, 1)


@few
@given(SEEDS, st.floats(0.01, 100), st.floats(-100, 100))
def test_the_place_beside_the_null_does_not_change_with_unit_or_origin(seed, scale, shift):
    values, null = rows(3, 1, seed)[:, 0], rows(20, 1, seed + 1)[:, 0]
    first, second = (
        beside_null(values, null),
        beside_null(scale * values + shift, scale * null + shift),
    )
    for name in ("below", "distance", "distance low", "distance high"):
        assert second[name] == pytest.approx(first[name], abs=1e-6)


def test_golden_numbers_of_the_static_rows_of_minilm():
    minilm = load_embedding("minilm")
    pairs = minilm.pairs(
        [(female.lower(), male.lower()) for female, male in base_pairs("bolukbasi2016")]
    )
    differences = pairs.female.astype(float) - pairs.male
    jobs = minilm.rows(word_list("occupations/occupations")).vectors
    axis = principal_directions(differences, centred=False)
    leans = gender_polarity(jobs, minilm["she"], minilm["he"])
    near = neighbours(jobs, jobs, 100, exclude=np.arange(len(jobs)))
    assert explained_variance(differences)[0] == pytest.approx(0.3895, abs=5e-4)
    assert absolute_cosine(jobs, axis)[0] == pytest.approx(0.0546, abs=5e-4)
    assert neighbour_correlation(leans, near) == pytest.approx(0.6422, abs=5e-4)


def test_importing_loads_neither_torch_nor_transformers(loaded_by):
    assert loaded_by("lib.measures.geometry", ["torch", "transformers", "sklearn"]) == []


TWO = np.repeat([0, 1], 15)
BAD_INPUTS = {  # the call, fragments of its message: expected, got, what to do
    "no vectors": (
        lambda: explained_variance(np.empty((0, 3))),
        ["differences", "one a row", "(0, 3)"],
    ),
    "words instead of numbers": (
        lambda: explained_variance([["she", "he"]]),
        ["differences", "expected numbers"],
    ),
    "a word swapped for itself": (
        lambda: explained_variance(np.zeros((2, 3))),
        ["zeros only", "other words"],
    ),
    "other dimensions": (
        lambda: absolute_cosine(rows(), rows(1, 5)),
        ["directions", "expected 6 dimensions", "got 5"],
    ),
    "no direction": (
        lambda: absolute_cosine(rows(), np.zeros(6)),
        ["directions", "a direction", "zeros in row 0", "leave"],
    ),
    "a word of zeros": (
        lambda: absolute_cosine([[0, 0], [1, 0]], [1, 1]),
        ["words", "a direction", "zeros in row 0"],
    ),
    "a word of NaN": (
        lambda: clustering_accuracy(np.full((30, 2), np.nan), TWO),
        ["words", "NaN", "row 0"],
    ),
    "exponent of 0": (
        lambda: absolute_cosine(rows(), rows(1), 0),
        ["strictness", "above 0", "the papers use 1"],
    ),
    "no dimensions": (lambda: random_absolute_cosine(0), ["dimensions", "1 or more", "got 0"]),
    "a label too few": (
        lambda: matched_accuracy([0, 1], [0]),
        ["a label for each", "(2,)", "(1,)"],
    ),
    "nothing clustered": (lambda: matched_accuracy([], []), ["a label for each"]),
    "labels of other words": (
        lambda: clustering_accuracy(rows(), TWO[:9]),
        ["labels", "expected (30,)", "(9,)"],
    ),
    "one label": (
        lambda: classification_accuracy(rows(), np.zeros(30)),
        ["labels", "two or more", "[0.0]"],
    ),
    "too many folds": (
        lambda: classification_accuracy(rows(), TWO, folds=16),
        ["folds", "2 to 15", "got 16"],
    ),
    "one fold": (lambda: classification_accuracy(rows(), TWO, folds=1), ["folds", "got 1"]),
    "groups of other words": (
        lambda: classification_accuracy(rows(), TWO, groups=[1]),
        ["groups", "(30,)", "(1,)"],
    ),
    "neighbours of other words": (
        lambda: neighbour_correlation(rows()[:, 0], [[1], [2]]),
        ["(n, k)", "(2, 1)"],
    ),
    "a row that is not there": (
        lambda: neighbour_correlation([1.0, -1], [[2], [0]]),
        ["row numbers below 2", "same words"],
    ),
    "only one side": (
        lambda: neighbour_correlation([1.0, 2, 3], [[1], [2], [0]]),
        ["both sides", "nothing can correlate"],
    ),
    "a null of one": (lambda: beside_null(1, [2]), ["two or more of the null", "got 1 and 1"]),
}


@pytest.mark.parametrize("case", BAD_INPUTS)
def test_bad_input_says_what_was_expected_and_what_to_do(case, refuses):
    refuses(*BAD_INPUTS[case])
