"""Word-level measures: closed forms, numbers printed or published, properties, and what bad input says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lib import measures
from lib.embeddings import load_embedding
from lib.lexicons import base_pairs

NUMBERS = st.floats(-3, 3, width=32).map(lambda x: x if abs(x) > 1e-3 else 1.0)
WORDS = arrays(np.float64, (5, 4), elements=NUMBERS)
PAIRS = arrays(np.float64, (3, 4), elements=NUMBERS)
EAST, NORTH, NORTHEAST = np.eye(2)[0], np.eye(2)[1], np.ones(2)


@pytest.fixture(scope="module")
def minilm():
    return load_embedding("minilm")


def random_space(seed=0, n=7, p=3, d=5):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal((p, d)), rng.standard_normal((p, d))


def test_direct_bias_on_minilm_gives_the_known_directions(minilm):
    words = minilm.rows(["nurse", "engineer", "carpenter"]).vectors
    he, she = minilm["he"], minilm["she"]
    found = measures.gender_polarity(words, he, she)  # the golden cosines are with he - she
    assert found == pytest.approx([-0.146, 0.106, 0.176], abs=5e-4)


def test_the_ten_difference_vectors_of_minilm_are_alike(minilm):
    pairs = minilm.pairs(base_pairs())
    unit = pairs.female - pairs.male
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    cosines = (unit @ unit.T)[np.triu_indices(10, 1)]
    assert cosines.mean() == pytest.approx(0.348, abs=5e-4)


@settings(max_examples=60)
@given(WORDS, PAIRS, PAIRS)
def test_direct_bias_flips_with_the_pair_and_ignores_lengths(words, female, male):
    found = measures.direct_bias(words, female, male)
    assert np.allclose(found, -measures.direct_bias(words, male, female))
    assert np.allclose(found, measures.direct_bias(7 * words, 2 * female, 3 * male))
    assert (np.abs(found) <= 2 + 1e-9).all()


@pytest.mark.sample
def test_ripa_of_surgeon_flips_between_two_pairs_on_google_news():
    news = load_embedding("sweater_googlenews")
    pairs = news.pairs([("she", "he"), ("woman", "man")])
    found = measures.ripa(news.rows(["surgeon"]).vectors, pairs.female, pairs.male)
    assert found[0] == pytest.approx([-0.17162736, 0.26936825], abs=2e-7)


@settings(max_examples=60)
@given(WORDS, PAIRS, PAIRS, st.integers(0, 99))
def test_ripa_is_bounded_by_the_word_and_survives_rotation(words, female, male, seed):
    female = np.where((female == male).all(axis=1, keepdims=True), female + 1, female)
    found = measures.ripa(words, female, male)
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((4, 4)))[0]
    assert (np.abs(found) <= np.linalg.norm(words, axis=1, keepdims=True) + 1e-9).all()
    assert np.allclose(found, measures.ripa(words @ turn, female @ turn, male @ turn))


def test_neighbours_come_nearest_first_with_ties_by_index():
    neutral = np.array([NORTH, NORTHEAST, EAST, 5 * EAST, NORTHEAST])
    assert measures.neighbours([[1.0, 0.0]], neutral, 4).tolist() == [[2, 3, 1, 4]]
    assert measures.neighbours([[1.0, 0.0]], neutral, 2, metric="dot").tolist() == [[3, 1]]


def test_a_word_is_not_its_own_neighbour_when_its_row_is_named():
    neutral = np.array([EAST, NORTH, NORTHEAST])
    assert measures.neighbours(neutral, neutral, 1, exclude=[0, 1, -1]).tolist() == [[2], [2], [2]]


@settings(max_examples=40)
@given(
    st.integers(0, 9999),
    st.integers(1, 20),
    st.sampled_from(["cosine", "dot"]),
    st.integers(2_000, 40_000),
)
def test_neighbours_equal_a_full_sort_whatever_the_memory(seed, k, metric, memory):
    rng = np.random.default_rng(seed)
    words, neutral = rng.integers(-2, 3, (9, 3)) + 0.5, rng.integers(-2, 3, (40, 3)) + 0.5
    own = rng.integers(-1, 40, 9)
    w, m = words, neutral
    if metric == "cosine":
        w, m = (a / np.linalg.norm(a, axis=1, keepdims=True) for a in (words, neutral))
    scores = np.float32(w) @ np.float32(m).T
    scores[np.arange(9)[own >= 0], own[own >= 0]] = -np.inf
    found = measures.neighbours(words, neutral, k, metric=metric, exclude=own, memory=memory)
    best = np.take_along_axis(scores, found, axis=1)
    assert np.allclose(best, -np.sort(-scores, axis=1)[:, :k], atol=1e-6)
    assert all(len(set(row)) == k for row in found)
    assert not (found == own[:, None]).any()


def test_neighbourhood_bias_counts_leaning_neighbours():
    neutral = np.array(
        [[1.0, 0.2], [1.0, 0.1], [0.2, 1.0], [1.0, 1.0]]
    )  # female, female, male, zero: counted male
    found = measures.neighbourhood_bias([[1.0, 1.0]], [EAST], [NORTH], neutral, k=4)
    assert found == pytest.approx(np.array([[(2 - 2) / 4]]))


def test_neighbourhood_bias_reuses_one_search():
    words, female, male = random_space(n=30)
    found = measures.neighbours(words, words, 5, exclude=np.arange(30))
    assert np.array_equal(
        measures.neighbourhood_bias(words, female, male, words, neighbours=found),
        measures.neighbourhood_bias(words, female, male, words, k=5, exclude=np.arange(30)),
    )


@settings(max_examples=40)
@given(st.integers(0, 9999))
def test_neighbourhood_bias_is_a_share_and_flips_with_the_pair(seed):
    words, female, male = random_space(seed, n=12)
    found = measures.neighbourhood_bias(words, female, male, words, k=4)
    assert np.isin(found, np.arange(-4, 5) / 4 * 1.0).all()
    assert np.allclose(found, -measures.neighbourhood_bias(words, male, female, words, k=4))


def test_axis_projection_with_one_word_a_side_is_ripa():
    words, female, male = random_space(p=1)
    assert np.allclose(
        measures.axis_projection(words, female, male), measures.ripa(words, female, male)[:, 0]
    )


def test_one_vs_one_is_the_mean_over_unordered_pairs_and_ordered_alike():
    words, classes = random_space()[0], random_space(1, n=4)[0]
    cosine = [
        [measures.gender_polarity(words, a, b) for b in classes if (b != a).any()] for a in classes
    ]
    assert np.allclose(measures.one_vs_one(words, classes), np.abs(cosine).mean(axis=(0, 1)))


def test_one_vs_rest_is_the_largest_cosine_against_the_mean_of_the_others():
    words, classes = random_space()[0], random_space(1, n=4)[0]
    rest = [(classes.sum(axis=0) - c) / 3 for c in classes]
    cosine = [measures.gender_polarity(words, c, r) for c, r in zip(classes, rest)]
    assert np.allclose(measures.one_vs_rest(words, classes), np.max(cosine, axis=0))


TWO = np.ones((2, 3))


def test_bad_input_says_what_was_expected_what_came_and_what_to_do(refuses):
    refuses(
        lambda: measures.ripa(np.ones((2, 5)), TWO, 2 * TWO),
        ["female", "expected 5 dimensions", "got 3", "one embedding"],
    )
    refuses(lambda: measures.ripa(TWO, TWO, 2 * TWO[:1]), ["as many female as male", "2 and 1"])
    refuses(lambda: measures.ripa(TWO, TWO, TWO), ["female - male", "row 0", "leave it out"])
    refuses(lambda: measures.direct_bias(TWO * np.nan, TWO, 2 * TWO), ["words", "NaN", "row 0"])
    refuses(lambda: measures.neighbours(TWO, TWO, 3), ["k", "1 to 2", "got 3"])
    refuses(lambda: measures.neighbours(TWO, TWO, 1, metric="l2"), ["cosine", "dot", "'l2'"])
    refuses(
        lambda: measures.neighbourhood_bias(TWO, TWO, -TWO, TWO, neighbours=np.full((2, 1), 9)),
        ["below 2", "9"],
    )
    refuses(lambda: measures.one_vs_one(TWO, TWO), ["difference of classes", "zeros"])
    refuses(lambda: measures.relative_norm_ratio(TWO, TWO, -TWO), ["row 0", "infinite"])
