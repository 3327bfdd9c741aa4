"""Variance components and generalisability: closed forms, recovery from simulations, bad input."""

import numpy as np
import pandas as pd
import pytest

from lib.inference.generalisability import (
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


GOOD = pd.Series(1.0, NAMES)
BAD = {
    "a table of two sides": (
        lambda: variance_components(np.ones((3, 4))),
        ["(words, templates, pairs)", "(3, 4)"],
    ),
    "one template": (lambda: variance_components(np.ones((3, 1, 4))), ["two or more", "(3, 1, 4)"]),
    "NaN": (lambda: variance_components(np.full((2, 2, 2), np.nan)), ["finite", "NaN", "leave"]),
    "no template to average": (lambda: generalisability(GOOD, 0, 1), ["1 or more", "got 0"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected(case, refuses):
    refuses(*BAD[case])
