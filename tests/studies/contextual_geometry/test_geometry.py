"""Geometry of vectors: closed forms, golden numbers of MiniLM's static rows, and what must hold for any vectors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.debiasing.projection import principal_directions
from lib.embeddings import load_embedding
from lib.lexicons import base_pairs, word_list
from lib.measures import gender_polarity, neighbours
from studies.contextual_geometry.geometry import (
    absolute_cosine,
    beside_null,
    explained_variance,
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


def test_the_cosine_of_random_directions_in_closed_form_and_by_lot():
    assert random_absolute_cosine([1, 2, 3]) == pytest.approx([1, 2 / np.pi, 0.5])
    assert random_absolute_cosine(300) == pytest.approx(np.sqrt(2 / np.pi / 300), rel=2e-3)
    assert absolute_cosine(rows(20_000, 50), rows(20, 50, seed=1)).mean() == pytest.approx(
        random_absolute_cosine(50), rel=0.01
    )


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
