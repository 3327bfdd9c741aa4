"""Categories from clusters: worked by hand, against the exact test, and what must hold for any scores."""

from itertools import combinations

import numpy as np
import pytest

from lib.association import effect_size
from studies.domains.categories import (
    categories,
    category_effects,
    effect_of_sorting,
)


@pytest.fixture
def scored():
    """300 words in 6 clusters, scored in 4 ways."""
    rng = np.random.default_rng(3)
    return rng.normal(size=(300, 4)), rng.integers(0, 6, size=300)


def test_effects_are_those_of_the_association_test_on_the_chosen_words(scored):
    scores, labels = scored
    d = category_effects(scores, scores[:, ::-1], labels)
    for place, (_, high, low) in enumerate(categories(scores, labels)):
        for column in range(4):
            x, y = (scores[rows[:, column], 3 - column] for rows in (high, low))
            assert d[place, column, 0] == pytest.approx(effect_size(x, y))


def test_z_counts_deviations_of_the_statistic_over_all_equal_splits():
    scores = np.random.default_rng(1).normal(size=(10, 1))
    effects = category_effects(
        scores, np.random.default_rng(2).normal(size=(10, 1)), np.zeros(10, int)
    )
    (_, high, low), test = (
        next(categories(scores, np.zeros(10, int))),
        np.random.default_rng(2).normal(size=10),
    )
    words = np.concatenate([test[high[:, 0]], test[low[:, 0]]])
    statistic = words[:5].sum() - words[5:].sum()
    splits = [2 * sum(chosen) - words.sum() for chosen in combinations(words, 5)]
    assert effects[0, 0, 1] == pytest.approx(statistic / np.std(splits))


def test_scores_that_had_no_part_in_the_choice_show_no_effect_on_average():
    rng = np.random.default_rng(5)
    d = category_effects(
        rng.normal(size=(400, 200)), rng.normal(size=(400, 200)), rng.integers(0, 5, size=400)
    )
    assert abs(d[..., 0].mean()) < 0.03 and (d[..., 1] > 3.09).mean() < 0.005


def test_sorted_noise_gives_a_larger_effect_in_a_larger_cluster():
    by_size = [effect_of_sorting(size, rng=0) for size in (20, 40, 74, 1000)]
    assert by_size == sorted(by_size)
    assert by_size[0] == pytest.approx(0) and by_size[-1] < 2
    halves = np.sqrt(2 / np.pi)  # mean distance of a normal number from its median
    expected = 2 * halves / np.sqrt(1 + 1 / 39)
    assert by_size[1] == pytest.approx(expected, abs=0.02)
