"""The chapter `calibration` on a text and with a measure of one's own."""

import numpy as np
import pytest

from lib.profiles import chapter_entries
from studies.calibration.corpus import Plan
from tests.support.chapter_runs import run_some

LIVE = ["closed-form-sentence", "live-scores", "live-picture", "live-sentence"]
CELLS = ["parameters", "check-parameters", "set-up", "live-text", *LIVE]
PLAN = Plan(sentences=2_000, types=120)


def first_pair(words, female, male):
    return words @ (female[0] - male[0])


@pytest.mark.parametrize(
    ("log_odds", "plan", "said"),
    [
        ([2, 1, 0, -1, -2], PLAN, "Rank correlation with what was planted: counting alone"),
        ([0.0] * 6, PLAN, "it takes three words with different log odds"),
        ([1.0, -1.0], PLAN, "2 target words are in the text, 3 are needed"),
        (list(np.linspace(-2, 2, 40)), Plan(sentences=3, types=120), "write more sentences"),
    ],
)
def test_a_text_of_one_s_own_is_scored_or_it_is_said_what_it_lacks(log_odds, plan, said):
    assert "calibration" in chapter_entries("embedded")
    given = {"log_odds": log_odds, "plan": plan, "own_measure": first_pair}
    assert said in run_some("calibration", CELLS, **given).text
