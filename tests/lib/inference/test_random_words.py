"""Random words: different, near in rank, never the given ones, the same for the same seed, and bad input."""

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


def test_a_word_that_the_vocabulary_lacks_is_drawn_from_all_of_it():
    rows = random_words([-1, 10], 5000, 400, rng=0)
    assert rows[:, 0].max() > 4500 and rows[:, 1].max() <= 35


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


def test_random_cosines_never_pair_a_word_with_itself():
    assert np.allclose(random_cosines(np.eye(2), 500, rng=0), 0)


BAD = {
    "one word to compare": (lambda: random_cosines(np.ones((1, 2))), ["at least 2", "1"]),
    "pairs for words": (lambda: random_words([[0, 1]], 9, 1), ["(n,)", "(1, 2)"]),
    "words for pairs": (lambda: random_pairs([0, 1], 9, 1), ["(p, 2)", "(2,)"]),
    "no word": (lambda: random_words([], 9, 1), ["vocabulary of 9", "[]"]),
    "a row beyond the vocabulary": (lambda: random_words([9], 9, 1), ["vocabulary of 9", "[9]"]),
    "a vocabulary that is too small": (
        lambda: random_words(np.arange(20), 30, 5),
        ["20 different words", "got 10", "larger"],
    ),
    "too few words of that rank": (
        lambda: random_words([*range(25), 26], 90, 5),  # only row 25 is near row 0
        ["26 different", "near", "matched=False"],
    ),
    "one word left for a pair": (lambda: random_pairs([[0, 1]], 3, 1), ["2 different", "got 1"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected_and_what_came(case, refuses):
    refuses(*BAD[case])
