"""Controls in context: means over sentences, contrasts of one pair, and a lean that is planted and found."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.measures.geometry import absolute_cosine
from studies.contextual_geometry.context_controls import (
    averaged,
    detection_limit,
    label_values,
    one_pair_biases,
    planted_power,
    random_contrasts,
)
from studies.contextual_geometry.context_probes import ContextSpace, label_probe

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


def test_the_mean_over_sentences_is_one_sentence(space):
    mean = averaged(space)
    assert np.allclose(mean.pairs[1][:, 0], space.pairs[1].mean(axis=1))
    assert np.allclose(mean.plurals[:, 0], space.plurals.mean(axis=1))
    assert mean.pool.shape == (10, 1, 8) and not mean.drawn


def test_a_space_without_a_pool_has_none_averaged(space):
    space.pool = None
    assert averaged(space).pool is None


def test_static_rows_averaged_stay_as_they_are(space):
    once = averaged(space)
    assert np.array_equal(averaged(once).jobs, once.jobs)


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


def test_nothing_planted_is_direct_bias_as_it_is():
    found = planted_power(ROWS, AXIS, NULL, [1.0]).loc[1.0]
    value, null = absolute_cosine(ROWS, AXIS)[0], absolute_cosine(ROWS, NULL)
    assert found["value"] == pytest.approx(value)
    assert found["null high"] == pytest.approx(np.quantile(null, 0.975))
    assert found["below"] == pytest.approx((null < value).mean())


def test_the_planted_spread_is_the_one_asked_for():
    """With an axis beside all words, the mean size of the cosine has a closed form."""
    rows = np.c_[np.random.default_rng(4).standard_normal(20_000) / 1000, np.ones(20_000)]
    found = planted_power(rows, [1, 0], [[0, 1]], [1, 10], rng=0)["value"]
    assert found[10] / found[1] == pytest.approx(10, rel=0.02)


def test_a_large_lean_is_found_and_none_is_not():
    found = planted_power(ROWS, AXIS, NULL, [1, 1.5, 4], rng=0)
    assert found["power"].iloc[-1] == 1 and found["power"].iloc[0] == 0
    assert found["value"].is_monotonic_increasing


@given(scale=st.floats(0.01, 100))
def test_power_does_not_depend_on_lengths(scale):
    once = planted_power(ROWS, AXIS, NULL, [1, 1.5], draws=3, rng=0)
    again = planted_power(scale * ROWS, -scale * AXIS, NULL * 2, [1, 1.5], draws=3, rng=0)
    assert once["null high"].iloc[0] == pytest.approx(again["null high"].iloc[0])
    assert once["value"].iloc[0] == pytest.approx(again["value"].iloc[0])


def test_the_limit_is_where_power_stays():
    power = pd.Series([0, 0.85, 0.6, 0.8, 1.0], index=[1, 1.2, 1.4, 1.6, 2])
    assert detection_limit(power) == 1.6 and detection_limit(power, 0.5) == 1.2
    assert detection_limit(power[:3]) == np.inf


def test_each_contrast_is_read_in_a_draw_of_its_own(space):
    space.draw_sentences(2, np.random.default_rng(0))
    space.find_neighbours(3)
    found = label_values("neighbours", space, space, "gender", [[0], [1], [2]])
    by_hand = [
        label_probe("neighbours", space, space, "gender", [place], place) for place in range(3)
    ]
    assert found.tolist() == by_hand
