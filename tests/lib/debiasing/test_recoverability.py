"""Recoverability: chosen words, a contrast that is gone or not, random pairs, and what bad input says."""

import numpy as np
import pytest

from lib.debiasing import apply, conceptor, negation
from lib.debiasing.recoverability import (
    Recovered,
    contrast_recoverability,
    extremes,
    pair_conceptor,
    pair_projection,
    random_pairs,
    recoverability,
    recoverability_beside_random,
)

RNG = np.random.default_rng(0)


def two_groups(apart, n=40, d=10):
    """n + n points whose first coordinate differs by `apart` deviations."""
    labels = np.arange(2 * n) < n
    points = np.random.default_rng(1).standard_normal((2 * n, d)) + 5
    points[:, 0] += apart * labels
    return points, labels


def vocabulary(copies, n=400, d=12):
    """Words along one contrast, which shows in so many coordinates; rows 0 and 1 are its poles."""
    rows = np.random.default_rng(2).standard_normal((n, d))
    lean = np.random.default_rng(3).standard_normal(n)
    rows[:, :copies] += 3 * lean[:, None]
    rows[0], rows[1] = np.eye(d)[0] * 4, -np.eye(d)[0] * 4
    return rows


def nothing(first, second):
    return lambda words: words


def test_extremes_are_the_ends_highest_first_then_lowest():
    rows, labels = extremes([0.1, 3, -2, 5, -7, 0], 2)
    assert rows.tolist() == [3, 1, 4, 2]
    assert labels.tolist() == [True, True, False, False]


def test_extremes_pass_over_words_left_out():
    rows, _ = extremes([0.1, 3, -2, 5, -7, 0], 1, leave_out=[3, 4])
    assert rows.tolist() == [1, 2]


def test_groups_far_apart_are_told_apart_and_equal_groups_are_not():
    apart = recoverability(*two_groups(30), rng=0)
    assert apart == Recovered(1.0, 1.0)
    alike = recoverability(*two_groups(0), rng=0)
    assert 0.5 <= alike.clusters < 0.7
    assert 0.3 < alike.classifier < 0.7


def test_length_of_vectors_does_not_count():
    points, labels = two_groups(2)
    scaled = points * np.linspace(0.5, 3, len(points))[:, None]
    assert recoverability(points, labels, rng=0) == recoverability(scaled, labels, rng=0)


def test_the_same_seed_gives_the_same_result():
    assert recoverability(*two_groups(1), rng=5) == recoverability(*two_groups(1), rng=5)


def test_a_contrast_in_one_direction_is_gone_after_projection():
    before, after = contrast_recoverability(
        vocabulary(1), [0], [1], [nothing, pair_projection], k=60, rng=0
    )
    assert before.classifier > 0.95
    assert after.classifier < 0.65


def test_a_contrast_that_shows_elsewhere_too_is_still_found():
    before, after = contrast_recoverability(
        vocabulary(4), [0], [1], [nothing, pair_projection], k=60, rng=0
    )
    assert before.classifier > 0.95
    assert after.classifier > 0.9


def test_the_words_of_the_contrast_are_never_among_those_told_apart():
    seen = []

    def remember(first, second):
        return lambda words: seen.append(words) or words

    rows = vocabulary(1)
    contrast_recoverability(rows, [0], [1], [remember], k=60, leave_out=[2], rng=0)
    assert not any((word == rows[row]).all() for word in seen[0] for row in (0, 1, 2))


def test_random_pairs_differ_within_a_draw_and_leave_words_out():
    drawn = random_pairs(30, 50, 5, leave_out=range(10), rng=0)
    assert drawn.shape == (50, 2, 5)
    assert drawn.min() >= 10
    assert all(len(set(draw.ravel())) == 10 for draw in drawn)
    assert np.array_equal(drawn, random_pairs(30, 50, 5, leave_out=range(10), rng=0))


def test_the_two_methods_are_projection_and_the_negated_conceptor_of_both_sides():
    first, second, words = np.random.default_rng(4).standard_normal((3, 4, 12))
    assert pair_projection(first, second)(words) @ (first - second).T == pytest.approx(
        np.zeros((4, 4)), abs=1e-9
    )
    negated = apply(negation(conceptor(np.concatenate([first, second]), 2)), words)
    changed = pair_conceptor(first, second, aperture=2)(words)
    assert changed == pytest.approx(negated, abs=1e-5)


def test_a_contrast_stands_beside_random_ones_treated_alike():
    words, how = vocabulary(1), dict(k=60, rng=0)
    methods = {"projected out": pair_projection, "nothing": nothing}
    table = recoverability_beside_random(words, [0], [1], methods, draws=9, **how)
    assert table[["treatment", "measure"]].to_numpy().tolist() == [
        [method, measure] for method in methods for measure in ("clusters", "classifier")
    ]
    alone = contrast_recoverability(words, [0], [1], list(methods.values()), **how)
    assert table["real"].tolist() == [
        share for found in alone for share in (found.clusters, found.classifier)
    ]
    assert (table["without"] == table["real"]).all()  # nothing specific was left out
    assert (table["null low"] <= table["median"]).all()
    assert (table["median"] <= table["null high"]).all()
    assert table["beyond"].between(1 / 10, 1).all()
    projected = table.set_index(["treatment", "measure"]).loc[("projected out", "classifier")]
    assert projected["beyond"] == 1  # one coordinate held it: any random contrast leaves more


POINTS, LABELS = two_groups(1, n=6)
REFUSED = {
    "too many words": (lambda: extremes([1, 2, 3], 2), ["1 to 1", "3 words", "got 2"]),
    "no words": (lambda: extremes([1, 2, 3], 0), ["1 to 1", "got 0"]),
    "all words left out": (lambda: extremes([1, 2], 1, leave_out=[0, 1]), ["0 words"]),
    "labels of another number": (lambda: recoverability(POINTS, LABELS[:-1]), []),
    "one group": (lambda: recoverability(POINTS, np.ones(12)), []),
    "sides of two sizes": (
        lambda: contrast_recoverability(POINTS, [0, 1], [2], [nothing]),
        ["pairs", "2 and 1"],
    ),
    "no pair": (lambda: contrast_recoverability(POINTS, [], [], [nothing]), ["pairs", "0 and 0"]),
    "too few words to draw": (lambda: random_pairs(5, 10, 3), ["6 words", "got 5"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case, refuses):
    refuses(*REFUSED[case])


def test_importing_loads_no_learning_library(loaded_by):
    assert loaded_by("lib.debiasing.recoverability", ["sklearn", "torch", "transformers"]) == []
