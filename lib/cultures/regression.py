"""Word biases of cultures against statistical gender gaps: signed R², selection of words, what
selection does to noise.

Biases are (n, w): a row for each culture, a column for each word of a theme, NaN where a culture's
embedding lacks the word. A theme's bias in a culture is the mean over the words that are there.
Signed R² is the squared correlation with the sign of the correlation. Everything random runs over
many repetitions at once.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.sums import p_of_draws

Array = NDArray[np.floating]
TINY = 1e-12
FLAT = 1e-10  # of the largest variance of a word: a mean of words that varies less does not vary
BLOCK = 2**22  # numbers held at a time in a simulation


def signed_r2(biases: ArrayLike, gap: ArrayLike) -> Array:
    """R² of the regression of a gap on each column of biases, negative where they go in opposite
    directions.

    Parameters
    ----------
    biases : (n,) or (n, k) array_like
        Cultures × words or themes.
    gap : (n,) array_like
        A statistic of each culture. Cultures in which either is NaN are left out column by column.

    Returns
    -------
    float or (k,) array
        In [-1, 1]; 0 where a column does not vary.

    Raises
    ------
    ValueError
        For shapes that disagree, and for fewer than three cultures.

    References
    ----------
    Friedman et al. (2019), Figures 1 and 3.

    Examples
    --------
    >>> signed_r2([[1, 3], [2, 2], [3, 1]], [10, 20, 30])
    array([ 1., -1.])
    """
    biases, gap = real_numbers("biases", biases), real_numbers("gap", gap)
    if biases.ndim not in (1, 2) or gap.shape != biases.shape[:1] or len(gap) < 3:
        raise ValueError(
            "expected (n,) or (n, k) biases and (n,) values of a gap, n of 3 or more, "
            f"got {biases.shape} and {gap.shape}"
        )
    r2 = _signed_r2(biases.reshape(len(gap), -1).T, gap[None])
    return r2[0] if biases.ndim == 1 else r2


def theme_bias(biases: ArrayLike) -> Array:
    """The bias of a theme in each culture: the mean over its words that are there.

    Parameters
    ----------
    biases : (n, w) array_like
        Cultures × words, NaN where a culture lacks a word.

    Returns
    -------
    (n,) array
        NaN in a culture that has none of the words.

    Examples
    --------
    >>> theme_bias([[1, 3], [np.nan, 5]])
    array([2., 5.])
    """
    biases = real_numbers("biases", biases)
    there = ~np.isnan(biases)
    with np.errstate(invalid="ignore"):
        return np.where(there, biases, 0).sum(axis=1) / np.where(
            there.any(axis=1), there.sum(axis=1), np.nan
        )


def select_words(biases: ArrayLike, gap: ArrayLike) -> NDArray[np.bool_]:
    """Which words of a theme stay when words are taken out one by one for as long as R² rises.

    At each step the word goes whose loss raises R² most, the first among equals. The paper says that selection
    starts from the whole set and never lowers R², and no more.

    Parameters
    ----------
    biases : (n, w) array_like
        Cultures × words.
    gap : (n,) array_like
        A statistic of each culture.

    Returns
    -------
    (w,) array of bool
        At least one word stays.

    References
    ----------
    Friedman et al. (2019), Section 4.1.

    Examples
    --------
    >>> select_words([[1, 5], [2, 0], [3, 3], [4, 1]], [1, 2, 3, 4])
    array([ True, False])
    """
    biases, gap, _ = _usable(biases, gap)
    return _eliminate(biases[None], gap[None])[0]


@dataclass(frozen=True, eq=False)
class GapRegression:
    """A theme's bias against a gap, with and without selection of words.

    Attributes
    ----------
    r2 : float
        Signed R² as the paper has it: words selected on a share of the cultures, scored on all of them, mean of
        the repetitions.
    held_out : float
        The same words scored on the cultures they were not selected on; NaN where there are none.
    unselected : float
        With all words.
    p_value, p_held_out, p_unselected : float
        Share of permuted gaps, the given one among them, whose absolute value is as large, with the selection
        done anew.
    n : int
        Cultures.
    words : (repetitions, w) array of bool
        Which were kept.
    """

    r2: float
    held_out: float
    unselected: float
    p_value: float
    p_held_out: float
    p_unselected: float
    n: int
    words: NDArray[np.bool_] = field(repr=False)


def regress(
    biases: ArrayLike,
    gap: ArrayLike,
    *,
    share: float = 0.2,
    repetitions: int = 5,
    resamples: int = 1000,
    groups: ArrayLike | None = None,
    rng: np.random.Generator | int | None = None,
) -> GapRegression:
    """Regress a gap on a theme's bias as the paper does; beside it, what the same procedure finds
    in permuted gaps.

    Parameters
    ----------
    biases : (n, w) array_like
        Cultures × words.
    gap : (n,) array_like
        A statistic of each culture; cultures with NaN are left out.
    share : float
        Share of the cultures on which words are selected, at least three; 1 for all of them (Figure
        5).
    repetitions : int
        Of draw, selection and score, averaged.
    resamples : int
        Permutations of the gap.
    groups : (n,) array_like, optional
        Labels such as regions within which gaps are permuted, when neighbours are alike.
    rng : Generator or int, optional
        Of draws and permutations.

    Raises
    ------
    ValueError
        For shapes that disagree, fewer than three cultures, or a share outside (0, 1].

    References
    ----------
    Friedman et al. (2019), Section 4.1; the null is ours.

    Examples
    --------
    >>> gap = np.arange(10.0)
    >>> fit = regress(np.column_stack([-gap, gap % 3]), gap, resamples=99, rng=0)
    >>> fit.unselected < -0.8, fit.p_unselected
    (True, 0.01)
    """
    rng = np.random.default_rng(rng)
    biases, gap, groups = _usable(biases, gap, groups)
    chosen = _draws(len(gap), share, repetitions, rng)
    gaps = np.stack([gap, *(_permuted(gap, groups, rng) for _ in range(resamples))])
    selected = _scored(biases[None], gaps, chosen)
    whole = _signed_r2(theme_bias(biases)[None], gaps)
    r2, held_out = selected.r2.mean(axis=0), selected.held_out.mean(axis=0)
    return GapRegression(
        r2=float(r2[0]),
        held_out=float(held_out[0]),
        unselected=float(whole[0]),
        p_value=_share_as_large(r2),
        p_held_out=_share_as_large(held_out),
        p_unselected=_share_as_large(whole),
        n=len(gap),
        words=selected.first_words,
    )


@dataclass(frozen=True, eq=False)
class NoiseNull:
    """What the procedure finds in noise.

    Attributes
    ----------
    r2, held_out, unselected : (simulations,) array
        Signed R² with words selected, the same held out, and with all words.
    """

    r2: Array = field(repr=False)
    held_out: Array = field(repr=False)
    unselected: Array = field(repr=False)

    def quantiles(self, *at: float) -> dict[str, Array]:
        """Quantiles of the absolute values, of those of the three that there are."""
        return {
            name: np.quantile(np.abs(values), at)
            for name, values in vars(self).items()
            if not np.isnan(values).any()
        }


def noise_null(
    n: int,
    words: int = 20,
    *,
    share: float = 0.2,
    repetitions: int = 5,
    correlation: float = 0.0,
    simulations: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> NoiseNull:
    """The procedure on biases and gaps that are independent normal noise.

    Parameters
    ----------
    n : int
        Cultures.
    words : int
        Of the theme.
    share, repetitions
        As `regress` takes them.
    correlation : float
        Of any two words over cultures; 0 gives selection most to choose from.
    simulations : int
        Draws of noise.
    rng : Generator or int, optional
        Of the noise.

    Raises
    ------
    ValueError
        For a correlation outside [0, 1).

    Examples
    --------
    >>> null = noise_null(51, 20, share=1, simulations=200, rng=0).quantiles(0.95)
    >>> null["r2"] > 5 * null["unselected"] / 2
    array([ True])
    """
    if not 0 <= correlation < 1:
        raise ValueError(f"correlation: expected 0 or more and below 1, got {correlation}")
    rng = np.random.default_rng(rng)
    parts = []
    for block in _blocks(simulations, n * words):
        size = len(range(simulations)[block])
        shared, own = rng.standard_normal((size, n, 1)), rng.standard_normal((size, n, words))
        biases = correlation**0.5 * shared + (1 - correlation) ** 0.5 * own
        gaps = rng.standard_normal((size, n))
        selected = _scored(biases, gaps, _draws(n, share, repetitions, rng))
        whole = _signed_r2(biases.mean(axis=2), gaps)
        parts.append((selected.r2.mean(axis=0), selected.held_out.mean(axis=0), whole))
    return NoiseNull(*map(np.concatenate, zip(*parts)))


def detectable_r2(n: int, power: float = 0.8, level: float = 0.05) -> float:
    """The smallest R² of one predictor that n cultures show with this power in a two-sided test of
    this level.

    By Fisher's transformation of the correlation.

    Raises
    ------
    ValueError
        For n below 4.

    Examples
    --------
    >>> round(detectable_r2(51), 3)
    0.147
    """
    if n < 4:
        raise ValueError(f"n: expected 4 cultures or more, got {n}")
    reach = stats.norm.ppf(1 - level / 2) + stats.norm.ppf(power)
    return float(np.tanh(reach / np.sqrt(n - 3)) ** 2)


def r2_interval(r2: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of a signed R² over n cultures, by Fisher's transformation: cultures as independent
    draws.

    Parameters
    ----------
    r2 : float
        Signed, in [-1, 1].
    n : int
        Cultures.
    level : float
        Of the interval.

    Raises
    ------
    ValueError
        For n below 4.

    Examples
    --------
    >>> low, high = r2_interval(0.25, 51)
    >>> round(low, 3), round(high, 3)
    (0.068, 0.465)
    """
    if n < 4:
        raise ValueError(f"n: expected 4 cultures or more, got {n}")
    middle = np.arctanh(np.clip(np.sign(r2) * abs(r2) ** 0.5, -1 + TINY, 1 - TINY))
    ends = np.tanh(middle + np.array([-1, 1]) * stats.norm.ppf((1 + level) / 2) / np.sqrt(n - 3))
    return tuple((np.sign(ends) * ends**2).tolist())


def fitted_line(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> pd.DataFrame:
    """Least-squares line of y on x with the pointwise interval of its mean.

    Parameters
    ----------
    x, y : (n,) array_like
        Pairs with NaN are left out.
    level : float
        Of the interval.

    Returns
    -------
    DataFrame
        `line`, `low`, `high` at 50 values of x, the index.

    Examples
    --------
    >>> fitted_line([0, 1, 2, 3], [0, 2, 4, 6]).loc[3.0, "line"].round(6)
    np.float64(6.0)
    """
    from statsmodels.api import OLS, add_constant

    x, y = np.array([x, y], float)[:, ~np.isnan(x) & ~np.isnan(y)]
    grid = np.linspace(x.min(), x.max(), 50)
    prediction = OLS(y, add_constant(x)).fit().get_prediction(add_constant(grid))
    table = prediction.summary_frame(alpha=1 - level).set_index(grid)
    columns = {"mean": "line", "mean_ci_lower": "low", "mean_ci_upper": "high"}
    return table.rename(columns=columns)[[*columns.values()]]


@dataclass(frozen=True)
class _Scores:
    r2: Array  # (repetitions, s)
    held_out: Array
    first_words: NDArray[np.bool_]  # (repetitions, w) of the first of s


def _scored(biases: Array, gaps: Array, draws: list[NDArray[np.bool_]]) -> _Scores:
    """Select on each draw of cultures and score on all and on the others. biases : (1 or s, n, w);
    gaps : (s, n).
    """
    r2, held_out, words = [], [], []
    for chosen in draws:
        blocks = _blocks(len(gaps), chosen.sum() * biases.shape[2])
        kept = np.concatenate(
            [
                _eliminate(
                    biases[block if len(biases) > 1 else slice(None), chosen],
                    gaps[block][:, chosen],
                )
                for block in blocks
            ]
        )
        means = _means(biases, kept)
        r2.append(_signed_r2(means, gaps))
        enough = (~chosen).sum() > 2
        nothing = np.full(len(gaps), np.nan)
        held_out.append(_signed_r2(means[:, ~chosen], gaps[:, ~chosen]) if enough else nothing)
        words.append(kept[0])
    return _Scores(np.array(r2), np.array(held_out), np.array(words))


def _blocks(count: int, size: int) -> list[slice]:
    step = max(1, BLOCK // max(1, int(size)))
    return [slice(start, start + step) for start in range(0, count, step)]


def _eliminate(biases: Array, gaps: Array) -> NDArray[np.bool_]:
    """Backward elimination in s regressions at once. biases : (1 or s, n, w); gaps : (s, n).
    Returns (s, w).
    """
    if np.isnan(biases).any() or np.isnan(gaps).any():
        return _eliminate_with_holes(biases, gaps)
    # R² of a mean of words needs no more than their covariances: with the gap, and with each other.
    biases = biases - biases.mean(axis=1, keepdims=True)
    gaps = gaps - gaps.mean(axis=1, keepdims=True)
    with_gap = np.matmul(gaps[:, None, :], biases)[:, 0]  # (s, w)
    with_words = np.matmul(biases.transpose(0, 2, 1), biases)  # (1 or s, w, w)
    own = np.broadcast_to(np.einsum("sww->sw", with_words), with_gap.shape)
    of_gap, flat = (gaps**2).sum(axis=1), FLAT * own.max(axis=1)
    kept = np.ones(with_gap.shape, bool)
    together = with_gap.sum(axis=1)
    with_kept = np.broadcast_to(with_words.sum(axis=2), with_gap.shape).copy()
    spread = with_kept.sum(axis=1)

    def r2(covariance, variance, rows):
        scale = variance * of_gap[rows].reshape(-1, *[1] * (variance.ndim - 1))
        known = (variance > flat[rows].reshape(-1, *[1] * (variance.ndim - 1))) & (scale > TINY**2)
        return np.divide(covariance**2, scale, out=np.zeros_like(scale), where=known)

    active = np.arange(len(gaps))  # the regressions whose R² still rises
    best = r2(together, spread, active)
    while len(active):
        variance = spread[active, None] - 2 * with_kept[active] + own[active]
        without = r2(together[active, None] - with_gap[active], variance, active)
        without[~kept[active] | (kept[active].sum(axis=1, keepdims=True) <= 1)] = -1
        word, highest = without.argmax(axis=1), without.max(axis=1)
        better = highest > best[active] + TINY
        rows, word = active[better], word[better]
        together[rows] -= with_gap[rows, word]
        spread[rows] = variance[better, word]
        with_kept[rows] -= with_words[rows if len(with_words) > 1 else 0, word]
        kept[rows, word] = False
        best[rows], active = highest[better], rows
    return kept


def _eliminate_with_holes(biases: Array, gaps: Array) -> NDArray[np.bool_]:
    """The same where some words are missing in some cultures, so that a mean is over other words in
    each.
    """
    there = (~np.isnan(biases)).astype(float)
    values = np.where(there > 0, biases, 0.0)
    kept = np.ones((len(gaps), biases.shape[2]))
    best = np.abs(_signed_r2(_means(biases, kept > 0), gaps))
    active = np.arange(len(gaps))  # the regressions whose R² still rises
    while len(active):
        rows = active if len(biases) > 1 else slice(None)
        sums, counts = (
            np.einsum(
                "snw,sw->sn", np.broadcast_to(a[rows], (len(active), *a.shape[1:])), kept[active]
            )
            for a in (values, there)
        )
        without = _ratio(sums[:, :, None] - values[rows], counts[:, :, None] - there[rows])
        r2 = np.abs(_signed_r2(without, gaps[active][:, :, None], axis=1))  # (active, w)
        gone = kept[active] == 0
        last = kept[active].sum(axis=1, keepdims=True) <= 1
        r2[gone | last] = -1
        word = r2.argmax(axis=1)
        r2 = r2.max(axis=1)
        better = r2 > best[active] + TINY
        active, word = active[better], word[better]
        kept[active, word] = 0
        best[active] = r2[better]
    return kept > 0


def _means(biases: Array, kept: NDArray[np.bool_]) -> Array:
    """Mean of the kept words that are there, (s, n)."""
    there, chosen = ~np.isnan(biases), kept.astype(float)
    if there.all():
        sums = (
            np.matmul(biases, chosen[:, :, None])[:, :, 0]
            if len(biases) > 1
            else chosen @ biases[0].T
        )
        return sums / chosen.sum(axis=1, keepdims=True)
    sums = np.matmul(np.where(there, biases, 0.0), chosen[:, :, None])[:, :, 0]
    return _ratio(sums, np.matmul(there.astype(float), chosen[:, :, None])[:, :, 0])


def _ratio(sums: Array, counts: Array) -> Array:
    return np.divide(
        sums,
        counts,
        out=np.full(np.broadcast_shapes(sums.shape, counts.shape), np.nan),
        where=counts > 0.5,
    )


def _signed_r2(x: Array, y: Array, axis: int = -1) -> Array:
    """Signed R² along an axis, NaN left out pairwise."""
    known = ~np.isnan(x) & ~np.isnan(y)
    if not known.all():
        x, y = np.where(known, x, 0.0), np.where(known, y, 0.0)
    n = np.maximum(known.sum(axis=axis, keepdims=True), 1)
    x = np.where(known, x - x.sum(axis=axis, keepdims=True) / n, 0.0)
    y = np.where(known, y - y.sum(axis=axis, keepdims=True) / n, 0.0)
    together, of_x, of_y = ((a * b).sum(axis=axis) for a, b in ((x, y), (x, x), (y, y)))
    scale = of_x * of_y
    flat = scale <= TINY**2 * np.maximum(1.0, np.abs(of_y))
    return np.where(flat, 0.0, together * np.abs(together) / np.where(flat, 1.0, scale))


def _draws(
    n: int, share: float, repetitions: int, rng: np.random.Generator
) -> list[NDArray[np.bool_]]:
    """For each repetition, which cultures words are selected on."""
    if not 0 < share <= 1:
        raise ValueError(
            f"share: expected a share of the cultures above 0 and up to 1, got {share}"
        )
    size = max(3, round(share * n))
    if size == n:
        return [np.ones(n, bool)]
    return [np.isin(np.arange(n), rng.choice(n, size, replace=False)) for _ in range(repetitions)]


def _permuted(gap: Array, groups: NDArray, rng: np.random.Generator) -> Array:
    shuffled = gap.copy()
    for group in np.unique(groups):
        inside = np.flatnonzero(groups == group)
        shuffled[inside] = gap[rng.permutation(inside)]
    return shuffled


def _share_as_large(r2: Array) -> float:
    """p-value of the first of some values by size among all of them, itself included."""
    size = np.abs(r2)
    if len(size) == 1:  # nothing was permuted: nothing is shown
        return float("nan") if np.isnan(size[0]) else 1.0
    return p_of_draws(size[0], size[1:], tolerance=TINY)


def _usable(
    biases: ArrayLike, gap: ArrayLike, groups: ArrayLike | None = None
) -> tuple[Array, Array, NDArray]:
    """Checked arrays without the cultures that have no gap or no word."""
    biases, gap = real_numbers("biases", biases), real_numbers("gap", gap)
    groups = np.zeros(len(gap), int) if groups is None else np.asarray(groups)
    if biases.ndim != 2 or gap.shape != biases.shape[:1] or groups.shape != gap.shape:
        raise ValueError(
            "expected (n, w) biases, (n,) values of a gap and (n,) groups, "
            f"got {biases.shape}, {gap.shape} and {groups.shape}"
        )
    usable = ~np.isnan(gap) & ~np.isnan(biases).all(axis=1)
    if usable.sum() < 3:
        raise ValueError(
            f"expected 3 cultures or more with a bias and a gap, got {usable.sum()}; "
            "their codes must agree"
        )
    return biases[usable], gap[usable], groups[usable]
