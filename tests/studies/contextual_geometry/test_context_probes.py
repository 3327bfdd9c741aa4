"""Probes in context: what a planted contrast gives, what is drawn, and which of two spaces is lower."""

import functools

import numpy as np
import pytest

from lib.debiasing.projection import principal_directions
from studies.contextual_geometry.context_probes import (
    ContextSpace,
    label_probe,
    one_sentence,
    order,
    order_beside_nulls,
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


def test_random_pairs_do_not(space):
    shares, _ = swap_probes(space, "random", 50, FIRST, rng=np.random.default_rng(0))
    assert shares[:, 0].max() < 0.9 and np.allclose(shares.sum(axis=1).max(), 1, atol=0.5)


def test_plurals_that_all_differ_alike_fill_it_too(space):
    shares, _ = swap_probes(space, "plurals", 5, FIRST, rng=np.random.default_rng(0))
    assert np.allclose(shares[:, 0], 1)


def test_a_drawn_sentence_and_the_mean_of_the_others_make_the_whole():
    vectors = np.random.default_rng(0).standard_normal((5, 3, 2))
    taken, rest = one_sentence(vectors, np.random.default_rng(1))
    assert np.allclose(taken + 2 * rest, vectors.sum(axis=1))
    assert np.array_equal(*one_sentence(vectors[:, :1], np.random.default_rng(1)))


def test_static_rows_are_drawn_once(space):
    static = ContextSpace(space.pairs, space.persons, space.jobs[:, :1])
    static.draw_sentences(5, np.random.default_rng(0))
    assert len(static.drawn["jobs"]) == 1 and "pool" not in static.drawn


@pytest.mark.parametrize("probe", ["clustering", "classification", "neighbours"])
@pytest.mark.parametrize(("kind", "pair"), [("gender", [0]), ("random", [3, 9]), ("plurals", [2])])
def test_probes_are_shares_or_correlations_and_the_same_each_time(probe, kind, pair, space):
    value = label_probe(probe, space, space, kind, pair, 2, size=10)
    assert -1 <= value <= 1
    assert value == label_probe(probe, space, space, kind, pair, 2, size=10)


def test_centring_takes_the_mean_out_of_the_professions_alone(space):
    centred = space.centred()
    assert np.allclose(centred.drawn["jobs"][0][0].mean(axis=0), 0)
    assert centred.drawn["pool"] is space.drawn["pool"]


def test_draws_that_overlap_decide_nothing():
    assert order({"low": 1, "high": 3}, {"low": 2, "high": 4}) == "not decided"
    assert order({"low": 1, "high": 2}, {"low": 3, "high": 4}) == "higher"


def test_beside_the_nulls_multiples_and_deviations_must_agree():
    row = {"low": 2.0, "high": 3.0, "null": 1.0, "distance low": 2.0, "distance high": 3.0}
    more = row | {"low": 8.0, "high": 9.0}
    assert order_beside_nulls(row, more) == "not decided"
    assert order_beside_nulls(row, more | {"distance low": 5.0, "distance high": 6.0}) == "higher"
