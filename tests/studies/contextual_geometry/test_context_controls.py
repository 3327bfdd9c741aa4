"""Controls in context: means over sentences, contrasts of one pair, and a lean that is planted and found."""

import numpy as np
import pytest

from lib.measures.geometry import absolute_cosine
from studies.contextual_geometry.context_controls import (
    against_as_many,
    one_pair_biases,
    planted_labels,
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


def test_the_mean_of_pairs_is_set_beside_means_of_as_many_random_pairs():
    null = np.random.default_rng(0).standard_normal(400)
    assert against_as_many([0.0] * 4, null, 4, rng=0) == pytest.approx(0.5, abs=0.08)
    one, five = (against_as_many([1.0], null, size, rng=0) for size in (1, 5))
    assert one == pytest.approx(0.16, abs=0.04) and five < 0.03
    assert against_as_many([9.0], null, 5, draws=99, rng=0) == 0.01
    assert against_as_many([1.0], np.ones(9), 3, rng=0) == 1  # at the ceiling nothing stands out


def test_pairs_drawn_as_the_null_is_stand_out_as_often_as_the_level_says():
    rng = np.random.default_rng(0)
    null = rng.standard_normal(300)
    found = [against_as_many(rng.choice(null, 5), null, 5, draws=400, rng=0) for _ in range(400)]
    assert np.mean(np.array(found) <= 0.025) == pytest.approx(0.025, abs=0.02)


@pytest.mark.parametrize(
    ("values", "null", "size"), [([], [1, 2], 1), ([1], [1], 1), ([1], [1, 2], 0)]
)
def test_nothing_to_compare_is_refused(values, null, size):
    with pytest.raises(ValueError, match="expected values, two or more"):
        against_as_many(values, null, size)


@pytest.mark.parametrize("probe", ["clustering", "classification"])
def test_a_large_lean_planted_in_words_is_told_apart_and_none_is_not(probe):
    rng = np.random.default_rng(0)
    of = {
        name: rng.standard_normal((n, 2, 16)) for name, n in dict(a=3, b=3, q=20, j=4, m=80).items()
    }
    space = ContextSpace((of["a"], of["b"]), of["q"], of["j"], pool=of["m"])
    space.draw_sentences(2, rng)
    pairs = [(row, row + 1) for row in range(15)]
    found = planted_labels(space, probe, [1, 8], size=10, null_pairs=pairs, plantings=3, rng=0)
    assert found["power"].tolist()[1] == 1 and found["power"].tolist()[0] < 1
    assert found["value"].iloc[1] > found["null"].iloc[1] and found["value"].iloc[1] > 0.9
