"""Probes in context: what a planted contrast gives, what is drawn, and which of two spaces is lower."""

import functools

import numpy as np
import pytest

from lib.debiasing.projection import principal_directions
from studies.contextual_geometry.context_probes import (
    ContextSpace,
    one_sentence,
    order,
    swap_probes,
)

FIRST = functools.partial(principal_directions, centred=False)


@pytest.fixture
def space():
    """Eight dimensions, of which the first alone tells the pairs apart; three sentences for each word."""
    rng = np.random.default_rng(0)
    male = rng.standard_normal((4, 3, 8))
    away = np.zeros(8)
    away[0] = 5
    persons, jobs, pool = (rng.standard_normal((n, 3, 8)) for n in (20, 12, 40))
    plurals = persons[:6] + rng.standard_normal(8)
    made = ContextSpace((male + away, male), persons, jobs, plurals, range(6), pool)
    made.draw_sentences(5, np.random.default_rng(1))
    made.find_neighbours(3)
    return made


def test_swaps_that_all_go_one_way_fill_the_first_component(space):
    shares, bias = swap_probes(space, "gender", 5, FIRST, rng=np.random.default_rng(0))
    assert np.allclose(shares[:, 0], 1) and shares.shape == (5, 4)
    jobs = space.drawn["jobs"][0][0]
    assert bias[0] == pytest.approx(np.abs(jobs[:, 0] / np.linalg.norm(jobs, axis=1)).mean())


def test_a_drawn_sentence_and_the_mean_of_the_others_make_the_whole():
    vectors = np.random.default_rng(0).standard_normal((5, 3, 2))
    taken, rest = one_sentence(vectors, np.random.default_rng(1))
    assert np.allclose(taken + 2 * rest, vectors.sum(axis=1))
    assert np.array_equal(*one_sentence(vectors[:, :1], np.random.default_rng(1)))


def test_draws_that_overlap_decide_nothing():
    assert order({"low": 1, "high": 3}, {"low": 2, "high": 4}) == "not decided"
    assert order({"low": 1, "high": 2}, {"low": 3, "high": 4}) == "higher"
