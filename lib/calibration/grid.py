"""The recorded grid: replications of every condition, summed up measure by measure."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pandas as pd

from lib.calibration.recovery import rejection_rate
from lib.paths import ROOT

GRID = ROOT / "data" / "grids" / "calibration.csv"
COVERAGE = GRID.with_name("coverage.csv")
LEVEL = 0.05  # of every test
OUTSIDE = (
    "bias outside interval"  # a test by interval: 1 where it leaves out what no bias would give
)
DIGITS = 6


def summary(results: pd.DataFrame) -> pd.DataFrame:
    """Sum up replications.

    Parameters
    ----------
    results : DataFrame
        As `lib.ledger.results.read_results` reads the runs of `grids/calibration`.

    Returns
    -------
    DataFrame
        A row for each condition, space, measure and statistic: `n` replications, `mean`, `sd`, and for tests
        `rejected`, how many p-values are at most .05, or intervals leave out what no bias would give.
    """
    settings = pd.DataFrame([json.loads(text) for text in results["settings"]], index=results.index)
    condition = results["parameters"].str.extract(r"condition=([^,]+)")[0]
    table = pd.DataFrame(
        {
            "condition": condition,
            "space": settings["space"],
            "measure": settings["measure"],
            "statistic": results["quantity"],
            "value": results["value"].astype(float),
            "seed": settings["seed_number"],
        }
    ).drop_duplicates(["condition", "space", "measure", "statistic", "seed"])
    by_p = table["statistic"].str.startswith("p,") & (table["value"] <= LEVEL)
    table["rejected"] = by_p | ((table["statistic"] == OUTSIDE) & (table["value"] == 1))
    groups = table.groupby(["condition", "space", "measure", "statistic"], sort=True)
    summed = groups.agg(
        n=("value", "size"),
        mean=("value", "mean"),
        sd=("value", "std"),
        rejected=("rejected", "sum"),
    ).reset_index()
    summed[["mean", "sd"]] = summed[["mean", "sd"]].round(DIGITS)
    return summed


def coverage_counts(results: pd.DataFrame) -> pd.DataFrame:
    """How many simulated intervals of each kind have the truth in them: `kind`, `covered`, `n`."""
    kinds = [json.loads(text)["kind"] for text in results["settings"]]
    table = pd.DataFrame(
        {"kind": kinds, "covered": results["value"].astype(int), "n": results["n"]}
    )
    return table.drop_duplicates("kind").sort_values("kind", ignore_index=True)


def merged(fresh: pd.DataFrame, recorded: pd.DataFrame, by: str) -> pd.DataFrame:
    """Fresh rows where as much was run as is recorded, recorded ones elsewhere.

    Parameters
    ----------
    fresh, recorded : DataFrame
        As from `summary` or `coverage_counts`.
    by : str
        The column that parts them: "condition" or "kind".

    Examples
    --------
    >>> recorded = pd.DataFrame({"kind": ["a", "b"], "covered": [9, 8], "n": [10, 10]})
    >>> fresh = pd.DataFrame({"kind": ["b", "c"], "covered": [4, 99], "n": [5, 100]})
    >>> merged(fresh, recorded, "kind")["covered"].tolist()
    [9, 8, 99]
    """
    run, kept = (table.groupby(by)["n"].max() for table in (fresh, recorded))
    new = [name for name, n in run.items() if n >= kept.get(name, 0)]
    parts = [fresh[fresh[by].isin(new)], recorded[~recorded[by].isin(new)]]
    order = [
        name for name in ("condition", "space", "measure", "statistic", "kind") if name in fresh
    ]
    return pd.concat(parts).sort_values(order, ignore_index=True)


def read_coverage() -> pd.DataFrame:
    """The recorded counts of `coverage_counts`, indexed by kind.

    Raises
    ------
    FileNotFoundError
        Where `python -m tools.grid` has not been run.
    """
    if not COVERAGE.is_file():
        raise FileNotFoundError(
            f"no recorded coverage at {COVERAGE}; `python -m tools.grid` makes it"
        )
    return pd.read_csv(COVERAGE, index_col="kind")


def read_grid() -> pd.DataFrame:
    """The recorded summary, as `summary` made it.

    Raises
    ------
    FileNotFoundError
        Where `python -m tools.grid` has not been run.

    Examples
    --------
    >>> set(read_grid()["space"]) >= {"skip-gram", "GloVe", "masked head", "counts"}
    True
    """
    if not GRID.is_file():
        raise FileNotFoundError(f"no recorded grid at {GRID}; `python -m tools.grid` makes it")
    return pd.read_csv(GRID)


def with_interval(grid: pd.DataFrame) -> pd.DataFrame:
    """The mean of each row with its 95 % interval over replications, as columns value, low, high.

    Examples
    --------
    >>> table = pd.DataFrame({"n": [25], "mean": [0.8], "sd": [0.1]})
    >>> with_interval(table).loc[0, ["low", "high"]].astype(float).round(3).tolist()
    [0.759, 0.841]
    """
    from scipy import stats

    half = stats.t.ppf(0.975, np.maximum(grid["n"] - 1, 1)) * grid["sd"] / np.sqrt(grid["n"])
    return grid.assign(value=grid["mean"], low=grid["mean"] - half, high=grid["mean"] + half)


def with_rejections(grid: pd.DataFrame) -> pd.DataFrame:
    """The share of rejections in each row of a test, with its exact binomial interval.

    Returns
    -------
    DataFrame
        Only rows of tests; `value`, `low`, `high`, and `nominal`: whether .05 lies in the interval or above it.

    Examples
    --------
    >>> table = pd.DataFrame({"statistic": ["p, two lists"], "n": [100], "rejected": [5]})
    >>> with_rejections(table)[["value", "nominal"]].values.tolist()
    [[0.05, True]]
    """
    statistic = grid["statistic"]
    tests = grid[statistic.str.startswith("p,") | (statistic == OUTSIDE)]
    rates = [
        rejection_rate(np.repeat([0.0, 1.0], [int(k), int(n - k)]))
        for k, n in zip(tests["rejected"], tests["n"])
    ]
    table = pd.DataFrame(rates, tests.index, columns=["value", "low", "high", "n"]).drop(
        columns="n"
    )
    return tests.assign(**{name: table[name] for name in table}, nominal=table["low"] <= LEVEL)


def slopes(grid: pd.DataFrame, strengths: Mapping[str, float]) -> pd.DataFrame:
    """What a number for a whole text gains for a unit of planted strength.

    Parameters
    ----------
    grid : DataFrame
        As `read_grid` gives it.
    strengths : mapping
        Conditions that differ in their strength alone, and that strength.

    Returns
    -------
    DataFrame
        A row for each space and measure with the statistic "value": `value`, the weighted least-squares slope over
        texts, with its 95 % interval `low`, `high`; `n`, texts.

    Raises
    ------
    ValueError
        For fewer than two strengths.

    Examples
    --------
    >>> rows = [("nothing", 0.0, 0.1), ("plain", 0.5, 0.1), ("strong", 1.0, 0.1)]
    >>> table = pd.DataFrame(rows, columns=["condition", "mean", "sd"]).assign(
    ...     space="counts", measure="gap", statistic="value", n=100, rejected=0)
    >>> found = slopes(table, {"nothing": 0.0, "plain": 1.0, "strong": 2.0})
    >>> found.loc[("counts", "gap"), ["value", "low", "high"]].astype(float).round(3).tolist()
    [0.5, 0.486, 0.514]
    """
    if len(set(strengths.values())) < 2:
        raise ValueError(f"strengths: expected two or more, got {dict(strengths)}")
    rows = grid[(grid["statistic"] == "value") & grid["condition"].isin(list(strengths))]
    found = {}
    for key, group in rows.groupby(["space", "measure"], sort=False):
        x, n = group["condition"].map(strengths).to_numpy(), group["n"].to_numpy()
        weights = n * (x - np.average(x, weights=n))
        weights /= weights @ x
        slope = weights @ group["mean"]
        half = 1.96 * np.sqrt((weights**2 * group["sd"] ** 2 / n).sum())
        found[key] = {"value": slope, "low": slope - half, "high": slope + half, "n": n.sum()}
    return pd.DataFrame.from_dict(found, orient="index").rename_axis(index=["space", "measure"])
