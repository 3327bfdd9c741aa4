"""Which measure may be trusted with which question: rules over the recorded grid."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from lib.calibration.grid import with_interval, with_rejections

ORDER, SIDE, FOUND = 0.9, 0.9, 0.8  # the least rank correlation, share of signs, and power


class Question(NamedTuple):
    """What a user may want of a measure, and the row of the grid that answers.

    `kind` is "mean" (passes from `least` up), "power" (share of rejections, likewise) or "silence" (share of
    texts without a rejection; passes where false alarms are within their binomial interval of 5 %).
    """

    condition: str
    statistic: str
    kind: str
    least: float = 0.0


QUESTIONS = {
    "order of words": Question("plain", "rank correlation", "mean", ORDER),
    "order, one mention": Question("one_mention", "rank correlation", "mean", ORDER),
    "side of zero": Question("plain", "sign accuracy", "mean", SIDE),
    "side, women rarer": Question("fewer_women", "sign accuracy", "mean", SIDE),
    "finds weak lists": Question("weak", "p, two lists", "power", FOUND),
    "silent: nothing there": Question("nothing", "p, two lists", "silence"),
    "silent: frequent words": Question("nothing_fewer_women", "p, frequent words", "silence"),
    "silent: topics": Question("nothing_topics", "p, topics", "silence"),
    "silent: against zero": Question("nothing_fewer_women", "p, against zero", "silence"),
}


def judgement(grid: pd.DataFrame) -> pd.DataFrame:
    """Answer every question for every measure.

    Parameters
    ----------
    grid : DataFrame
        As `lib.calibration.grid.read_grid` gives it.

    Returns
    -------
    DataFrame
        A row for each space, measure and question: `value` (more is better, 1 is perfect), `low`, `high`,
        `n` and `passes`.

    Examples
    --------
    >>> row = {"condition": "nothing", "space": "counts", "measure": "share", "statistic": "p, two lists"}
    >>> table = judgement(pd.DataFrame([row | {"n": 100, "mean": 0.5, "sd": 0.3, "rejected": 20}]))
    >>> table[["question", "value", "passes"]].values.tolist()
    [['silent: nothing there', 0.8, False]]
    """
    parts = []
    for name, asked in QUESTIONS.items():
        chosen = (grid["condition"] == asked.condition) & (grid["statistic"] == asked.statistic)
        rows = grid[chosen]
        if rows.empty:
            continue
        if asked.kind == "mean":
            rows = with_interval(rows)
            rows = rows.assign(passes=rows["value"] >= asked.least)
        else:
            rows = with_rejections(rows)
            if asked.kind == "power":
                rows = rows.assign(passes=rows["value"] >= asked.least)
            else:
                ends = {"value": "value", "low": "high", "high": "low"}
                silent = {name: 1 - rows[end] for name, end in ends.items()}
                rows = rows.assign(**silent, passes=rows["nominal"])
        parts.append(rows.assign(question=name))
    columns = ["space", "measure", "question", "value", "low", "high", "n", "passes"]
    return pd.concat(parts, ignore_index=True)[columns]


def as_table(judged: pd.DataFrame, column: str = "value") -> pd.DataFrame:
    """One column of a judgement of one training a measure, as measures x questions: who orders words best, first."""
    order = judged[judged["question"] == "order of words"].set_index("measure")["value"]
    table = judged.pivot(index="measure", columns="question", values=column)
    best_first = order.reindex(table.index).sort_values(ascending=False, kind="stable").index
    return table.loc[best_first, [name for name in QUESTIONS if name in table]]
