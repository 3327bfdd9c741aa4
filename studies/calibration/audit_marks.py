"""The recorded marks of audits: how often a report finds something in fair inputs, and in planted ones what was planted."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
from scipy import stats

from lib.paths import DATA

MARKS = DATA / "grids" / "audits.csv"


def said_power(effect: float, seen: float) -> float:
    """The power of a test at 5 % for an effect, where a report says which one it sees in eight of ten."""
    reach = stats.norm.isf(0.025)
    return float(stats.norm.cdf((reach + stats.norm.ppf(0.8)) * abs(effect) / seen - reach))


def summed(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs of `scripts.sweeps.own_audits` summed up by kind of audit, form of input, and size of what is planted (0: fair): `n`; how many reports have
    a finding (`finding`), say what was planted (`found`), or have its test at most .05 (`alone`); the mean power that they state for
    so much (`stated`); and how often each claim was made."""
    rows = []
    for keys, part in runs.groupby(["kind", "form", "planted", "about"], sort=False):
        claims = Counter(name for text in part["claims"] for name in text.split(";") if name)
        row = dict(zip(["kind", "form", "planted", "about"], keys)) | {"n": len(part)}
        row |= {"finding": int((part["claims"] != "").sum())}
        row |= {name: int(part[name].sum()) for name in ("found", "alone")}
        row |= {"stated": round(_stated(part), 3) if row["planted"] else np.nan}
        row |= {"claims": "; ".join(f"{name} {times}" for name, times in sorted(claims.items()))}
        rows.append(row)
    return pd.DataFrame(rows)


def _stated(part: pd.DataFrame) -> float:
    """The mean power stated; where an effect is known from many runs alone, that for its mean."""
    effect = part["effect"].mean()
    if np.isfinite(effect):
        return float(np.mean([said_power(effect, seen) for seen in part["seen"].dropna()]))
    return float(part["stated"].mean())


def read_marks() -> pd.DataFrame:
    """The recorded marks, a row for each form of input and size, as `summed` made them, with a share `value` and its exact interval, `low` to
    `high`: of reports with a finding where nothing is planted, else of those that say what was planted."""
    if not MARKS.is_file():
        raise FileNotFoundError(
            f"no recorded marks at {MARKS}; `python -m scripts.sweeps.own_audits` makes them"
        )
    table = pd.read_csv(MARKS).fillna({"claims": ""})
    counted = table["finding"].where(table["planted"] == 0, table["found"])
    return table.assign(**_shares(counted, table["n"]))


def _shares(counted: pd.Series, n: pd.Series) -> dict[str, list[float]]:
    tests = [stats.binomtest(int(k), int(of)) for k, of in zip(counted, n)]
    ends = [test.proportion_ci() for test in tests]
    return {
        "value": [float(test.statistic) for test in tests],
        "low": [float(end.low) for end in ends],
        "high": [float(end.high) for end in ends],
    }


def power_kept(marks: pd.DataFrame) -> pd.DataFrame:
    """Rows with a stated power, and whether it lies in the exact interval of how often the test alone found what was planted (`kept`)."""
    rows = marks[marks["stated"].notna()].copy()
    shares = _shares(rows["alone"], rows["n"])
    low, high = (np.array(shares[end]) for end in ("low", "high"))
    rows["alone share"] = shares["value"]
    rows["kept"] = (low <= rows["stated"]) & (rows["stated"] <= high)
    return rows


def tried(kind: str) -> str:
    """One line about an audit: what its reports said of fair inputs, and of planted ones."""
    marks = read_marks()
    of_kind = marks[marks["kind"] == kind]
    if of_kind.empty:
        raise ValueError(f"expected a kind of audit that is recorded in {MARKS.name}, got {kind!r}")
    fair = of_kind[of_kind["planted"] == 0]
    said = "; ".join(f"{row.about}: {row.finding} of {row.n}" for row in fair.itertuples())
    line = f"Reports with a finding where there is nothing to find: {said}."
    parts = []
    for _, part in of_kind[of_kind["planted"] > 0].groupby("form", sort=False):
        ends = part.sort_values("planted").iloc[[0, -1]]
        shares = [f"{row.value:.0%} ({row.planted:g})" for row in ends.itertuples()]
        parts.append(f"{ends['about'].iloc[0]}: {shares[0]} to {shares[1]}")
    more = "Of those in which something is planted so many say it, from the smallest size tried to the largest"
    return f"{line} {more}: {'; '.join(parts)}." if parts else line
