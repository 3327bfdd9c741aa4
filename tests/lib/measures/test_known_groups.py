"""Lists whose order is known: closed forms, coverage, and what is refused."""

import numpy as np
import pytest
from scipy import stats

from lib.measures.known_groups import separation


def test_signs_are_counted_at_zero_and_the_auc_is_not():
    result = separation([[-1.0], [-2.0]], [[-3.0], [-4.0]], rng=0)
    assert (result.auc, result.signs) == (1.0, 0.5)


def test_the_interval_of_an_auc_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(1)
    truth = stats.norm.cdf(1 / np.sqrt(2))
    hits = 0
    for _ in range(150):
        first, second = rng.standard_normal((2, 20, 1))
        found = separation(first + 1, second, n_resamples=300, rng=rng)
        hits += found.low <= truth <= found.high
    assert 0.87 <= hits / 150 <= 1


@pytest.mark.parametrize(
    "first, second, message",
    [
        ([[np.nan]], [[1.0]], "finite"),
    ],
)
def test_bad_input_is_refused(first, second, message):
    with pytest.raises(ValueError, match=message):
        separation(first, second)
