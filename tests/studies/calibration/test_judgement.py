"""Marks: beside counting in the same text, and three answers, on numbers that can be counted by hand."""

import pandas as pd
import pytest

from studies.calibration.judgement import NO, OPEN, YES, as_table, judgement, of_ceiling, state


def row(condition, measure, statistic, mean=0.5, sd=0.01, n=15, rejected=0):
    about = {"condition": condition, "space": "counts", "measure": measure, "statistic": statistic}
    return about | {"n": n, "mean": mean, "sd": sd, "rejected": rejected}


def counted(signed, unsigned=0.8):
    return pd.DataFrame(
        [
            row(kind, measure, "rank correlation", mean, sd=0.001)
            for kind in ("plain", "200_dimensions", "one_mention", "short_text")
            for measure, mean in (("log odds counted", signed), ("their size", unsigned))
        ]
    )


def test_a_score_is_marked_beside_counting_in_its_own_text_with_or_without_the_sign():
    grid = pd.DataFrame(
        [row("short_text", m, "rank correlation", 0.8) for m in ("RIPA", "one-vs-one")]
    )
    found = of_ceiling(grid, counted(0.9)).set_index("measure")
    assert found.loc["RIPA", "value"] == pytest.approx(0.8 / 0.9)
    assert found.loc["one-vs-one", "value"] == pytest.approx(1)
    half = 2.1448 * (0.01**2 + (0.8 / 0.9) ** 2 * 0.001**2) ** 0.5 / 15**0.5 / 0.9
    assert found.loc["RIPA", "high"] - found.loc["RIPA", "value"] == pytest.approx(half, rel=1e-3)


def test_the_best_training_counts_and_what_holds_the_mark_cannot_be_told():
    rows = [
        row("plain", "RIPA", "rank correlation", 0.5),
        row("200_dimensions", "RIPA", "rank correlation", 0.89),
        row("plain", "direct bias", "rank correlation", 0.81, sd=0.05),
        row("plain", "polarity", "rank correlation", 0.5),
    ]
    found = judgement(pd.DataFrame(rows), counted(0.9)).set_index("measure")
    assert found["state"].to_dict() == {"RIPA": YES, "direct bias": OPEN, "polarity": NO}
    assert found.loc["RIPA", "condition"] == "200_dimensions"
    assert list(as_table(judgement(pd.DataFrame(rows), counted(0.9))).index) == [
        "RIPA, counts",
        "direct bias, counts",
        "polarity, counts",
    ]


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.9, 1, YES), (0.8, 0.899, NO), (0.8, 0.9, OPEN)]
)
def test_three_answers(low, high, expected):
    assert state(pd.Series([low]), pd.Series([high])).item() == expected


@pytest.mark.parametrize(
    ("rejected", "n", "expected"), [(3, 60, YES), (20, 60, NO), (7, 60, OPEN), (1, 15, OPEN)]
)
def test_a_test_is_quiet_where_one_alarm_in_five_texts_is_ruled_out(rejected, n, expected):
    grid = pd.DataFrame([row("nothing", "RIPA", "p, two lists", n=n, rejected=rejected)])
    assert judgement(grid, counted(0.9))["state"].item() == expected
