"""The regression on two statistics of occupations: known slopes, its peer, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy import stats

from studies.sentiment.occupations import (
    CENSUS,
    joint_regression,
    occupation_statistics,
    smallest_correlation,
)


def items(n=30, seed=0):
    """An outcome and two predictors that go together."""
    rng = np.random.default_rng(seed)
    women = rng.random(n)
    pay = 6 - women + 0.5 * rng.standard_normal(n)
    known = pd.DataFrame({"women": women, "pay": pay})
    return 2 * women + 0.3 * pay + 0.4 * rng.standard_normal(n), known


def test_intervals_and_p_are_those_of_a_formula_on_raw_values():
    outcome, known = items()
    peer = smf.ols("outcome ~ women + pay", known.assign(outcome=outcome)).fit()
    found = joint_regression(pd.Series(outcome), known).table
    np.testing.assert_allclose(found["p"], peer.pvalues[["women", "pay"]])
    scale = (known.std() / np.std(outcome, ddof=1)).to_numpy()[:, None]
    np.testing.assert_allclose(
        found[["low", "high"]], peer.conf_int().loc[["women", "pay"]].to_numpy() * scale
    )


def test_the_smallest_correlation_is_found_as_often_as_it_says():
    n, rng = 20, np.random.default_rng(0)
    r = smallest_correlation(n)
    first, noise = rng.standard_normal((2, 4000, n))
    second = r * first + np.sqrt(1 - r**2) * noise
    found = stats.pearsonr(first, second, axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.sample("gsent_plot_data", "winogender_occupations_stats", "occ_male_share_acs2012")
def test_statistics_of_the_occupations():
    found = occupation_statistics()
    assert len(found) == 20
    assert found["women"].dropna().between(0, 1).all()
    assert (found["women"].notna() == (found["source"] != "")).all()
    assert found.loc["nurse", "women"] > 0.8 > 0.2 > found.loc["mechanic", "women"]
    assert set(CENSUS) <= set(found.index)
