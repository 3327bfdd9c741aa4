"""Power by simulation: closed form against simulation, false alarms, and planted ratios."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
@settings(max_examples=8)
def test_flipped_decisions_give_the_wanted_ratio_and_keep_the_answers(ratio):
    before = cells(SAID, ANSWERS)
    after = worsened(before, ratio)
    assert score(after) / score(before) == pytest.approx(ratio, abs=1e-4)
    assert after.sum(axis=1) == pytest.approx(before.sum(axis=1))
    assert (np.diag(after) <= np.diag(before) + 1e-12).all()
    assert (after >= 0).all()


def test_false_alarms_are_as_many_as_the_level():
    curve = power_curve(SAID, ANSWERS, ratios=[1], sizes=[380, 1000, 4000], rng=0)
    assert curve[1].to_numpy() == pytest.approx([0.05] * 3, abs=0.012)
    strict = simulate_ratios(SAID, ANSWERS, 1, 1000, 1000, level=0.01, rng=0).rejected.mean()
    assert strict == pytest.approx(0.01, abs=0.006)


@pytest.mark.parametrize(("ratio", "power"), [(0.97, 0.5), (0.95, 0.8)])
def test_the_closed_form_gives_the_power_that_simulation_finds(ratio, power):
    n = examples_needed(SAID, ANSWERS, ratio, power=power)
    seen = simulate_ratios(SAID, ANSWERS, ratio, n, n, rng=0).rejected.mean()
    assert seen == pytest.approx(power, abs=0.03)


@pytest.mark.sample
def test_the_released_blend_needs_what_the_chapter_says():
    from studies.pronoun_resolution.released import ionita_systems, passages

    blend = next(one for one in ionita_systems("gap_test") if one.name == "blend")
    known = blend.probabilities.argmax(axis=1), passages("gap_test").answers
    assert [examples_needed(*known, ratio) for ratio in (0.99, 0.97, 0.95)] == [15502, 1891, 742]
