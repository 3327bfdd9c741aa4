"""Power by simulation: closed form against simulation, false alarms, and planted ratios."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.coreference.intervals import gender_intervals
from lib.coreference.scores import gap_scores
from studies.pronoun_resolution.power import (
    cells,
    examples_needed,
    power_curve,
    simulate_ratios,
    worsened,
)
from tests.lib.coreference.synthetic import system

SHARES, ANSWERS, FEMALE, PAGES = system(2000, sharpness=2.2)
SAID = SHARES.argmax(axis=1)


def score(shares):
    """F1 of GAP's scorer on a table of answers by predictions."""
    counts = np.rint(1e6 * np.asarray(shares)).astype(int).ravel()
    answers, said = np.divmod(np.repeat(np.arange(9), counts), 3)
    return gap_scores(said, answers).f1


@given(st.floats(0.3, 1))
@settings(max_examples=20)
def test_flipped_decisions_give_the_wanted_ratio_and_keep_the_answers(ratio):
    before = cells(SAID, ANSWERS)
    after = worsened(before, ratio)
    assert score(after) / score(before) == pytest.approx(ratio, abs=1e-4)
    assert after.sum(axis=1) == pytest.approx(before.sum(axis=1))
    assert (np.diag(after) <= np.diag(before) + 1e-12).all()
    assert (after >= 0).all()


def test_ratios_scatter_around_the_true_one():
    seen = simulate_ratios(SAID, ANSWERS, 0.95, 1000, 1000, rng=0).ratios
    assert np.median(seen) == pytest.approx(0.95, abs=0.002)


def test_false_alarms_are_as_many_as_the_level():
    curve = power_curve(SAID, ANSWERS, ratios=[1], sizes=[380, 1000, 4000], rng=0)
    assert curve[1].to_numpy() == pytest.approx([0.05] * 3, abs=0.012)
    strict = simulate_ratios(SAID, ANSWERS, 1, 1000, 1000, level=0.01, rng=0).rejected.mean()
    assert strict == pytest.approx(0.01, abs=0.006)


def test_power_grows_with_examples_and_with_the_gap():
    curve = power_curve(SAID, ANSWERS, rng=0)
    assert (curve[[0.97, 0.95]].diff().dropna() >= -0.01).all(axis=None)
    assert (curve.diff(axis=1).drop(columns=1.0) >= 0).all(axis=None)


@pytest.mark.parametrize("ratio", [0.99, 0.97, 0.95])
@pytest.mark.parametrize("power", [0.5, 0.8])
def test_the_closed_form_gives_the_power_that_simulation_finds(ratio, power):
    n = examples_needed(SAID, ANSWERS, ratio, power=power)
    seen = simulate_ratios(SAID, ANSWERS, ratio, n, n, rng=0).rejected.mean()
    assert seen == pytest.approx(power, abs=0.03)


def test_drawn_counts_scatter_as_the_bootstrap_of_rows_does():
    interval = gender_intervals(SHARES, ANSWERS, FEMALE, n_resamples=8000, rng=0).loc["F1"]
    width = interval.loc["ratio", "high"] - interval.loc["ratio", "low"]
    seen = simulate_ratios(SAID, ANSWERS, 1, 1000, 1000, n_simulations=8000, rng=0).ratios
    assert np.ptp(np.quantile(seen, [0.025, 0.975])) == pytest.approx(width, rel=0.08)


@pytest.mark.sample
def test_the_released_blend_needs_what_the_chapter_says():
    from studies.pronoun_resolution.released import ionita_systems, passages

    blend = next(one for one in ionita_systems("gap_test") if one.name == "blend")
    known = blend.probabilities.argmax(axis=1), passages("gap_test").answers
    assert [examples_needed(*known, ratio) for ratio in (0.99, 0.97, 0.95)] == [15502, 1891, 742]
