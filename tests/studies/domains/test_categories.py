"""Categories from clusters: worked by hand, against the exact test, and what must hold for any scores."""

from itertools import combinations

import numpy as np
import pytest

from lib.association import effect_size
from lib.inference.permutation import partition_test
from studies.domains.categories import (
    categories,
    category_effects,
    clusters,
    effect_of_sorting,
)


@pytest.fixture
def scored():
    """300 words in 6 clusters, scored in 4 ways."""
    rng = np.random.default_rng(3)
    return rng.normal(size=(300, 4)), rng.integers(0, 6, size=300)


def test_a_category_holds_the_most_extreme_words_of_its_cluster():
    scores = np.arange(24.0)[:, None]
    labels = np.r_[np.zeros(12, int), np.ones(12, int)]
    found = list(categories(scores, labels, most=5))
    assert [cluster for cluster, _, _ in found] == [0, 1]
    assert found[0][1][:, 0].tolist() == [11, 10, 9, 8, 7] and found[0][2][:, 0].tolist() == [
        0,
        1,
        2,
        3,
        4,
    ]


def test_a_small_cluster_gives_half_its_words_to_each_side_and_a_tiny_one_nothing():
    labels = np.r_[np.zeros(11, int), np.ones(9, int)]
    found = list(categories(np.random.default_rng(0).normal(size=(20, 2)), labels))
    assert len(found) == 1 and found[0][1].shape == (5, 2)


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


def test_a_category_tested_by_the_scores_that_chose_it_beats_every_other_split(scored):
    scores, labels = scored
    for _, high, low in categories(scores, labels, most=8):
        assert partition_test(scores[high[:, 0], 0], scores[low[:, 0], 0]).pvalue_strict == 0


def test_scores_that_had_no_part_in_the_choice_show_no_effect_on_average():
    rng = np.random.default_rng(5)
    d = category_effects(
        rng.normal(size=(400, 200)), rng.normal(size=(400, 200)), rng.integers(0, 5, size=400)
    )
    assert abs(d[..., 0].mean()) < 0.03 and (d[..., 1] > 3.09).mean() < 0.005


def test_clusters_are_the_same_for_the_same_seed():
    vectors = np.random.default_rng(0).normal(size=(200, 5))
    assert np.array_equal(clusters(vectors, 8, seed=1), clusters(vectors, 8, seed=1))
    assert len(set(clusters(vectors, 8))) == 8


def test_as_printed_a_small_cluster_gives_all_its_words_to_both_sides():
    scores = np.random.default_rng(0).normal(size=(30, 1))
    ((_, high, low),) = categories(scores, np.zeros(30), overlap=True)
    assert high.shape == low.shape == (20, 1)
    assert len(np.intersect1d(high, low)) == 10
    whole = category_effects(scores[:20], scores[:20], np.zeros(20), overlap=True)
    assert whole[0, 0, 0] == pytest.approx(0)


def test_without_a_small_cluster_both_rules_are_one(scored):
    scores, labels = scored
    both = [category_effects(scores, scores, labels, overlap=way) for way in (False, True)]
    assert np.bincount(labels).min() >= 40
    assert both[0] == pytest.approx(both[1])


def test_sorted_noise_gives_a_larger_effect_in_a_larger_cluster():
    by_size = [effect_of_sorting(size, rng=0) for size in (20, 40, 74, 1000)]
    assert by_size == sorted(by_size)
    assert by_size[0] == pytest.approx(0) and by_size[-1] < 2
    halves = np.sqrt(2 / np.pi)  # mean distance of a normal number from its median
    expected = 2 * halves / np.sqrt(1 + 1 / 39)
    assert by_size[1] == pytest.approx(expected, abs=0.02)
