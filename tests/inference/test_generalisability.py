"""Variance components, generalisability and clustered intervals: closed forms, recovery from simulations, bad input."""

import numpy as np
import pandas as pd
import pytest

from lib.association import effect_size
from lib.inference.generalisability import (
    clustered_share,
    effect_interval,
    generalisability,
    variance_components,
)

NAMES = [
    "word",
    "template",
    "pair",
    "word × template",
    "word × pair",
    "template × pair",
    "word × template × pair",
]


def crossed(n, t, p, deviations, seed=0):
    """Scores made of seven independent normal effects with the given standard deviations, in the order of NAMES."""
    rng = np.random.default_rng(seed)
    shapes = [(n, 1, 1), (1, t, 1), (1, 1, p), (n, t, 1), (n, 1, p), (1, t, p), (n, t, p)]
    return sum(
        deviation * rng.standard_normal(shape) for deviation, shape in zip(deviations, shapes)
    )


def test_scores_that_depend_on_the_word_alone_have_one_component():
    scores = np.broadcast_to(np.array([0.0, 2.0, 4.0])[:, None, None], (3, 4, 2))
    found = variance_components(scores)
    assert list(found.index) == NAMES
    assert found["word"] == pytest.approx(4)  # the sample variance of 0, 2, 4
    assert found.drop("word").to_numpy() == pytest.approx(0, abs=1e-12)
    assert generalisability(found, 1, 1) == pytest.approx(1)


def test_components_are_recovered_from_a_simulated_crossed_design():
    deviations = [2.0, 1.0, 0.5, 0.8, 0.6, 0.4, 0.7]
    runs = [variance_components(crossed(40, 12, 8, deviations, seed)) for seed in range(60)]
    mean = pd.DataFrame(runs).mean()
    assert mean.to_numpy() == pytest.approx(np.square(deviations), rel=0.15)


def test_components_do_not_depend_on_the_order_of_items_and_scale_with_the_square():
    scores = crossed(6, 5, 4, [1.0] * 7)
    found = variance_components(scores)
    shuffled = scores[::-1][:, [2, 0, 4, 1, 3]][:, :, [3, 1, 0, 2]]
    assert variance_components(shuffled).to_numpy() == pytest.approx(found.to_numpy())
    assert variance_components(3 * scores + 7).to_numpy() == pytest.approx(9 * found.to_numpy())


def test_generalisability_grows_with_templates_and_ignores_what_moves_all_words_alike():
    components = pd.Series([1.0, 9.0, 9.0, 2.0, 1.0, 9.0, 4.0], NAMES)
    assert generalisability(components, 1, 1) == pytest.approx(1 / 8)
    assert generalisability(components, 4, 2) == pytest.approx(1 / (1 + 0.5 + 0.5 + 0.5))
    assert np.isnan(generalisability(pd.Series(0.0, NAMES), 1, 1))


def test_a_share_of_clusters_of_one_is_the_binomial_bootstrap():
    rng = np.random.default_rng(1)
    leans = rng.random(400) < 0.3
    share, low, high = clustered_share(leans, rows=np.arange(400), resamples=4000, rng=0)
    half = 1.96 * np.sqrt(share * (1 - share) / 400)
    assert share == leans.mean()
    assert (low, high) == pytest.approx((share - half, share + half), abs=0.008)


def test_items_that_say_the_same_in_a_cluster_widen_the_interval():
    rng = np.random.default_rng(1)
    one_a_cluster = rng.random(40) < 0.5
    copied, labels = np.repeat(one_a_cluster, 10), np.repeat(np.arange(40), 10)
    wide = clustered_share(copied, rows=labels, rng=0)
    narrow = clustered_share(copied, rows=np.arange(400), rng=0)
    assert wide[0] == narrow[0]
    assert wide[2] - wide[1] > 2.5 * (narrow[2] - narrow[1])


def test_both_sides_drawn_give_the_widest_interval():
    rng = np.random.default_rng(3)
    leans = (
        rng.normal(size=(30, 1)) + rng.normal(size=(1, 12)) + 0.5 * rng.normal(size=(30, 12))
    ) > 0
    items, templates = np.arange(30), np.arange(12)
    widths = [
        np.subtract(*clustered_share(leans, rng=0, **sides)[:0:-1])
        for sides in (
            {"rows": items},
            {"columns": templates},
            {"rows": items, "columns": templates},
        )
    ]
    assert widths[2] > max(widths[:2])


def test_a_share_is_the_same_for_the_same_seed_and_shares_of_0_and_1_have_no_width():
    leans = np.arange(12).reshape(6, 2) % 3 == 0
    assert clustered_share(leans, rows=list("aabbcc"), rng=5) == clustered_share(
        leans, rows=list("aabbcc"), rng=5
    )
    assert clustered_share(np.ones(9, bool), rows=np.arange(9)) == (1, 1, 1)


def test_the_interval_of_an_effect_holds_it_and_turns_with_the_lists():
    rng = np.random.default_rng(0)
    x, y = rng.normal(1, 1, 25), rng.normal(0, 1, 20)
    low, high = effect_interval(x, y, rng=0)
    assert low < effect_size(x, y) < high
    turned = effect_interval(y, x, rng=0)
    assert turned == pytest.approx((-high, -low), abs=0.06)


GOOD = pd.Series(1.0, NAMES)
BAD = {
    "a table of two sides": (
        lambda: variance_components(np.ones((3, 4))),
        ["(words, templates, pairs)", "(3, 4)"],
    ),
    "one template": (lambda: variance_components(np.ones((3, 1, 4))), ["two or more", "(3, 1, 4)"]),
    "NaN": (lambda: variance_components(np.full((2, 2, 2), np.nan)), ["finite", "NaN", "leave"]),
    "no template to average": (lambda: generalisability(GOOD, 0, 1), ["1 or more", "got 0"]),
    "scores for leans": (
        lambda: clustered_share([0.3, 1], rows=[1, 2]),
        ["True and False", "(2, 1)"],
    ),
    "nothing": (lambda: clustered_share([], rows=[]), ["True and False", "(0, 1)"]),
    "nothing to draw": (
        lambda: clustered_share([True, False]),
        ["rows, the columns or both", "neither"],
    ),
    "too few labels": (
        lambda: clustered_share([True, False], rows=["a"]),
        ["rows: expected 2 labels", "got 1"],
    ),
    "one cluster": (
        lambda: clustered_share([True, False], rows=["a", "a"]),
        ["two clusters", "got 1"],
    ),
    "two scores": (lambda: effect_interval([1, 2], [3, 4, 5]), ["three scores", "got 2 and 3"]),
    "equal scores": (
        lambda: effect_interval([1, 1, 1], [1, 1, 1]),
        ["expected associations that differ"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected(case, refuses):
    refuses(*BAD[case])
