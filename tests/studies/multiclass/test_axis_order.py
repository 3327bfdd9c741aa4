"""One axis asked for size and for order: an offset moves the first, never the second."""

import numpy as np
import pytest
from scipy import stats

from studies.multiclass.axis_order import rank_correlations, size_and_order

rng = np.random.default_rng(0)
FACT = np.linspace(0, 1, 30)
AXES = rng.standard_normal((400, 2, 40))


def test_correlations_of_all_rows_are_those_of_scipy():
    rows, fact = rng.integers(0, 5, (6, 12)), rng.integers(0, 4, 12)
    each = [stats.spearmanr(row, fact).statistic for row in rows]
    assert np.allclose(rank_correlations(rows, fact), each)


def planted(strength, noise=1.0):
    """Words that lie on an axis in the order of FACT, among other directions."""
    words = noise * rng.standard_normal((30, 40))
    words[:, 0] += strength * (FACT - 0.5)
    return words, np.stack([np.eye(40)[0], np.zeros(40)])


def test_a_planted_order_is_seen():
    words, axis = planted(10)
    found = size_and_order(words, FACT, axis, AXES, rng=0)
    assert found.order_seen and found.order_p < 0.01
    assert found.low < found.rho < found.high or found.rho == pytest.approx(1)


def test_size_can_be_seen_without_order():
    words, axis = planted(0)
    words[:, 0] += 5  # all lean one way
    found = size_and_order(words, FACT, axis, AXES, rng=0)
    assert found.size_p < 0.01 and not found.order_seen


def test_random_axes_are_found_in_five_percent_of_tests():
    """Where the axis is itself a random one, both p-values reject 5 %."""
    words = rng.standard_normal((30, 40)) @ np.diag(np.linspace(0.2, 2, 40))
    drawn = dict(n_resamples=5, rng=0)
    found = [size_and_order(words, FACT, axis, AXES, **drawn) for axis in AXES]
    for p in ([f.order_p for f in found], [f.size_p for f in found]):
        assert 0.03 < np.mean(np.array(p) <= 0.05) < 0.07
