"""A few studies as one: the variance between them as statsmodels has it, and intervals that hold the truth."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from lib.inference.grouped import pooled_correlation
from studies.predictive_validity.pooled import (
    pooled_by_normal,
    pooled_by_t,
    share_covered,
    study_estimates,
)

Z, VARIANCES = np.array([0.1, 0.9, -0.4]), np.array([0.25, 0.2, 0.1])


@pytest.mark.parametrize("scale", [1.0, 0.05])
def test_the_normal_interval_is_that_of_statsmodels(scale):
    row = combine_effects(scale * Z, VARIANCES, method_re="iterated").summary_frame()
    expected = np.tanh(row.loc["random effect", ["eff", "ci_low", "ci_upp"]].to_numpy(float))
    assert np.allclose(pooled_by_normal(scale * Z, VARIANCES), expected, atol=1e-5)


def test_by_t_the_same_error_reaches_as_far_as_the_studies_are_few():
    for z in (Z, 0.05 * Z):
        mean, low, high = np.arctanh(pooled_by_t(z, VARIANCES))
        _, narrow, _ = np.arctanh(pooled_by_normal(z, VARIANCES))
        ratio = stats.t.ppf(0.975, 2) / stats.norm.ppf(0.975)
        assert mean - low == pytest.approx(ratio * (mean - narrow), rel=1e-6)
        assert high - mean == pytest.approx(mean - low)


def test_many_draws_at_once_are_each_as_alone():
    draws = np.stack([Z, 0.05 * Z, Z + 1])
    together = pooled_by_t(draws, VARIANCES)
    for place, z in enumerate(draws):
        assert np.allclose([end[place] for end in together], pooled_by_t(z, VARIANCES))


def test_studies_that_differ_are_covered_by_t_and_not_by_the_normal_distribution():
    alike, apart = share_covered(4, 7, 0.0, rng=0), share_covered(4, 7, 1.0, rng=0)
    assert alike[0] > 0.94 and apart[0] < 0.9 and apart[1] > 0.94
    assert share_covered(2, 7, 1.0, rng=0)[0] == pytest.approx(0.79, abs=0.03)


def test_estimates_of_studies_are_what_is_pooled():
    rng = np.random.default_rng(0)
    points = pd.DataFrame(
        {
            "vectors": np.repeat(["a", "b", "c"], [7, 9, 2]),
            "method": None,
            "test": "6",
            "metric": "Recall",
            "number": [*range(7), *range(9), 0, 1],
            "effect": rng.standard_normal(18),
            "gap": rng.standard_normal(18),
        }
    )
    alone = study_estimates(points)
    assert np.allclose(1 / alone["variance"], [4, 6])
    whole = pooled_correlation(points, n_resamples=1, rng=0)
    assert np.allclose(
        pooled_by_normal(alone["z"], alone["variance"]), [whole.r, whole.low, whole.high], atol=1e-5
    )


@pytest.mark.parametrize(("z", "variances"), [([0.1], [1.0]), ([0.1, 0.2], [1.0, 0.0]), (Z, [1.0])])
def test_one_study_and_other_lengths_are_refused(z, variances):
    with pytest.raises(ValueError, match="expected two studies or more"):
        pooled_by_t(z, variances)
