"""Word similarity: the published sets, pairs that a vocabulary holds, correlations before and after, and what a change preserves."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from studies.conceptors import similarity
from studies.conceptors.similarity import (
    SETS,
    held_pairs,
    preserved_similarity,
    read_similarity,
    similarity_correlation,
)

RNG = np.random.default_rng(0)
FIRST, SECOND, SCORES = RNG.standard_normal((30, 5)), RNG.standard_normal((30, 5)), RNG.random(30)
VOCABULARY = RNG.standard_normal((200, 8))


def turn(d, seed=2):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]


def test_correlation_is_pearsons_of_cosines():
    cosines = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(FIRST, SECOND)]
    assert similarity_correlation(FIRST, SECOND, SCORES) == pytest.approx(
        stats.pearsonr(cosines, SCORES).statistic
    )


def test_a_rotation_and_new_lengths_preserve_all_similarities():
    after = VOCABULARY @ turn(8) * RNG.uniform(0.5, 2, (200, 1))
    assert preserved_similarity(VOCABULARY, after, rng=0) == pytest.approx((1, 1))


SIZES = {
    "RG65": 65,
    "WS": 353,
    "RW": 2034,
    "MEN": 3000,
    "MTurk": 287,
    "SimLex": 999,
    "SimVerb": 3500,
}


@pytest.mark.sample(*SETS.values())
def test_the_published_sets_have_their_published_sizes():
    assert {name: len(read_similarity(name)) for name in SETS} == SIZES


def test_pairs_with_a_missing_word_are_left_out_and_shift_no_other():
    pairs = pd.DataFrame(
        [("w0", "w1", 1.0), ("w0", "nowhere", 4.0), ("W1", "w3", 2.0)],
        columns=["first", "second", "score"],
    )
    held = held_pairs(pairs, {"w0", "w1", "w3"})
    assert pairs.drop(held.index)["second"].tolist() == ["nowhere"]
    assert held.iloc[-1].tolist() == ["w1", "w3", 2.0]


def test_a_broken_line_is_named(registered_file, refuses):
    registered_file(similarity, "love\tsex\t6.77\nlove\thate\n")
    refuses(lambda: read_similarity("RG65"), ["line 2", "two words and a number", "'love', 'hate'"])
    registered_file(similarity, ",word1,word2,similarity\n0,sun,moon,3.5\n1,sun,sea,much\n")
    refuses(lambda: read_similarity("RG65"), ["line 3", "two words and a number", "'sea'"])
