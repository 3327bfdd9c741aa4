"""The recorded grid: replications of every condition, summed up measure by measure."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from lib.calibration.recovery import rejection_rate
from lib.paths import ROOT

GRID = ROOT / "data" / "grids" / "calibration.csv"
COVERAGE = GRID.with_name("coverage.csv")
LEVEL = 0.05  # of every test
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
        A row for each condition, space, measure and statistic: `n` replications, `mean`, `sd`, and for p-values
        `rejected`, how many are at most .05.
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
    table["rejected"] = table["statistic"].str.startswith("p,") & (table["value"] <= LEVEL)
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
    """The share of rejections in each row of p-values, with its exact binomial interval.

    Returns
    -------
    DataFrame
        Only rows of p-values; `value`, `low`, `high`, and `nominal`: whether .05 lies in the interval or above it.

    Examples
    --------
    >>> table = pd.DataFrame({"statistic": ["p, two lists"], "n": [100], "rejected": [5]})
    >>> with_rejections(table)[["value", "nominal"]].values.tolist()
    [[0.05, True]]
    """
    tests = grid[grid["statistic"].str.startswith("p,")]
    rates = [
        rejection_rate(np.repeat([0.0, 1.0], [int(k), int(n - k)]))
        for k, n in zip(tests["rejected"], tests["n"])
    ]
    table = pd.DataFrame(rates, tests.index, columns=["value", "low", "high", "n"]).drop(
        columns="n"
    )
    return tests.assign(**{name: table[name] for name in table}, nominal=table["low"] <= LEVEL)
