"""What the procedure finds where it is known what there is to find: planted text, and noise."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.cultures.affect import contrast_affect
from lib.cultures.planted import PlantedText
from lib.cultures.regression import detectable_r2, noise_null, regress, signed_r2

POINTS = {"median": 0.5, "95 %": 0.95, "99 %": 0.99}


def in_planted_direction(
    means: pd.DataFrame, gaps: pd.DataFrame, follow: Mapping[str, str], planted_r2: pd.Series
) -> pd.Series:
    """Signed R² of planted themes with the statistic each follows, positive in the direction
    planted.

    Parameters
    ----------
    means : DataFrame
        Cultures × themes, as `CultureBiases.means` gives them.
    gaps : DataFrame
        Cultures × statistics.
    follow : dict of str to str
        Theme -> column, with a minus before it or not.
    planted_r2 : Series
        As `PlantedText.planted_r2`, of which the sign counts.

    Examples
    --------
    >>> gaps = pd.DataFrame({"wages": [1.0, 2.0, 3.0]})
    >>> means = pd.DataFrame({"threat": [3.0, 2.0, 1.0]})
    >>> in_planted_direction(means, gaps, {"threat": "-wages"}, pd.Series({"threat": -0.5}))
    threat    1.0
    dtype: float64
    """
    r2 = {
        theme: np.sign(planted_r2[theme]) * signed_r2(means[theme], gaps[column.removeprefix("-")])
        for theme, column in follow.items()
    }
    return pd.Series(r2, dtype=float)


def stray_r2(
    leans: Mapping[str, pd.DataFrame],
    text: PlantedText,
    controls: Sequence[str],
    people: tuple[Sequence[str], Sequence[str]],
) -> pd.DataFrame:
    """How far the leans of random words go with what was planted for themes, measure by measure.

    Parameters
    ----------
    leans : dict of str to DataFrame
        Measure -> cultures × sets of words.
    text : PlantedText
        What the leans are measured in.
    controls : sequence of str
        Sets of words that follow nothing.
    people : (female words, male words)
        Those that the text was planted with.

    Returns
    -------
    DataFrame
        A row for each measure, control and theme: `measure`, `R²` of the control with the theme's log odds, and
        `r with frequency`, its correlation with the log ratio of female to male words said.
    """
    frequency = text.log_ratio_of_people(*map(len, people))
    rows = [
        (
            measure,
            signed_r2(means[name], text.log_odds[theme]),
            means[name].corr(frequency),
        )
        for measure, means in leans.items()
        for name in controls
        for theme in text.log_odds
    ]
    return pd.DataFrame(rows, columns=["measure", "R²", "r with frequency"])


def noise_sizes(
    cases: Iterable[tuple[int, float, float]],
    words: int = 20,
    simulations: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Quantiles of the absolute R² that the procedure finds in noise.

    Parameters
    ----------
    cases : iterable of (int, float, float)
        Cultures, share of them on which words are selected, correlation of the words.
    words, simulations, rng
        As `lib.cultures.regression.noise_null` takes them.

    Returns
    -------
    DataFrame
        A row for each case; columns such as "r2, 95 %" and "unselected, median", NaN where none are
        held out.

    Examples
    --------
    >>> table = noise_sizes([(51, 1, 0.0)], simulations=100, rng=0)
    >>> list(table.columns[:3])
    ['r2, median', 'r2, 95 %', 'r2, 99 %']
    """
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


def resampled_r2(
    bias: ArrayLike,
    gap: ArrayLike,
    n: int,
    draws: int = 400,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.floating]:
    """Signed R² over n cultures drawn with replacement, in each of some draws.

    Examples
    --------
    >>> bool((resampled_r2([1, 2, 3, 4], [2, 4, 6, 8], 30, draws=5, rng=0) > 0.999).all())
    True
    """
    bias, gap = np.asarray(bias, float), np.asarray(gap, float)
    rows = np.random.default_rng(rng).integers(len(gap), size=(draws, n))
    return np.array([signed_r2(bias[row], gap[row]) for row in rows])


def beyond_noise(
    printed: pd.DataFrame, controls: Sequence[str], noise: Mapping[str, float], n: int
) -> dict[str, float]:
    """How many cells of a printed table are larger than what the procedure finds in noise.

    Parameters
    ----------
    printed : DataFrame
        Statistics × sets of words, signed R².
    controls : sequence of str
        The columns of random words.
    noise : mapping
        A row of `noise_sizes`.
    n : int
        Cultures behind the table.

    Returns
    -------
    dict of str to float
        Number of cells and of random cells, the largest random cell, and shares of cells beyond points of noise,
        beyond the largest random cell, and beyond what n cultures would show.
    """
    themed = printed.drop(columns=list(controls)).abs().to_numpy()
    random = printed[list(controls)].abs().to_numpy()
    shares = {
        f"beyond {point} of noise": (themed > noise[f"r2, {point}"]).mean()
        for point in ("95 %", "99 %")
    }
    return {
        "cells": themed.size,
        "random cells": random.size,
        "largest random": random.max(),
        **shares,
        "random beyond 95 %": (random > noise["r2, 95 %"]).mean(),
        "beyond largest random": (themed > random.max()).mean(),
        "beyond detectable R²": (themed > detectable_r2(n)).mean(),
    }


def neighbour_alarms(
    gaps: pd.DataFrame,
    groups: pd.Series,
    draws: int = 40,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How often numbers that only neighbours share are called a finding (Galton's problem).

    Parameters
    ----------
    gaps : DataFrame
        Cultures × statistics.
    groups : Series
        The group of neighbours that each culture belongs to.
    draws : int
        Columns of noise, of which groups share a part.
    rng : Generator or int, optional
        Of noise and permutations.

    Returns
    -------
    DataFrame
        Statistics × (permuted among all, permuted inside divisions): the share of p ≤ 0.05.
    """
    generator, number = np.random.default_rng(rng), pd.factorize(groups)[0]
    ways = {"permuted among all": None, "permuted inside divisions": groups}
    alarms = pd.DataFrame(0.0, gaps.columns, list(ways))
    for _ in range(draws):
        shared = generator.standard_normal(groups.nunique())[number]
        noise = (shared + 0.5 * generator.standard_normal(len(gaps)))[:, None]
        for name, gap in gaps.items():
            for way, labels in ways.items():
                fit = regress(noise, gap, groups=labels, repetitions=1, resamples=99, rng=generator)
                alarms.loc[name, way] += fit.p_unselected <= 0.05
    return alarms / draws


def word_alarms(
    shared: float,
    draws: int = 60,
    words: int = 200,
    cultures: int = 51,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """How often words that move together are called a finding by a test that takes them for
    independent.

    Parameters
    ----------
    shared : float
        Share of the variance of a word's noise that goes with its valence, for any reason.
    draws, words, cultures : int
        Random gaps, and the size of each trial.
    rng : Generator or int, optional
        Of noise and permutations.

    Returns
    -------
    dict of str to float
        Test and level -> share of the draws in which both groups of words have members.
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
            floor=0.03,
            resamples=39,
            rng=generator,
        )
        p_values.append((contrast.t_p["valence"], contrast.p_value["valence"]))
    p_values = np.array(p_values)
    t_test, permuted = p_values[~np.isnan(p_values).any(axis=1)].T
    return {
        "t-test, p ≤ 0.05": (t_test <= 0.05).mean(),
        "t-test, p < 1e-7": (t_test < 1e-7).mean(),
        "gaps permuted, p ≤ 0.05": (permuted <= 0.05).mean(),
    }
