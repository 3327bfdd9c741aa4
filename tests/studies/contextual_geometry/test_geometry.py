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


def test_the_cosine_of_random_directions_in_closed_form_and_by_lot():
    assert random_absolute_cosine([1, 2, 3]) == pytest.approx([1, 2 / np.pi, 0.5])
    assert random_absolute_cosine(300) == pytest.approx(np.sqrt(2 / np.pi / 300), rel=2e-3)
    assert absolute_cosine(rows(20_000, 50), rows(20, 50, seed=1)).mean() == pytest.approx(
        random_absolute_cosine(50), rel=0.01
    )


def test_a_value_beside_its_null_in_numbers():
    row = beside_null([2, 4], [0, 1, 2, 3, 4])
    assert (row["value"], row["low"], row["high"]) == (3, 2, 4)
    assert (row["null low"], row["null"], row["null high"]) == pytest.approx((0.1, 2, 3.9))
    assert row["below"] == 0.7  # three below, one equal
    spread = np.std([0, 1, 2, 3, 4], ddof=1)
    assert (row["distance"], row["distance low"], row["distance high"]) == pytest.approx(
        (1 / spread, 0, 2 / spread)
    )


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
