"""Random words: different, near in rank, never the given ones, and bad input."""

import numpy as np
import pytest

from lib.inference.random_words import random_cosines, random_pairs, random_words


def test_random_words_are_near_in_rank_different_and_never_the_words_themselves():
    positions = np.array([5, 6, 100, 1000, 4000])
    drawn = random_words(positions, 5000, 300, rng=0)
    assert drawn.shape == (300, 5) and not np.isin(drawn, positions).any()
    assert all(len(set(row)) == 5 for row in drawn.tolist())
    assert (np.abs(drawn - positions) <= np.maximum(positions // 4, 25)).all()
    assert np.array_equal(drawn, random_words(positions, 5000, 300, rng=0))


def test_without_matching_all_rows_are_drawn_equally_often():
    rows = random_words([0, 1], 12, 5000, matched=False, rng=0)
    counts = np.bincount(rows.ravel(), minlength=12)
    assert counts[:2].sum() == 0 and np.abs(counts[2:] / 1000 - 1).max() < 0.15


def test_a_random_pair_is_two_words_and_pairs_may_share_one():
    rows = random_pairs([[0, 1], [2, 3]], 7, 300, matched=False, rng=0)
    assert rows.shape == (300, 2, 2) and rows.min() == 4
    assert (rows[..., 0] != rows[..., 1]).all()
    assert any(len(set(draw.ravel())) < 4 for draw in rows)


def test_random_cosines_of_random_directions_have_the_known_spread():
    vocabulary = np.random.default_rng(0).standard_normal((4000, 50))
    for differences in (False, True):
        found = random_cosines(vocabulary, 25_000, differences=differences, rng=1)
        assert found.shape == (25_000,)
        assert abs(found.mean()) < 0.005
        assert found.std() == pytest.approx(1 / np.sqrt(50), rel=0.03)


def test_bad_input_says_what_was_expected_and_what_came(refuses):
    refuses(lambda: random_words([9], 9, 1), ["vocabulary of 9", "[9]"])
    refuses(
        lambda: random_words([*range(25), 26], 90, 5), ["26 different", "near", "matched=False"]
    )
