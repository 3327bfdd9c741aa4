"""Which measure may be trusted with which question: rules over the recorded grid."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from studies.calibration.grid import with_interval, with_rejections

ORDER, SIDE, FOUND = 0.9, 0.9, 0.8  # the least rank correlation, share of signs, and power


class Question(NamedTuple):
    """What a user may want of a measure, and the row of the grid that answers."""

    condition: str
    statistic: str
    # "mean" or "power" (pass from `least` up), or "silence": false alarms within their interval of 5 %
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
    """Answer every question for every measure and space of a grid (as from `read_grid`): `value` (more is better, 1 is perfect), its
    interval, `n` and `passes`."""
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
    """One column of a judgement of one training a measure, as measures × questions: who orders words best, first."""
    order = judged[judged["question"] == "order of words"].set_index("measure")["value"]
    table = judged.pivot(index="measure", columns="question", values=column)
    best_first = order.reindex(table.index).sort_values(ascending=False, kind="stable").index
    return table.loc[best_first, [name for name in QUESTIONS if name in table]]
