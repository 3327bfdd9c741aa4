"""The recorded grid: replications of every condition, summed up measure by measure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from lib.datasets.coverage import GRID
from studies.calibration.recovery import rejection_rate
from studies.calibration.replication import LEVEL, OUTSIDE, ZERO

BY_INTERVAL = (OUTSIDE, ZERO)  # tests by interval
COUNTED = GRID.with_name("counted.csv")  # of `studies.calibration.counted`, what needs no training
DIGITS = 6


def summary(results: pd.DataFrame) -> pd.DataFrame:
    """Sum up the runs of `scripts/sweeps/calibration` (as `lib.ledger.results.read_results` reads them) by condition, space, measure and
    statistic: `n` replications, `mean`, `sd`, and for tests `rejected`, how many p-values are at most .05, or intervals leave out what no
    bias would give."""
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
    table["rejected"] = by_p | (table["statistic"].isin(BY_INTERVAL) & (table["value"] == 1))
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


def merged(fresh: pd.DataFrame, recorded: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Fresh rows (of `summary` or `coverage_counts`) where as much was run as is recorded, recorded ones elsewhere; `by` are the columns that
    part them, "condition" and "statistic", or "kind"."""
    run = fresh.groupby(by)["n"].transform("max")
    kept = fresh[by].merge(recorded.groupby(by, as_index=False)["n"].max(), on=by, how="left")["n"]
    new = fresh[run.to_numpy() >= kept.fillna(0).to_numpy()]
    replaced = recorded.set_index(by).index.isin(new.set_index(by).index)
    order = [
        name for name in ("condition", "space", "measure", "statistic", "kind") if name in fresh
    ]
    return pd.concat([new, recorded[~replaced]]).sort_values(order, ignore_index=True)


def read_grid(path: Path = GRID) -> pd.DataFrame:
    """The recorded summary, as `summary` made it: of replications, or with `COUNTED` of what needs no training."""
    if not path.is_file():
        raise FileNotFoundError(
            f"no recorded grid at {path}; `python -m scripts.sweeps.grid` makes it"
        )
    return pd.read_csv(path)


def with_interval(grid: pd.DataFrame) -> pd.DataFrame:
    """The mean of each row with its 95 % interval over replications, as columns value, low, high."""
    from scipy import stats

    half = stats.t.ppf(0.975, np.maximum(grid["n"] - 1, 1)) * grid["sd"] / np.sqrt(grid["n"])
    return grid.assign(value=grid["mean"], low=grid["mean"] - half, high=grid["mean"] + half)


def with_rejections(grid: pd.DataFrame) -> pd.DataFrame:
    """The share of rejections in each row of a test, with its exact binomial interval; `nominal` is whether .05 lies in it or above it."""
    statistic = grid["statistic"]
    tests = grid[statistic.str.startswith("p,") | statistic.isin(BY_INTERVAL)]
    rates = [
        rejection_rate(np.repeat([0.0, 1.0], [int(k), int(n - k)]))
        for k, n in zip(tests["rejected"], tests["n"])
    ]
    table = pd.DataFrame(rates, tests.index, columns=["value", "low", "high", "n"]).drop(
        columns="n"
    )
    return tests.assign(**{name: table[name] for name in table}, nominal=table["low"] <= LEVEL)


def slopes(grid: pd.DataFrame, strengths: Mapping[str, float]) -> pd.DataFrame:
    """What a number for a whole text (the statistic "value") gains for a unit of planted strength, by space and measure: the weighted
    least-squares slope over texts with its 95 % interval, and `n`, texts. `strengths` are those of conditions that differ in nothing else."""
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
