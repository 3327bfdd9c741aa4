"""What the procedure finds in noise, and how often tests that take neighbours or words for independent raise a false alarm."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.cultures.regression import noise_null
from studies.cross_cultural.affect import FLOOR, contrast_affect

POINTS = {"median": 0.5, "95 %": 0.95, "99 %": 0.99}


def noise_sizes(
    cases: Iterable[tuple[int, float, float]],
    words: int = 20,
    simulations: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Quantiles of the absolute R² that the procedure finds in noise: a row for each case (cultures, share of them on which words are
    selected, correlation of the words), columns such as "r2, 95 %", NaN where no cultures are held out."""
    rows = {}
    for cultures, share, correlation in cases:
        null = noise_null(
            cultures,
            words,
            share=share,
            correlation=correlation,
            simulations=simulations,
            rng=rng,
        )
        rows[cultures, share, correlation] = {
            f"{name}, {point}": value
            for name, values in null.quantiles(*POINTS.values()).items()
            for point, value in zip(POINTS, values)
        }
    return pd.DataFrame(rows).T.rename_axis(["cultures", "share", "correlation"])


def noise_limits(
    cultures: int,
    words: Iterable[int],
    correlations: Iterable[float],
    *,
    share: float = 1,
    simulations: int = 1000,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """The point that absolute R² in noise exceeds in one of 20 cases, by the number of words and their correlation over cultures.

    Columns `limit`, and the ends `low` and `high` of its 95 % interval over draws of noise. With a number as `rng` the noise is the
    same for all correlations.
    """
    ranks = stats.binom.ppf([0.025, 0.975], simulations, level).astype(int)
    rows = {}
    for correlation in correlations:
        for count in words:
            null = noise_null(
                cultures,
                count,
                share=share,
                correlation=correlation,
                simulations=simulations,
                rng=rng,
            )
            sizes = np.sort(np.abs(null.r2))
            low, high = sizes[np.clip(ranks, 0, simulations - 1)]
            rows[count, correlation] = {
                "limit": np.quantile(sizes, level),
                "low": low,
                "high": high,
            }
    return pd.DataFrame(rows).T.rename_axis(["words", "correlation"])


def cells_beyond(printed: ArrayLike, limits: pd.DataFrame) -> pd.DataFrame:
    """How many printed values are larger than each limit of `noise_limits` (`value`), and than the ends of its interval."""
    sizes = np.abs(real_numbers("printed", printed)).ravel()
    ends = {"value": "limit", "low": "high", "high": "low"}
    counts = {
        name: (sizes > limits[[column]].to_numpy()).sum(axis=1) for name, column in ends.items()
    }
    return pd.DataFrame(counts, limits.index)


def alarm_rates(alarms: Mapping[str, ArrayLike], level: float = 0.95) -> pd.DataFrame:
    """Shares of trials that raised an alarm, with exact (Clopper and Pearson) intervals: `value`, `low`, `high`, `n` by test."""
    rows = {}
    for name, raised in alarms.items():
        raised = np.asarray(raised, bool)
        if len(raised):
            ends = stats.binomtest(int(raised.sum()), len(raised)).proportion_ci(level)
            rows[name] = raised.mean(), ends.low, ends.high, len(raised)
        else:
            rows[name] = np.nan, np.nan, np.nan, 0
    return pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high", "n"])


def percent_with_interval(rates: pd.DataFrame) -> pd.Series:
    """The rows of `alarm_rates` as text, such as 25% (1% to 81%)."""
    share, low, high = (rates[name].map("{:.0%}".format) for name in ("value", "low", "high"))
    return share + " (" + low + " to " + high + ")"


def neighbour_alarms(
    gaps: pd.DataFrame,
    groups: pd.Series,
    draws: int = 400,
    resamples: int = 199,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How often numbers that only neighbours share are called a finding (Galton's problem): the share of p ≤ 0.05 for each statistic
    of `gaps` (cultures × statistics), permuted among all cultures and inside groups.

    Groups share four fifths of the variance of the noise.
    """
    generator, number = np.random.default_rng(rng), pd.factorize(groups)[0]
    shared = generator.standard_normal((draws, number.max() + 1))[:, number]
    noise = _standard(shared + 0.5 * generator.standard_normal((draws, len(gaps))))
    ways = {
        "permuted among all": np.zeros(len(gaps), int),
        "permuted inside divisions": number,
    }
    rates = {}
    for name, gap in gaps.items():
        for way, labels in ways.items():
            permuted = np.stack(
                [
                    gap.to_numpy(),
                    *(_permuted_inside(gap, labels, generator) for _ in range(resamples)),
                ]
            )
            sizes = np.abs(
                noise @ _standard(permuted).T
            )  # draws × permutations, the true gap first
            p = (~(sizes < sizes[:, :1] - 1e-12)).mean(axis=1)  # an undefined one reaches
            rates[name, way] = alarm_rates({"": p <= 0.05}).iloc[0]
    return pd.DataFrame(rates).T.rename_axis(["gap", "way"])


def _standard(rows: NDArray) -> NDArray:
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _permuted_inside(gap: pd.Series, labels: NDArray, generator: np.random.Generator) -> NDArray:
    """The values of a gap in a random order inside each group."""
    places = np.lexsort((generator.random(len(gap)), labels))
    permuted = np.empty(len(gap))
    permuted[np.argsort(labels, kind="stable")] = gap.to_numpy()[places]
    return permuted


def word_alarms(
    shared: float,
    draws: int = 200,
    words: int = 2000,
    cultures: int = 51,
    *,
    floor: float = FLOOR,
    resamples: int = 39,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How often words that move together are called a finding by a test that takes them for independent.

    `shared` is the share of the variance of a word's noise that goes with its valence, for any reason; of the random gaps those
    count in which both groups of words have two members or more.
    """
    generator, p_values = np.random.default_rng(rng), []
    names = [f"word{number}" for number in range(words)]
    for _ in range(draws):
        rating = pd.DataFrame({"valence": generator.normal(5, 1.3, words)}, index=names)
        pull = generator.standard_normal(cultures)
        noise = shared**0.5 * np.outer(pull, stats.zscore(rating["valence"]))
        noise = noise + (1 - shared) ** 0.5 * generator.standard_normal((cultures, words))
        contrast = contrast_affect(
            pd.DataFrame(noise, columns=names),
            generator.standard_normal(cultures),
            rating,
            floor=floor,
            resamples=resamples,
            rng=generator,
        )
        p_values.append((contrast.t_p["valence"], contrast.p_value["valence"]))
    p_values = np.array(p_values)
    t_test, permuted = p_values[~np.isnan(p_values).any(axis=1)].T
    return alarm_rates(
        {
            "t-test, p ≤ 0.05": t_test <= 0.05,
            "t-test, p < 1e-7": t_test < 1e-7,
            "gaps permuted, p ≤ 0.05": permuted <= 0.05,
        }
    )
