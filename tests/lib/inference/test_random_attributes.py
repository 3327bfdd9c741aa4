"""Random attributes: the same effects and p-values as one by one, a null that rejects 5 %, and bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.inference.permutation import partition_test
from lib.inference.random_attributes import (
    RandomAttributes,
    random_attributes,
    split_pvalues,
)
from lib.inference.random_words import random_words

RNG = np.random.default_rng(0)
VOCABULARY, X, Y = (RNG.standard_normal((n, 6)) for n in (400, 4, 3))


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_each_draw_is_scored_and_tested_as_the_real_attributes_are():
    positions = [*range(10, 14), 100, 300]
    found = random_attributes(
        VOCABULARY, X, Y, (4, 2), positions=positions, matched=True, draws=20, rng=0
    )
    for row, words in enumerate(random_words(positions, 400, 20, rng=0)):
        axis = unit(VOCABULARY[words[:4]]).mean(axis=0) - unit(VOCABULARY[words[4:]]).mean(axis=0)
        x, y = unit(X) @ axis, unit(Y) @ axis
        d = (x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1)
        assert found.effects[row] == pytest.approx(d)
        assert found.greater[row] == partition_test(x, y).pvalue
        assert found.two_sided[row] == partition_test(x, y, alternative="two-sided").pvalue


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_many_rows_at_once_are_tested_as_one_by_one(n_x, n_y, seed):
    scores = np.random.default_rng(seed).integers(-3, 4, (6, n_x + n_y)).astype(float)
    scores = scores[np.ptp(scores, axis=1) > 0]  # partition_test refuses equal scores
    greater, two_sided = split_pvalues(scores, n_x)
    for row, p, p_two in zip(scores, greater, two_sided):
        assert p == pytest.approx(partition_test(row[:n_x], row[n_x:]).pvalue)
        both = partition_test(row[:n_x], row[n_x:], alternative="two-sided").pvalue
        assert p_two == pytest.approx(both)
        assert p >= 1 / math.comb(n_x + n_y, n_x) - 1e-12


def test_splits_that_are_drawn_come_near_all_splits_and_give_no_p_of_zero():
    scores = np.random.default_rng(1).standard_normal((30, 14))
    scores[0, :7] += 100
    counted, drawn = split_pvalues(scores, 7), split_pvalues(scores, 7, splits=3000, rng=0)
    assert np.abs(np.subtract(counted, drawn)).max() < 0.04
    assert drawn[0][0] == pytest.approx(1 / 3001, abs=3 / 3001) and drawn[0][0] > 0


def test_an_effect_is_counted_among_the_random_ones():
    null = RandomAttributes(effects=np.linspace(-1, 1, 99), greater=[], two_sided=[])
    assert null.pvalues(5.0) == (0.01, 0.01)
    assert null.pvalues(-5.0) == (1.0, 0.01)
    assert null.pvalues(0.0)[1] == 1.0


REPEATS = 600


def shares_at_five_per_cent(topic, draws=99):
    """How often the usual test and the test against random attributes reject, one- and two-sided.

    The attributes are words of the vocabulary that were drawn by lot: they mean nothing. Words of a vocabulary come
    in subjects, and the two target lists are words of one subject each, or of any.
    """
    generator = np.random.default_rng(5)
    usual, against = np.zeros((2, REPEATS, 2))
    for repeat in range(REPEATS):
        subjects = topic * generator.standard_normal((20, 10))
        words = np.repeat(subjects, 15, axis=0) + generator.standard_normal((300, 10))
        generator.shuffle(subjects)
        x, y = (subjects[side] + generator.standard_normal((8, 10)) for side in (0, 1))
        order = generator.permutation(300)
        real, others = words[order[:10]], words[order[10:]]
        axis = unit(real[:5]).mean(axis=0) - unit(real[5:]).mean(axis=0)
        scores = np.concatenate([unit(x) @ axis, unit(y) @ axis])
        usual[repeat] = np.ravel(split_pvalues(scores[None], 8, splits=999, rng=generator))
        null = random_attributes(others, x, y, (5, 5), draws=draws, splits=1, rng=generator)
        d = (scores[:8].mean() - scores[8:].mean()) / scores.std(ddof=1)
        against[repeat] = null.pvalues(d)
    return (usual <= 0.05).mean(axis=0), (against <= 0.05).mean(axis=0)


FIVE_PER_CENT = pytest.approx([0.05, 0.05], abs=3.5 * np.sqrt(0.05 * 0.95 / REPEATS))


@pytest.mark.slow
def test_where_words_are_exchangeable_both_tests_reject_five_per_cent_without_meaning():
    usual, against = shares_at_five_per_cent(topic=0)
    assert usual.tolist() == FIVE_PER_CENT and against.tolist() == FIVE_PER_CENT


@pytest.mark.slow
def test_where_lists_have_subjects_only_random_attributes_reject_five_per_cent():
    usual, against = shares_at_five_per_cent(topic=1)
    assert (usual > 0.2).all() and against.tolist() == FIVE_PER_CENT


def test_bad_input_says_what_was_expected_and_what_came(refuses):
    refuses(lambda: split_pvalues([[1.0, np.nan]], 1), ["finite", "NaN", "leave"])
