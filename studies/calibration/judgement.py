"""Which measure may be trusted with which question: rules over the recorded grid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from studies.calibration.counted import SIGNED as SIGNED_CEILING
from studies.calibration.counted import UNSIGNED as UNSIGNED_CEILING
from studies.calibration.grid import LEVEL, with_interval, with_rejections
from studies.calibration.scores import SIGNED

MARK = 0.9  # share of the order that counting gives back, and share of words on the right side
TOLERATED = (
    0.2  # false alarms of a test at 5 % that have to be ruled out before it is called silent
)
# Trainings of the same texts: every score is marked by the best of them, as a user may choose
TRAININGS = ("plain", "10_dimensions", "200_dimensions", "long_training")
YES, NO, OPEN = "yes", "no", "cannot tell"


class Question(NamedTuple):
    """What a user may want of a measure, and the rows of the grid that answer."""

    conditions: tuple[str, ...]  # the best of them
    statistic: str
    # "order" (as a share of what counting gives back) and "share", both marked by `MARK`, or "silence": false alarms
    kind: str


QUESTIONS = {
    "order of words": Question(TRAININGS, "rank correlation", "order"),
    "order, one mention": Question(("one_mention",), "rank correlation", "order"),
    "side of zero": Question(("plain",), "sign accuracy", "share"),
    "side, women rarer": Question(("fewer_women",), "sign accuracy", "share"),
    "silent: nothing there": Question(("nothing",), "p, two lists", "silence"),
    "silent: frequent words": Question(("nothing_fewer_women",), "p, frequent words", "silence"),
    "silent: topics": Question(("nothing_topics",), "p, topics", "silence"),
    "silent: against zero": Question(("nothing_fewer_women",), "p, against zero", "silence"),
    "silent: random topics": Question(("nothing",), "p, random topics", "silence"),
    "silent: random topics, by topic": Question(
        ("nothing",), "p, random topics, by topic", "silence"
    ),
    "silent: topics, by topic": Question(("nothing_topics",), "p, topics, by topic", "silence"),
}


def of_ceiling(grid: pd.DataFrame, counted: pd.DataFrame) -> pd.DataFrame:
    """Rank correlations as shares of what counting gives back in the same texts, that of sizes for measures without a sign: `value`, `low`, `high`
    and `ceiling`. Of both only means are recorded, so the interval takes them as unrelated, which is cautious."""
    rows = grid[grid["statistic"] == "rank correlation"]
    known = counted[counted["statistic"] == "rank correlation"]
    known = known.set_index(["condition", "measure"])[["mean", "sd", "n"]]
    which = np.where(rows["measure"].isin(SIGNED), SIGNED_CEILING, UNSIGNED_CEILING)
    keys = pd.MultiIndex.from_arrays([rows["condition"], which])
    most = known.reindex(keys).set_axis(rows.index)
    value = rows["mean"] / most["mean"]
    errors = rows["sd"] ** 2 / rows["n"] + value**2 * most["sd"] ** 2 / most["n"]
    half = stats.t.ppf(0.975, np.maximum(rows["n"] - 1, 1)) * np.sqrt(errors) / most["mean"]
    ends = {"value": value, "low": value - half, "high": value + half}
    return rows.assign(**ends, ceiling=most["mean"])


def state(low: pd.Series, high: pd.Series, mark: float = MARK) -> pd.Series:
    """Whether an interval lies above a mark ("yes"), below it ("no"), or holds it ("cannot tell")."""
    return pd.Series(np.select([low >= mark, high < mark], [YES, NO], OPEN), low.index)


def judgement(grid: pd.DataFrame, counted: pd.DataFrame) -> pd.DataFrame:
    """Answer every question for every measure and space of a grid and of what counting gives (as from `read_grid`): `value` (more is better, 1
    is perfect), its interval, `n`, the `condition`, and `state`. A test is silent ("yes") where its false alarms are no more than 5 % beyond
    chance, and one in five is ruled out."""
    parts = []
    for name, asked in QUESTIONS.items():
        chosen = grid["condition"].isin(asked.conditions) & (grid["statistic"] == asked.statistic)
        rows = grid[chosen]
        if rows.empty:
            continue
        if asked.kind == "silence":
            rows = with_rejections(rows)
            few = rows["low"] <= LEVEL
            judged = np.select([~few, rows["high"] <= TOLERATED], [NO, YES], OPEN)
            ends = {"value": 1 - rows["value"], "low": 1 - rows["high"], "high": 1 - rows["low"]}
            rows = rows.assign(**ends, state=judged)
        else:
            rows = of_ceiling(rows, counted) if asked.kind == "order" else with_interval(rows)
            best = rows.groupby(["space", "measure"])["value"].idxmax()
            rows = rows.loc[best]
            rows = rows.assign(state=state(rows["low"], rows["high"]))
        parts.append(rows.assign(question=name))
    columns = ["space", "measure", "question", "condition", "value", "low", "high", "n", "state"]
    return pd.concat(parts, ignore_index=True)[columns]


def named(rows: pd.DataFrame) -> pd.Series:
    """The name of a score: the measure, and what it was computed from."""
    return rows["measure"] + ", " + rows["space"].replace("masked head", "masked model")


def as_table(judged: pd.DataFrame, column: str = "value") -> pd.DataFrame:
    """One column of a judgement as scores × questions: who orders words best, first."""
    rows = judged.assign(name=named(judged))
    order = rows[rows["question"] == "order of words"].set_index("name")["value"]
    table = rows.pivot(index="name", columns="question", values=column)
    best_first = order.reindex(table.index).sort_values(ascending=False, kind="stable").index
    return table.loc[best_first, [name for name in QUESTIONS if name in table]]
