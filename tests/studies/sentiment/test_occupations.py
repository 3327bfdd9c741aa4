"""The regression on two statistics of occupations: known slopes, its peer, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LinearRegression

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


def test_an_exact_plane_comes_back():
    known = pd.DataFrame({"women": [0.0, 1, 0, 1, 2, 0], "pay": [0.0, 0, 1, 1, 0, 2]})
    outcome = 3 * known["women"] - 2 * known["pay"] + 7
    found = joint_regression(outcome, known)
    scale = known.std() / outcome.std()
    np.testing.assert_allclose(found.table["joint"], [3 * scale["women"], -2 * scale["pay"]])
    assert found.n == 6


def test_slopes_are_those_of_sklearn_on_standard_scores():
    outcome, known = items()
    scores = (known - known.mean()) / known.std()
    peer = LinearRegression().fit(scores, (outcome - outcome.mean()) / np.std(outcome, ddof=1))
    found = joint_regression(pd.Series(outcome), known)
    np.testing.assert_allclose(found.table["joint"], peer.coef_)
    assert found.between == pytest.approx(stats.pearsonr(known["women"], known["pay"])[0])
    assert found.table.loc["women", "alone"] == pytest.approx(
        stats.pearsonr(known["women"], outcome)[0]
    )


def test_intervals_and_p_are_those_of_a_formula_on_raw_values():
    outcome, known = items()
    peer = smf.ols("outcome ~ women + pay", known.assign(outcome=outcome)).fit()
    found = joint_regression(pd.Series(outcome), known).table
    np.testing.assert_allclose(found["p"], peer.pvalues[["women", "pay"]])
    scale = (known.std() / np.std(outcome, ddof=1)).to_numpy()[:, None]
    np.testing.assert_allclose(
        found[["low", "high"]], peer.conf_int().loc[["women", "pay"]].to_numpy() * scale
    )


@settings(max_examples=10)
@given(st.floats(0.1, 100), st.floats(-100, 100))
def test_units_are_no_matter(scale, shift):
    outcome, known = items()
    one = joint_regression(pd.Series(outcome), known)
    other = joint_regression(pd.Series(outcome), known.assign(pay=known["pay"] * scale + shift))
    np.testing.assert_allclose(one.table, other.table, rtol=1e-6, atol=1e-9)


def test_items_without_a_number_are_left_out():
    outcome, known = items()
    known.loc[3, "pay"] = np.nan
    found = joint_regression(pd.Series(outcome), known)
    rest = known.drop(index=3)
    expected = joint_regression(pd.Series(outcome).drop(index=3), rest)
    assert found.n == 29
    pd.testing.assert_frame_equal(found.table, expected.table)


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
