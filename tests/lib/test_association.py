"""The association test: printed values, agreement of its methods with one another and with SciPy, nulls, and bad input."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib import association
from lib.association import (
    effect_size,
    effect_size_interval,
    random_target_effects,
    weat,
)
from lib.embeddings import load_embedding
from lib.inference.random_words import random_words
from lib.lexicons import load_lexicon

GOLDEN = {  # Google News rows: d, strict p, p with ties
    "b1": (1.371, 0.0011655, 0.0012432, 15),
    "b2": (1.022, 0.0179487, 0.0180264, 231),
    "b3": (1.253, 0.0041958, 0.0042735, 54),
}


def random_sets(seed=0, sizes=(4, 4, 3, 3), d=6):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((n, d)) + 0.3 * (i % 2) for i, n in enumerate(sizes)]


@pytest.mark.sample("wefe_weat_w2v")
@pytest.mark.parametrize("name", GOLDEN)
def test_google_news_gives_the_effect_sizes_that_chaloner_prints_and_their_exact_p(name):
    news = load_embedding("wefe_weat_w2v")
    found = weat(*(news.rows(words).vectors for words in load_lexicon("chaloner2019").test(name)))
    d, strict, valid, more_extreme = GOLDEN[name]
    test = found.test
    assert found.effect_size == pytest.approx(d, abs=5e-4)
    assert found.pvalue_strict == more_extreme / 12870 == pytest.approx(strict, abs=5e-8)
    assert found.pvalue == (more_extreme + 1) / 12870 == pytest.approx(valid, abs=5e-8)
    assert (test.method, test.ties, test.partitions, test.pvalue_error) == ("exact", 1, 12870, 0)


def test_the_statistic_and_effect_size_follow_the_formulas():
    X, Y, A, B = random_sets(1, sizes=(3, 5, 2, 4))
    cosine = lambda u, v: u @ v / np.linalg.norm(u) / np.linalg.norm(v)  # noqa: E731
    s = [
        [np.mean([cosine(w, a) for a in A]) - np.mean([cosine(w, b) for b in B]) for w in words]
        for words in (X, Y)
    ]
    found = weat(X, Y, A, B, ddof=0)
    assert np.allclose(found.x_associations, s[0]) and np.allclose(found.y_associations, s[1])
    assert found.statistic == pytest.approx(sum(s[0]) - sum(s[1]))
    assert found.effect_size == pytest.approx(
        (np.mean(s[0]) - np.mean(s[1])) / np.std(s[0] + s[1])
    )  # as WEFE computes it
    assert weat(X, Y, A, B).effect_size == pytest.approx(found.effect_size * sqrt(7 / 8))


@settings(max_examples=40)
@given(st.integers(0, 9999), st.integers(1, 6), st.integers(1, 6))
def test_swapping_flips_the_sign_and_rotation_and_scaling_change_nothing(seed, n_x, n_y):
    X, Y, A, B = sets = random_sets(seed, sizes=(n_x, n_y, 3, 2))
    turn = 5 * np.linalg.qr(np.random.default_rng(seed).standard_normal((6, 6)))[0]
    found, swapped, turned = (
        weat(*sets),
        weat(Y, X, A, B, alternative="less"),
        weat(*(rows @ turn for rows in sets)),
    )
    assert swapped.effect_size == pytest.approx(-found.effect_size)
    assert swapped.statistic == pytest.approx(-found.statistic)
    assert swapped.pvalue == found.pvalue == turned.pvalue
    assert turned.effect_size == pytest.approx(found.effect_size)
    assert weat(X, Y, B, A).effect_size == pytest.approx(-found.effect_size)
    assert found.pvalue_strict <= found.pvalue


def test_the_interval_covers_the_value_repeats_with_its_seed_and_pairs_narrow_it():
    rng = np.random.default_rng(0)
    pair = rng.standard_normal((9, 6)) * 1.5
    A, B = pair + np.eye(6)[0], pair - np.eye(6)[0]
    X, Y = rng.standard_normal((8, 6)) + np.eye(6)[0], rng.standard_normal((8, 6)) - np.eye(6)[0]
    low, high = effect_size_interval(X, Y, A, B, n_resamples=500, rng=3)
    assert low < weat(X, Y, A, B).effect_size < high
    assert (low, high) == effect_size_interval(X, Y, A, B, n_resamples=500, rng=3)
    paired = effect_size_interval(X, Y, A, B, n_resamples=500, rng=3, paired=True)
    assert paired[1] - paired[0] < high - low


def test_the_interval_equals_a_bootstrap_that_measures_every_draw_afresh():
    X, Y, A, B = sets = random_sets(2, sizes=(5, 6, 4, 3))
    theirs = stats.bootstrap(
        [np.arange(len(rows)) for rows in sets],
        lambda x, y, a, b: effect_size(
            *(association.associations(words, A[a], B[b]) for words in (X[x], Y[y]))
        ),
        n_resamples=300,
        vectorized=False,
        method="BCa",
        rng=1,
        batch=500,
    )
    assert effect_size_interval(*sets, n_resamples=300, rng=1) == pytest.approx(
        tuple(theirs.confidence_interval)
    )


def test_the_interval_is_too_short_for_8_words_with_skewed_associations_as_its_docstring_says():
    rng, covered = np.random.default_rng(0), 0

    def vectors(scores):
        return np.stack([scores / 20, np.sqrt(1 - (scores / 20) ** 2)], axis=1)

    A = np.repeat([[1.0, 0.0]], 3, axis=0)
    truth = 2 / sqrt(1 + 1)  # two exponentials, two deviations apart
    for seed in range(150):
        X, Y = vectors(rng.exponential(size=8) + 2), vectors(rng.exponential(size=8))
        low, high = effect_size_interval(X, Y, A, -A, n_resamples=300, rng=seed)
        covered += low <= truth <= high
    assert 0.7 < covered / 150 < 0.9


def test_random_targets_have_no_effect_on_average():
    rng = np.random.default_rng(0)
    vocabulary, A, B = (
        rng.standard_normal((400, 20)),
        rng.standard_normal((5, 20)),
        rng.standard_normal((5, 20)),
    )
    found = random_target_effects(vocabulary, A, B, (8, 8), draws=2000, rng=1)
    assert found.shape == (2000,)
    assert abs(found.mean()) < 0.05
    assert found.std() == pytest.approx(2 / sqrt(16), abs=0.05)
    assert np.array_equal(found, random_target_effects(vocabulary, A, B, (8, 8), draws=2000, rng=1))


def test_random_targets_are_scored_as_the_real_ones_are():
    vocabulary, A, B = random_sets(3, sizes=(400, 3, 3))
    positions = [*range(10, 20), 100, 300]
    found = random_target_effects(
        vocabulary, A, B, (10, 2), positions=positions, draws=50, matched=True, rng=0
    )
    scores = association.associations(vocabulary, A, B)
    rows = random_words(positions, 400, 50, rng=0)
    assert found == pytest.approx([effect_size(scores[row[:10]], scores[row[10:]]) for row in rows])


X, Y, A, B = random_sets(5)
SCORES = [0.1, 0.2, 0.4]


def test_bad_input_says_what_was_expected_and_what_came(refuses):
    refuses(lambda: weat(X, np.vstack([Y, X[2:3]]), A, B), ["common", "[(2, 4)]", "leave"])
    refuses(lambda: weat(X, 2 * X, A, A[::-1]), ["associations that differ", "all 8", "one set"])
    refuses(lambda: weat(X, Y, A, np.empty((0, 6))), ["B", "at least 1", "(0, 6)"])
    refuses(lambda: weat(X, Y, A[:, :4], B), ["A", "6 dimensions", "got 4", "one embedding"])
    refuses(lambda: weat(X, Y * [[0], [1], [1], [1]], A, B), ["Y", "direction", "row 0"])
    refuses(lambda: weat(X, Y, A, B, ddof=2), ["ddof", "1 (sample", "got 2"])
    refuses(
        lambda: effect_size([1, np.inf], SCORES),
        ["x_associations", "finite numbers", "inf in place 1", "leave that word out"],
    )
