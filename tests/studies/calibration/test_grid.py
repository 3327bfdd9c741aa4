"""From replications to a judgement, on numbers that can be counted by hand; and what is recorded."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import linregress

from lib.datasets.coverage import read_coverage
from studies.calibration.coverage import KINDS, coverage_table
from studies.calibration.grid import (
    COUNTED,
    merged,
    read_grid,
    slopes,
    summary,
    with_rejections,
)
from studies.calibration.judgement import QUESTIONS, judgement
from studies.calibration.replication import CONDITIONS


def results(values, statistic="p, two lists"):
    settings = [
        json.dumps({"space": "counts", "measure": "share", "seed_number": s})
        for s in range(len(values))
    ]
    return pd.DataFrame(
        {
            "parameters": "block=0,condition=nothing,size=5",
            "quantity": statistic,
            "value": values,
            "settings": settings,
        }
    )


def test_replications_are_counted_once_and_rejections_from_five_percent_down():
    table = summary(pd.concat([results([0.01, 0.05, 0.2, 0.9])] * 2))
    (row,) = table.to_dict("records")
    assert (row["condition"], row["n"], row["rejected"]) == ("nothing", 4, 2)
    assert row["mean"] == pytest.approx(0.29)
    assert with_rejections(table)["value"].item() == 0.5


def test_a_slope_over_strengths_is_that_of_all_texts_by_least_squares():
    strengths, rng = {"nothing": 0.0, "weak": 0.5, "strong": 2.0}, np.random.default_rng(0)
    texts = {
        name: 3 * x + rng.normal(0, 0.2, n) for (name, x), n in zip(strengths.items(), (60, 15, 20))
    }
    rows = [
        {
            "condition": name,
            "space": "counts",
            "measure": "gap",
            "statistic": "value",
            "n": len(y),
            "mean": y.mean(),
            "sd": y.std(ddof=1),
        }
        for name, y in texts.items()
    ]
    found = slopes(pd.DataFrame(rows), strengths).loc[("counts", "gap")]
    x = np.concatenate([np.full(len(y), strengths[name]) for name, y in texts.items()])
    fit = linregress(x, np.concatenate(list(texts.values())))
    assert found["value"] == pytest.approx(fit.slope)
    assert (found["high"] - found["low"]) / 3.92 == pytest.approx(fit.stderr, rel=0.2)
    with pytest.raises(ValueError, match="two or more"):
        slopes(pd.DataFrame(rows), {"nothing": 0.0})


def test_what_was_run_anew_enters_where_it_is_as_much_as_is_recorded():
    def rows(**n):
        return pd.DataFrame(
            [{"condition": "nothing", "statistic": s, "n": k, "mean": k} for s, k in n.items()]
        )

    by = ["condition", "statistic"]
    found = merged(rows(a=20, b=60, new=20), rows(a=60, b=60, kept=5), by)
    assert found.set_index("statistic")["n"].to_dict() == {"a": 60, "b": 60, "kept": 5, "new": 20}
    pd.testing.assert_frame_equal(merged(found, found, by), found)


def test_every_condition_and_question_is_recorded_with_enough_texts():
    grid, counted = read_grid(), read_grid(COUNTED)
    texts = grid.groupby("condition")["n"].max()
    assert set(texts.index) == set(CONDITIONS)
    null = [name for name, condition in CONDITIONS.items() if not condition.strength]
    assert (texts[null] >= 60).all() and (texts >= 15).all()
    assert set(judgement(grid, counted)["question"]) == set(QUESTIONS)
    assert set(counted["condition"]) == {*CONDITIONS} - {*null} | {"nothing"}
    assert set(read_coverage().index) == set(KINDS)
    assert coverage_table(read_coverage())["value"].between(0, 1).all()
