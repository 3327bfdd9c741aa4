"""What the procedure finds where it is known what there is to find: planted text, and noise."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.cultures.affect import FLOOR, contrast_affect
from lib.cultures.planted import PlantedText
from lib.cultures.regression import noise_null, signed_r2

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
    bias, gap = real_numbers("bias", bias), real_numbers("gap", gap)
    rows = np.random.default_rng(rng).integers(len(gap), size=(draws, n))
    return np.array([signed_r2(bias[row], gap[row]) for row in rows])


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
    """The point that absolute R² in noise exceeds in one of so many cases, by the number of words
    and their correlation.

    Parameters
    ----------
    cultures : int
    words : iterable of int
        How many words a theme may have.
    correlations : iterable of float
        Of any two words over cultures.
    share : float
        Of the cultures on which words are selected.
    simulations : int
        Draws of noise for each cell.
    level : float
        Of the point.
    rng : Generator or int, optional
        Of the noise; with a number, the same noise for all correlations.

    Returns
    -------
    DataFrame
        Index words and correlation; `limit`, and the ends `low` and `high` of its 95 % interval over draws of noise.

    Examples
    --------
    >>> limits = noise_limits(51, [4, 20], [0.0, 0.5], simulations=200, rng=0)["limit"]
    >>> bool(limits[20, 0.0] > limits[4, 0.0]), bool(limits[20, 0.0] > limits[20, 0.5])
    (True, True)
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
    """How many printed values are larger than each limit of `noise_limits`, with that limit's
    interval.

    Returns
    -------
    DataFrame
        `value`, `low`, `high`, counts, in the rows of the limits.

    Examples
    --------
    >>> limits = pd.DataFrame({"limit": [0.3], "low": [0.2], "high": [0.4]})
    >>> cells_beyond([-0.5, 0.35, 0.25], limits)
       value  low  high
    0      2    1     3
    """
    sizes = np.abs(real_numbers("printed", printed)).ravel()
    ends = {"value": "limit", "low": "high", "high": "low"}
    counts = {
        name: (sizes > limits[[column]].to_numpy()).sum(axis=1) for name, column in ends.items()
    }
    return pd.DataFrame(counts, limits.index)


VERDICTS = ("wrong sign", "too small", "as planted", "too large")


def against_planted(
    leans: pd.DataFrame,
    text: PlantedText,
    gaps: pd.DataFrame,
    follow: Mapping[str, str],
    resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """What is recovered of each planted association, beside what was planted in the same cultures.

    Parameters
    ----------
    leans : DataFrame
        Cultures × themes.
    text : PlantedText
        What they were measured in.
    gaps : DataFrame
        Cultures × statistics.
    follow : dict of str to str
        Theme -> column, with a minus before it or not.
    resamples : int
        Resamples of the cultures, the same for lean, log odds and gap, so that an interval of the
        difference covers the error of the measure, not the luck of which cultures there are.
    rng : Generator or int, optional
        Of the resamples.

    Returns
    -------
    DataFrame
        A row for each theme, R² positive in the direction planted: `planted`, `value`, its interval `low`, `high`,
        the interval `difference low`, `difference high` of value minus planted, `follows`, the R² of the lean with
        the planted log odds, and `verdict`, one of `VERDICTS`.

    Examples
    --------
    >>> from lib.cultures.planted import Plan, plant
    >>> gaps = pd.DataFrame({"wages": np.linspace(0.7, 0.9, 30)}, index=[f"p{n:02d}" for n in range(30)])
    >>> plan, people = Plan(tokens=240, types=50), (["she"], ["he"])
    >>> text = plant(gaps, {"threat": ["danger"]}, {"threat": "-wages"}, *people, plan, rng=0)
    >>> against_planted(-text.log_odds, text, gaps, {"threat": "-wages"}, rng=0)["verdict"].tolist()
    ['wrong sign']
    """
    generator, rows = np.random.default_rng(rng), {}
    drawn = generator.integers(len(gaps), size=(resamples, len(gaps)))
    planted_r2 = text.planted_r2
    for theme, column in follow.items():
        gap = gaps[column.removeprefix("-")].to_numpy()
        sign = np.sign(planted_r2[theme])
        lean, odds = (
            table[theme].reindex(gaps.index).to_numpy() for table in (leans, text.log_odds)
        )
        value = sign * float(signed_r2(lean, gap))
        of_lean, of_odds = (
            sign * np.array([signed_r2(values[row], gap[row]) for row in drawn])
            for values in (lean, odds)
        )
        low, high = np.quantile(of_lean, [0.025, 0.975])
        apart = np.quantile(of_lean - of_odds, [0.025, 0.975])
        rows[theme] = {
            "planted": abs(planted_r2[theme]),
            "value": value,
            "low": low,
            "high": high,
            "difference low": apart[0],
            "difference high": apart[1],
            "follows": float(np.abs(signed_r2(lean, odds))),
            "verdict": VERDICTS[
                0 if value < 0 else 1 if apart[1] < 0 else 3 if apart[0] > 0 else 2
            ],
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def verdicts_in_words(rows: pd.DataFrame) -> str:
    """The rows of `against_planted` in words, those with the same verdict together.

    Examples
    --------
    >>> rows = {"verdict": ["too small"], "value": [0.25], "planted": [0.5]}
    >>> verdicts_in_words(pd.DataFrame(rows, index=["threat"]))
    'too small: threat (0.25 of 0.50)'
    """
    return "; ".join(
        f"{verdict}: "
        + ", ".join(
            f"{theme} ({row['value']:.2f} of {row['planted']:.2f})".replace("(-", "(−")
            for theme, row in group.iterrows()
        )
        for verdict, group in rows.groupby("verdict", sort=False)
    )


def mean_word_correlation(biases: pd.DataFrame, fewest: int = 10) -> float:
    """Mean correlation over cultures of any two words of a theme, NaN where there are no two.

    Parameters
    ----------
    biases : DataFrame
        Cultures × words.
    fewest : int
        Cultures that two words must share.

    Examples
    --------
    >>> round(mean_word_correlation(pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3], "c": [3, 2, 1]}), 3), 3)
    -0.333
    """
    table = biases.corr(min_periods=fewest).to_numpy()
    pairs = table[np.triu_indices(len(table), 1)]
    pairs = pairs[~np.isnan(pairs)]
    return float(pairs.mean()) if len(pairs) else float("nan")


def alarm_rates(alarms: Mapping[str, ArrayLike], level: float = 0.95) -> pd.DataFrame:
    """Shares of trials that raised an alarm, with exact (Clopper and Pearson) intervals.

    Parameters
    ----------
    alarms : dict of str to array_like of bool
        Test -> whether each trial raised one.
    level : float
        Of the interval.

    Returns
    -------
    DataFrame
        `value`, `low`, `high`, `n` by test.

    Examples
    --------
    >>> alarm_rates({"t-test": [True, False, False, False]}).round(3)
            value    low   high  n
    t-test   0.25  0.006  0.806  4
    """
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
    """The rows of `alarm_rates` as text.

    Examples
    --------
    >>> percent_with_interval(alarm_rates({"t-test": [True, False, False, False]}))["t-test"]
    '25% (1% to 81%)'
    """
    share, low, high = (rates[name].map("{:.0%}".format) for name in ("value", "low", "high"))
    return share + " (" + low + " to " + high + ")"


def neighbour_alarms(
    gaps: pd.DataFrame,
    groups: pd.Series,
    draws: int = 400,
    resamples: int = 199,
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
        Columns of noise, of which groups share four fifths of the variance.
    resamples : int
        Permutations of each statistic.
    rng : Generator or int, optional
        Of noise and permutations.

    Returns
    -------
    DataFrame
        Index statistics and way ("permuted among all", "permuted inside divisions"); the share of p ≤ 0.05 with
        its interval, as `alarm_rates` gives it.
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
    """How often words that move together are called a finding by a test that takes them for
    independent.

    Parameters
    ----------
    shared : float
        Share of the variance of a word's noise that goes with its valence, for any reason.
    draws, words, cultures : int
        Random gaps, and the size of each trial.
    floor : float
        Least absolute R² of a word that is compared; the paper's is 0.1.
    resamples : int
        Permutations of each gap.
    rng : Generator or int, optional
        Of noise and permutations.

    Returns
    -------
    DataFrame
        Test and level -> the share of the draws in which both groups of words have two members or more, as
        `alarm_rates` gives it.
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
