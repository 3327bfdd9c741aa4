"""Two reports of one kind beside each other: which differences are beyond noise, item by item and in sum."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib import wording

KEY = ["item", "measure"]
_QUESTION = [*KEY, "question"]
_NORMAL = stats.norm.ppf(0.975)


class Comparison(NamedTuple):
    """Result of `compare`.

    Attributes
    ----------
    items : DataFrame
        A row for each item and measure that both reports have: first, second, difference (second less first), low, high,
        p, adjusted_p and n, the questions that both asked of it (0 where ends of intervals are all there is).
    sums : DataFrame
        A row for each measure: difference (mean over items), low, high, p, n, rank_correlation of the two.
    left_out : int
        Items and measures that only one report has.
    """

    items: pd.DataFrame
    sums: pd.DataFrame
    left_out: int


def compare(first: str | Path, second: str | Path) -> Comparison:
    """Compare the scores of two audits of one kind.

    Where both reports keep the answers to single questions (pairs of words, templates, sentences), these are compared one
    by one, so that what both share is no noise. Else the intervals of both are taken as independent.

    Parameters
    ----------
    first, second : str or Path
        Folders that `python -m lib.audit` wrote.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        For folders that are no reports, of two kinds, of several systems each, or without an item in common.
    """
    reports = [_read(Path(folder).expanduser()) for folder in (first, second)]
    kinds = [kind for kind, _, _ in reports]
    if kinds[0] != kinds[1]:
        raise ValueError(f"expected two reports of one kind, got {kinds[0]} and {kinds[1]}")
    scores = [scores.set_index(KEY) for _, scores, _ in reports]
    common = scores[0].index.intersection(scores[1].index, sort=False)
    if not len(common):
        raise ValueError("expected an item and a measure in common, got none")
    left_out = sum(len(table) - len(common) for table in scores)
    one, two = (table.loc[common] for table in scores)
    items = pd.DataFrame({"first": one["value"], "second": two["value"]})
    items["difference"] = items["second"] - items["first"]
    error = np.hypot(*((table["high"] - table["low"]) / 2 / _NORMAL for table in (one, two)))
    items["low"], items["high"] = (
        items["difference"] - _NORMAL * error,
        items["difference"] + _NORMAL * error,
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        items["p"] = 2 * stats.norm.sf(np.abs(items["difference"]) / error)
    items["n"] = 0
    paired = _paired(*(questions for _, _, questions in reports))
    items.update(paired)
    tested = items["p"].notna()
    items["adjusted_p"] = math.nan
    for _, rows in items[tested].groupby("measure"):
        items.loc[rows.index, "adjusted_p"] = stats.false_discovery_control(rows["p"])
    sums = pd.DataFrame({name: _sum(rows) for name, rows in items.groupby("measure")}).T
    return Comparison(items.reset_index(), sums.rename_axis("measure").reset_index(), left_out)


def in_words(found: Comparison) -> str:
    """What differs, in lines."""
    lines = []
    for row in found.sums.to_dict("records"):
        rows = found.items[found.items["measure"] == row["measure"]]
        beyond = rows[rows["adjusted_p"] <= 0.05]
        line = f"{row['measure']}: {len(beyond)} of {len(rows)} items differ beyond noise (adjusted p at most .05)."
        if row["n"] > 2 and math.isfinite(row["p"]):  # not where both say the same
            line += (
                f" In sum {wording.signed(row['difference'], 3)} ({wording.interval(row['low'], row['high'], 3, sign=True)} over items,"
                f" p {wording.p_equals(row['p'])}); the orders agree at {wording.signed(row['rank_correlation'])}."
            )
        lines.append(line)
        for item in beyond.sort_values("adjusted_p").head(10).itertuples():
            lines.append(
                f"  {item.item}: {wording.signed(item.first, 3)} and {wording.signed(item.second, 3)}, adjusted p {wording.p_equals(item.adjusted_p)}"
            )
    if found.left_out:
        lines.append(f"{found.left_out} rows stand in one report only and are left out.")
    return "\n".join(lines)


def _read(folder: Path) -> tuple[str, pd.DataFrame, pd.DataFrame]:
    """Kind, scores and answers to single questions of a report."""
    try:
        kind = str(json.loads((folder / "run.json").read_text(encoding="utf-8"))["kind"])
        scores = pd.read_csv(folder / "scores.csv", dtype={"item": str, "measure": str})
        asked = folder / "questions.csv"
        questions = (
            pd.read_csv(asked, dtype={name: str for name in _QUESTION}) if asked.is_file() else None
        )
        twice = scores.duplicated(KEY).any()
    except (OSError, ValueError, KeyError, TypeError) as error:
        got = getattr(error, "strerror", None) or error
        raise ValueError(
            f"{folder!s:.200}: expected a folder that python -m lib.audit wrote, got: {got}"
        ) from error
    if twice:
        raise ValueError(
            f"{folder}: expected a report of one system, got several; make one report for each"
        )
    return (
        kind,
        scores,
        pd.DataFrame(columns=[*_QUESTION, "value"]) if questions is None else questions,
    )


def _paired(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Student's t over the questions that both asked of an item: low, high, p, n by item and measure."""
    both = first.merge(second, on=_QUESTION, suffixes=("_first", "_second"))
    rows = {}
    for key, part in both.groupby(KEY, sort=False):
        apart = (part["value_second"] - part["value_first"]).to_numpy(float)
        if len(apart) < 3 or np.ptp(apart) == 0:
            continue
        test = stats.ttest_1samp(apart, 0)
        low, high = test.confidence_interval()
        rows[key] = {"low": low, "high": high, "p": test.pvalue, "n": len(apart)}
    found = pd.DataFrame.from_dict(rows, orient="index", columns=["low", "high", "p", "n"])
    found.index = (
        pd.MultiIndex.from_tuples(rows, names=KEY)
        if rows
        else pd.MultiIndex.from_arrays([[], []], names=KEY)
    )
    return found


def _sum(rows: pd.DataFrame) -> pd.Series:
    apart = rows["difference"].dropna().to_numpy(float)
    found = dict.fromkeys(["low", "high", "p", "rank_correlation"], math.nan)
    if len(apart) > 2 and np.ptp(apart) > 0:
        test = stats.ttest_1samp(apart, 0)
        low, high = test.confidence_interval()
        found |= {"low": low, "high": high, "p": test.pvalue}
        found["rank_correlation"] = stats.spearmanr(rows["first"], rows["second"]).statistic
    return pd.Series(
        {"difference": apart.mean() if len(apart) else math.nan, **found, "n": len(apart)}
    )
