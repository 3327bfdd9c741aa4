"""Controls in context: means over sentences, contrasts of one pair, and a lean that is planted and found."""

import numpy as np
import pytest

from lib.measures.geometry import absolute_cosine
from studies.contextual_geometry.context_controls import (
    one_pair_biases,
    planted_power,
    random_contrasts,
)
from studies.contextual_geometry.context_probes import ContextSpace

ROWS = np.random.default_rng(0).standard_normal((80, 24))
NULL = np.random.default_rng(1).standard_normal((60, 24))
AXIS = np.random.default_rng(2).standard_normal(24)


@pytest.fixture
def space():
    """Four pairs, nine persons, six jobs and ten words in three sentences each."""
    rng = np.random.default_rng(3)
    of = {
        name: rng.standard_normal((n, 3, 8)) for name, n in dict(a=4, b=4, q=9, j=6, m=10).items()
    }
    return ContextSpace((of["a"], of["b"]), of["q"], of["j"], of["q"][:3], range(3), of["m"])


def test_the_bias_toward_one_pair_is_the_mean_over_draws_of_sentences(space):
    space.draw_sentences(4, np.random.default_rng(0))
    gender, random = one_pair_biases(space, 7, rng=0)
    contrast = (space.pairs[0][2] - space.pairs[1][2]).mean(axis=0)
    by_hand = [absolute_cosine(words, contrast)[0] for words, _ in space.drawn["jobs"]]
    assert gender[2] == pytest.approx(np.mean(by_hand)) and random.shape == (7,)


def test_random_contrasts_never_take_a_word_twice_and_reach_all():
    one_hot = random_contrasts(np.eye(5), 400, rng=0)
    assert (np.abs(one_hot).sum(axis=1) == 2).all()
    assert len(np.unique(one_hot, axis=0)) == 20


def test_a_large_lean_is_found_and_none_is_not():
    found = planted_power(ROWS, AXIS, NULL, [1, 1.5, 4], rng=0)
    assert found["power"].iloc[-1] == 1 and found["power"].iloc[0] == 0
    assert found["value"].is_monotonic_increasing
