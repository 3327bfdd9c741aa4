"""Systems that answered the same passages, tested together: feminine against masculine F1, and faults that were planted there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.coreference.intervals import gender_draws
from lib.coreference.predictions import codes
from lib.coreference.scores import SCORES, by_gender
from lib.coreference.terms import SIDES
from lib.inference.sums import p_of_draws


def f1_ratios_together(
    said: Mapping[str, ArrayLike],
    passages: pd.DataFrame,
    *,
    n_resamples: int = 2000,
    rng: int = 0,
    level: float = 0.05,
) -> pd.DataFrame:
    """Is feminine F1 other than masculine, system by system and in all of them together, over the same draws of pages?

    The statistic is the logarithm of the ratio by the deviation of its draws. `p` sets it beside the same of the draws about
    their own ratio; `adjusted` beside the largest of all systems in each draw, so that it allows for their number and for
    what they share. Index system; further columns value, low, high (of the ratio), smallest (p that was possible) and bar,
    which the statistic has to reach for an adjusted p of `level`.
    """
    values, draws = {}, {}
    for system, each in said.items():
        values[system], draws[system] = _log_ratio(each, passages, n_resamples, rng)
    away = np.column_stack([draws[system] - values[system] for system in said])
    sizes = away.std(axis=0)
    null = np.abs(away) / sizes
    statistic = np.abs([*values.values()]) / sizes
    rows = {}
    for place, system in enumerate(said):
        low, high = np.exp(np.quantile(draws[system], [0.025, 0.975]))
        rows[system] = {
            "value": np.exp(values[system]),
            "low": low,
            "high": high,
            "p": p_of_draws(statistic[place], null[:, place]),
            "adjusted": p_of_draws(statistic[place], null.max(axis=1)),
        }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("system")
    bar = float(np.quantile(null.max(axis=1), 1 - level))
    return table.assign(smallest=1 / (n_resamples + 1), bar=bar)


def by_intervals(ratios: pd.DataFrame, *, level: float = 0.05, power: float = 0.8) -> pd.DataFrame:
    """The same question from intervals that were recorded: columns value, low, high (95 %) of ratios, a system a row.

    `p` is two-sided, of the logarithm, whose interval is taken as that of a normal distribution; `adjusted` allows for the number
    of systems (Holm). `least` is the ratio below 1 that would have been seen with such a power after the strictest correction.

    >>> rows = pd.DataFrame({"value": [0.99, 1.2], "low": [0.9, 1.1], "high": [1.09, 1.31]}, ["one", "two"])
    >>> by_intervals(rows)["adjusted"].round(3).tolist(), by_intervals(rows)["least"].round(2).tolist()
    ([0.837, 0.0], [0.86, 0.87])
    """
    logs = np.log(ratios[["value", "low", "high"]].astype(float))
    error = (logs["high"] - logs["low"]) / (2 * stats.norm.ppf(0.975))
    p = pd.Series(2 * stats.norm.sf(np.abs(logs["value"] / error)), ratios.index)
    away = stats.norm.ppf(1 - level / 2 / max(len(ratios), 1)) + stats.norm.ppf(power)
    return pd.DataFrame({"p": p, "adjusted": _holm(p), "least": np.exp(-away * error)})


def with_faults(
    probabilities: ArrayLike, female: ArrayLike, share: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The same predictions with the two names exchanged in a share of the passages with feminine pronouns.

    >>> said = [[0.8, 0.1, 0.1], [0.8, 0.1, 0.1]]
    >>> with_faults(said, [True, False], 1.0, np.random.default_rng(0)).tolist()
    [[0.1, 0.8, 0.1], [0.8, 0.1, 0.1]]
    """
    faulty = np.array(probabilities, dtype=float)
    feminine = np.flatnonzero(np.asarray(female, bool))
    drawn = rng.choice(feminine, size=round(share * len(feminine)), replace=False)
    faulty[drawn] = faulty[drawn][:, [1, 0, 2]]
    return faulty


def faults_found(
    probabilities: ArrayLike,
    passages: pd.DataFrame,
    shares: Iterable[float],
    bar: float,
    *,
    draws: int = 20,
    n_resamples: int = 200,
    rng: int = 0,
) -> pd.DataFrame:
    """How often such faults would be seen: in how many of some draws the statistic of `f1_ratios_together` reaches its bar.

    Index share; columns ratio (its mean) and found.
    """
    generator = np.random.default_rng(rng)
    female = (passages["gender"] == "female").to_numpy()
    rows = {}
    for share in shares:
        ratios, reached = [], []
        for seed in range(draws):
            faulty = with_faults(probabilities, female, share, generator)
            value, of_draws = _log_ratio(faulty, passages, n_resamples, seed)
            ratios.append(np.exp(value))
            reached.append(-value / of_draws.std() >= bar)
        rows[share] = {"ratio": np.mean(ratios), "found": np.mean(reached)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("share")


def _holm(p: pd.Series) -> pd.Series:
    """Holm's p-values: the smallest times their number, and so on."""
    ordered = p.sort_values()
    return (ordered * range(len(p), 0, -1)).cummax().clip(upper=1).reindex(p.index)


def _log_ratio(
    probabilities: ArrayLike, passages: pd.DataFrame, n_resamples: int, rng: int
) -> tuple[float, NDArray[np.float64]]:
    """The logarithm of feminine by masculine F1, and its draws over pages."""
    answers = codes(passages["answer"])
    female = (passages["gender"] == "female").to_numpy()
    about = dict(pages=passages["URL"].to_numpy(), n_resamples=n_resamples, rng=rng)
    draws = gender_draws(probabilities, answers, female, **about)
    ratio = by_gender(probabilities, answers, female).loc["F1", "ratio"]
    found = draws[:, SCORES.index("F1"), SIDES.index("ratio")]
    return float(np.log(ratio)), np.log(found)
