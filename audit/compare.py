"""Two reports of one kind beside each other: which differences are beyond noise, item by item and in sum."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib import wording
from lib.documents import read_json
from lib.files import file_hash

KEY = ["item", "measure"]
_QUESTION = [*KEY, "question"]
_NORMAL = stats.norm.ppf(0.975)
NOTHING = 1e-4  # of the largest value of a measure: files with four digits differ by so much from those with more
FEWEST_ITEMS = 5  # below which items are statistics, or too few to be a sample
_NUMBERS = ("value", "low", "high")


class Comparison(NamedTuple):
    """Result of `compare`.

    Attributes
    ----------
    items : DataFrame
        A row for each item and measure that both reports have: first, second, difference (second less first), low, high,
        p, adjusted_p (by Benjamini and Hochberg, over all rows of all measures) and n, the questions that both asked of
        it (0 where ends of intervals are all there is). p is 1 where the two say the same but for `NOTHING`, and NaN
        where neither answers to questions nor intervals stand beside the values.
    sums : DataFrame
        A row for each measure: difference (mean over items), low, high, p, n, rank_correlation of the two; p and its
        interval from five items on.
    left_out : int
        Items and measures that only one report has.
    unlike : tuple of str
        Parameters that the two reports do not share, but for what is measured.
    """

    items: pd.DataFrame
    sums: pd.DataFrame
    left_out: int
    unlike: tuple[str, ...] = ()


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
        For folders that are no reports, or damaged, of two kinds, of several systems each, or without an item in common.
    """
    folders = [Path(folder).expanduser() for folder in (first, second)]
    reports = [_read(folder) for folder in folders]
    kinds = [run["kind"] for run, _, _ in reports]
    if kinds[0] != kinds[1]:
        raise ValueError(f"expected two reports of one kind, got {kinds[0]} and {kinds[1]}")
    scores = [scores.set_index(KEY) for _, scores, _ in reports]
    for folder, table in zip(folders, scores):
        if table.empty:
            raise ValueError(
                f"{folder}: expected a report with scores, got one in which nothing is ranked; its first line says why"
            )
    common = scores[0].index.intersection(scores[1].index, sort=False)
    if not len(common):
        of_both = [", ".join(dict.fromkeys(table["measure"])) for _, table, _ in reports]
        raise ValueError(
            f"expected an item and a measure in common, got none: the first has {of_both[0]:.120}, the second {of_both[1]:.120}"
        )
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
    largest = items[["first", "second"]].abs().max(axis=1).groupby(level="measure").max()
    least = NOTHING * largest
    paired = _paired(*(questions for _, _, questions in reports), least)
    items.update(paired)
    same = items["difference"].abs() <= least.reindex(items.index, level="measure")
    items.loc[same & (items["n"] == 0) & items["p"].notna(), "p"] = 1.0
    tested = items["p"].notna()
    items["adjusted_p"] = math.nan
    if tested.any():
        items.loc[tested, "adjusted_p"] = stats.false_discovery_control(items.loc[tested, "p"])
    sums = pd.DataFrame(
        {name: _sum(rows, least[name]) for name, rows in items.groupby("measure", sort=False)}
    ).T
    return Comparison(
        items.reset_index(),
        sums.rename_axis("measure").reset_index(),
        left_out,
        _unlike(*(run for run, _, _ in reports)),
    )


def in_words(found: Comparison) -> str:
    """What differs, in lines."""
    lines, untested = [], []
    tested = found.items["p"].notna()
    beyond = found.items["adjusted_p"] <= 0.05
    if not tested.any():
        lines.append("Nothing could be tested: no interval stands beside what both reports have.")
    elif (found.items.loc[tested, "p"] == 1).all():
        lines.append("The two reports say the same: no value differs by more than rounding.")
    for row in found.sums.to_dict("records"):
        here = found.items["measure"] == row["measure"]
        rows = found.items[here & tested]
        if rows.empty:
            untested.append(str(row["measure"]))
            continue
        line = f"{row['measure']}: {(here & beyond).sum()} of {len(rows)} {'item differs' if len(rows) == 1 else 'items differ'} beyond noise."
        if math.isfinite(row["p"]):  # not where both say the same
            line += (
                f" In sum {wording.signed(row['difference'], 3)} ({wording.interval(row['low'], row['high'], 3, sign=True)} over items,"
                f" p {wording.p_equals(row['p'])}); the orders agree at {wording.signed(row['rank_correlation'])}."
            )
        lines.append(line)
        for item in found.items[here & beyond].sort_values("adjusted_p").head(10).itertuples():
            lines.append(
                f"  {item.item}: {wording.signed(item.first, 3)} and {wording.signed(item.second, 3)}, adjusted p {wording.p_equals(item.adjusted_p)}"
            )
    if tested.any():
        lines.append(
            f"Beyond noise: p at most .05, adjusted for all {tested.sum()} tests of items."
        )
    if untested:
        named = "; ".join(untested[:4]) + (
            f" and {len(untested) - 4} more" if len(untested) > 4 else ""
        )
        lines.append(f"Not tested, as no interval stands beside them: {named}.")
    if found.unlike:
        lines.append(f"The reports were not made alike: they differ in {', '.join(found.unlike)}.")
    if found.left_out:
        lines.append(f"{found.left_out} rows stand in one report only and are left out.")
    return "\n".join(lines)


def _unlike(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[str, ...]:
    """Parameters with other values, but for the first, which is what is measured; a file of the same content is the same."""
    one, two = (dict(run.get("parameters") or {}) for run in (first, second))
    files = [dict(run.get("files") or {}) for run in (first, second)]
    measured = next(iter(one), "")
    values = [
        {name: hashes.get(name, value) for name, value in given.items()}
        for given, hashes in zip((one, two), files)
    ]
    return tuple(
        name for name in one if name != measured and values[0][name] != values[1].get(name)
    )


def _read(folder: Path) -> tuple[dict[str, Any], pd.DataFrame, pd.DataFrame]:
    """The record of a report, its scores, and its answers to single questions."""
    try:
        run = read_json(folder / "run.json", dict)
        scores = _table(folder, run, "scores.csv", [*KEY, *_NUMBERS])
        questions = pd.DataFrame(columns=[*_QUESTION, "value"])
        if (folder / "questions.csv").is_file():
            questions = _table(folder, run, "questions.csv", [*_QUESTION, "value"])
        run["kind"] = str(run["kind"])
    except (OSError, ValueError, KeyError) as error:
        why = str(error)
        if isinstance(error, OSError) and error.filename:
            why = f"{Path(error.filename).name}: {error.strerror}"
        if isinstance(error, KeyError):
            why = f"run.json says no {error}"
        raise ValueError(
            f"{folder!s:.200}: expected a folder that python -m lib.audit wrote, got: {' '.join(why.split())}"
        ) from error
    if scores.duplicated(KEY).any():
        raise ValueError(
            f"{folder}: expected a report of one system, got several; make one report for each"
        )
    return run, scores, questions.drop_duplicates(_QUESTION)


def _table(folder: Path, run: Mapping[str, Any], name: str, columns: Sequence[str]) -> pd.DataFrame:
    """A table of a report as it was written. Raises ValueError where it is no longer that, or lacks a column."""
    written = dict(run.get("written") or {}).get(name)
    if written is not None and file_hash(folder / name) != written:
        raise ValueError(f"{name} is not as it was written: damaged, or changed; make it again")
    table = pd.read_csv(folder / name, dtype=dict.fromkeys(_QUESTION, str), low_memory=False)
    missing = [column for column in columns if column not in table]
    if missing:
        raise ValueError(f"{name} without {', '.join(missing)}")
    for column in {*columns} & {*_NUMBERS}:
        if not pd.api.types.is_numeric_dtype(table[column]):
            if table[column].notna().any():
                raise ValueError(f"{name} with text for numbers in the column {column}")
            table[column] = table[column].astype(float)
    return table


def _paired(first: pd.DataFrame, second: pd.DataFrame, least: pd.Series) -> pd.DataFrame:
    """Student's t over the questions that both asked of an item: low, high, p, n by item and measure; p is 1 where none
    differs by more than `least`, by measure."""
    both = first.merge(second, on=_QUESTION, suffixes=("_first", "_second"))
    rows = {}
    for key, part in both.groupby(KEY, sort=False):
        apart = (part["value_second"] - part["value_first"]).to_numpy(float)
        if len(apart) < 3:
            continue
        if np.abs(apart).max() <= least.get(key[1], 0.0):
            rows[key] = {"low": apart.min(), "high": apart.max(), "p": 1.0, "n": len(apart)}
            continue
        if np.ptp(apart) == 0:
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


def _sum(rows: pd.DataFrame, least: float) -> pd.Series:
    apart = rows["difference"].dropna().to_numpy(float)
    found = dict.fromkeys(["low", "high", "p", "rank_correlation"], math.nan)
    if len(apart) >= FEWEST_ITEMS and np.ptp(apart) > 0 and np.abs(apart).max() > least:
        test = stats.ttest_1samp(apart, 0)
        low, high = test.confidence_interval()
        found |= {"low": low, "high": high, "p": test.pvalue}
        found["rank_correlation"] = stats.spearmanr(rows["first"], rows["second"]).statistic
    return pd.Series(
        {"difference": apart.mean() if len(apart) else math.nan, **found, "n": len(apart)}
    )
