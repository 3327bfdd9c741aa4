"""Word biases of cultures against statistical gender gaps: signed R², selection of words, and what selection does to noise.

Biases are (n, w): a row for each culture, a column for each word of a theme, NaN where a culture's embedding lacks the word.
A theme's bias in a culture is the mean over the words that are there. Signed R² is the squared correlation with the
sign of the correlation. Everything random runs over many repetitions at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Array = NDArray[np.floating]
TINY = 1e-12
BLOCK = 2**22  # numbers held at a time in a simulation


def signed_r2(biases: ArrayLike, gap: ArrayLike) -> Array:
    """R² of the regression of a gap on each column of biases, negative where they go in opposite directions.

    biases : (n,) or (n, k); gap : (n,). Cultures in which either is NaN are left out column by column.
    Returns a number or (k,) in [-1, 1]; 0 where a column does not vary. Raises ValueError for shapes that disagree, and for
    fewer than three cultures.
    Friedman et al. (2019), Figures 1 and 3.
    """
    biases, gap = np.asarray(biases, float), np.asarray(gap, float)
    if biases.ndim not in (1, 2) or gap.shape != biases.shape[:1] or len(gap) < 3:
        raise ValueError(
            f"expected (n,) or (n, k) biases and (n,) values of a gap, n of 3 or more, got {biases.shape} and "
            f"{gap.shape}"
        )
    columns = biases.reshape(len(gap), -1).T
    found = _signed_r2(columns, np.where(np.isnan(gap), np.nan, gap)[None])
    return found[0] if biases.ndim == 1 else found


def theme_bias(biases: ArrayLike) -> Array:
    """Mean over the words that are there, (n, w) -> (n,); NaN in a culture that has none of them."""
    biases = np.asarray(biases, float)
    there = ~np.isnan(biases)
    with np.errstate(invalid="ignore"):
        return np.where(there, biases, 0).sum(axis=1) / np.where(
            there.any(axis=1), there.sum(axis=1), np.nan
        )


def select_words(biases: ArrayLike, gap: ArrayLike) -> NDArray[np.bool_]:
    """Which words of a theme stay when words are taken out one by one for as long as R² rises.

    biases : (n, w); gap : (n,). Returns (w,); at least one word stays. At each step the word goes whose loss raises R² most,
    the first among equals. The paper says that selection starts from the whole set and never lowers R², and no more.
    Friedman et al. (2019), Section 4.1.
    """
    biases, gap = _complete(biases, gap)
    return _eliminate(biases[None], gap[None])[0]


@dataclass(frozen=True, eq=False)
class GapRegression:
    """A theme's bias against a gap, with and without selection of words.

    r2 : the paper's value: words selected on a share of the cultures, scored on all of them, mean of the repetitions;
    held_out : the same words scored on the cultures they were not selected on (NaN where there are none);
    unselected : with all words; p_value : share of permuted gaps, the given one among them, whose |r2| is as large with the
    selection done anew; p_held_out, p_unselected : the same of the other two; n : cultures;
    words : (repetitions, w) which were kept;
    null, held_out_null : (resamples,) r2 and held_out of permuted gaps.
    """

    r2: float
    held_out: float
    unselected: float
    p_value: float
    p_held_out: float
    p_unselected: float
    n: int
    words: NDArray[np.bool_] = field(repr=False)
    null: Array = field(repr=False)
    held_out_null: Array = field(repr=False)


def regress(
    biases: ArrayLike,
    gap: ArrayLike,
    *,
    share: float = 0.2,
    repetitions: int = 5,
    resamples: int = 1000,
    groups: ArrayLike | None = None,
    rng=None,
) -> GapRegression:
    """Regress a gap on a theme's bias as the paper does, and set beside it what the same procedure finds in permuted gaps.

    biases : (n, w); gap : (n,), cultures with NaN left out; share : of the cultures on which words are selected, at least
    three, 1 for all of them (Figure 5); repetitions : of draw, selection and score, averaged; groups : (n,) labels such as
    regions within which gaps are permuted, when neighbours are alike.
    Raises ValueError for shapes that disagree, fewer than three cultures, or a share outside (0, 1].
    Friedman et al. (2019), Section 4.1; the null is ours.
    """
    rng = np.random.default_rng(rng)
    biases, gap, groups = _usable(biases, gap, groups)
    chosen = _draws(len(gap), share, repetitions, rng)
    gaps = np.stack([gap, *(_permuted(gap, groups, rng) for _ in range(resamples))])
    scored = _scored(biases[None], gaps, chosen)
    whole = np.abs(_signed_r2(theme_bias(biases)[None], gaps))
    r2, held_out = scored.r2.mean(axis=0), scored.held_out.mean(axis=0)
    return GapRegression(
        r2=float(r2[0]),
        held_out=float(held_out[0]),
        n=len(gap),
        words=scored.first_words,
        unselected=float(_signed_r2(theme_bias(biases)[None], gap[None])[0]),
        p_value=_share_as_large(np.abs(r2)),
        p_held_out=_share_as_large(np.abs(held_out)),
        p_unselected=_share_as_large(whole),
        null=r2[1:],
        held_out_null=held_out[1:],
    )


@dataclass(frozen=True, eq=False)
class NoiseNull:
    """What the procedure finds in noise: (simulations,) signed R², the same held out, and with all words."""

    r2: Array = field(repr=False)
    held_out: Array = field(repr=False)
    unselected: Array = field(repr=False)

    def quantiles(self, *at: float) -> dict[str, Array]:
        """Quantiles of the absolute values."""
        return {
            name: np.quantile(np.abs(getattr(self, name)), at)
            for name in ("r2", "held_out", "unselected")
            if not np.isnan(getattr(self, name)).any()
        }


def noise_null(
    n: int,
    words: int = 20,
    *,
    share: float = 0.2,
    repetitions: int = 5,
    correlation: float = 0.0,
    simulations: int = 2000,
    rng=None,
) -> NoiseNull:
    """The procedure on biases and gaps that are independent normal noise.

    n : cultures; words : of the theme; correlation : of any two words over cultures (0 gives selection most to choose from).
    Raises ValueError for a correlation outside [0, 1).
    """
    if not 0 <= correlation < 1:
        raise ValueError(f"correlation: expected 0 or more and below 1, got {correlation}")
    rng = np.random.default_rng(rng)
    parts = []
    for start in range(0, simulations, step := max(1, BLOCK // (n * words))):
        size = min(step, simulations - start)
        shared, own = rng.standard_normal((size, n, 1)), rng.standard_normal((size, n, words))
        biases, gaps = (
            correlation**0.5 * shared + (1 - correlation) ** 0.5 * own,
            rng.standard_normal((size, n)),
        )
        found = _scored(biases, gaps, _draws(n, share, repetitions, rng))
        parts.append(
            (
                found.r2.mean(axis=0),
                found.held_out.mean(axis=0),
                _signed_r2(biases.mean(axis=2), gaps),
            )
        )
    return NoiseNull(*map(np.concatenate, zip(*parts)))


def detectable_r2(n: int, power: float = 0.8, level: float = 0.05) -> float:
    """The smallest R² of one predictor that n cultures show with this power in a two-sided test of this level.

    By Fisher's transformation of the correlation. Raises ValueError for n below 4.
    """
    if n < 4:
        raise ValueError(f"n: expected 4 cultures or more, got {n}")
    reach = stats.norm.ppf(1 - level / 2) + stats.norm.ppf(power)
    return float(np.tanh(reach / np.sqrt(n - 3)) ** 2)


def r2_interval(r2: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of a signed R² over n cultures, by Fisher's transformation of the correlation: cultures as independent draws.

    Raises ValueError for n below 4.
    """
    if n < 4:
        raise ValueError(f"n: expected 4 cultures or more, got {n}")
    middle = np.arctanh(np.clip(np.sign(r2) * abs(r2) ** 0.5, -1 + TINY, 1 - TINY))
    ends = np.tanh(middle + np.array([-1, 1]) * stats.norm.ppf((1 + level) / 2) / np.sqrt(n - 3))
    return tuple((np.sign(ends) * ends**2).tolist())


def fitted_line(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> pd.DataFrame:
    """Least-squares line of y on x with the pointwise interval of its mean: columns line, low, high; index 50 values of x.

    x, y : (n,), pairs with NaN left out.
    """
    x, y = np.array([x, y], float)[:, ~np.isnan(x) & ~np.isnan(y)]
    fit, grid = stats.linregress(x, y), np.linspace(x.min(), x.max(), 50)
    line = fit.intercept + fit.slope * grid
    error = np.sqrt(fit.intercept_stderr**2 + fit.stderr**2 * (grid**2 - 2 * grid * x.mean()))
    reach = stats.t.ppf((1 + level) / 2, len(x) - 2) * error
    return pd.DataFrame({"line": line, "low": line - reach, "high": line + reach}, index=grid)


@dataclass(frozen=True)
class _Scores:
    r2: Array  # (repetitions, s)
    held_out: Array
    first_words: NDArray[np.bool_]  # (repetitions, w) of the first of s


def _scored(biases: Array, gaps: Array, draws: list[NDArray[np.bool_]]) -> _Scores:
    """Select on each draw of cultures and score on all and on the others. biases : (1 or s, n, w); gaps : (s, n)."""
    r2, held_out, words = [], [], []
    for drawn in draws:
        kept = np.concatenate(
            [
                _eliminate(
                    biases[block if len(biases) > 1 else slice(None), drawn], gaps[block][:, drawn]
                )
                for block in _blocks(len(gaps), drawn.sum() * biases.shape[2])
            ]
        )
        means = _means(biases, kept)
        r2.append(_signed_r2(means, gaps))
        enough = (~drawn).sum() > 2
        held_out.append(
            _signed_r2(means[:, ~drawn], gaps[:, ~drawn]) if enough else np.full(len(gaps), np.nan)
        )
        words.append(kept[0])
    return _Scores(np.array(r2), np.array(held_out), np.array(words))


def _blocks(count: int, size: int) -> list[slice]:
    step = max(1, BLOCK // max(1, int(size)))
    return [slice(start, start + step) for start in range(0, count, step)]


def _eliminate(biases: Array, gaps: Array) -> NDArray[np.bool_]:
    """Backward elimination in many regressions at once. biases : (1 or s, n, w); gaps : (s, n). Returns (s, w)."""
    there = (~np.isnan(biases)).astype(float)
    values = np.where(there > 0, biases, 0.0)
    kept = np.ones((len(gaps), biases.shape[2]))
    active = np.arange(len(gaps))
    best = np.abs(_signed_r2(_means(biases, kept > 0), gaps))
    while len(active):
        of = active if len(biases) > 1 else slice(None)
        sums, counts = (
            np.einsum(
                "snw,sw->sn", np.broadcast_to(a[of], (len(active), *a.shape[1:])), kept[active]
            )
            for a in (values, there)
        )
        without = _ratio(sums[:, :, None] - values[of], counts[:, :, None] - there[of])
        r2 = np.abs(_signed_r2(without, gaps[active][:, :, None], axis=1))
        r2[(kept[active] == 0) | (kept[active].sum(axis=1, keepdims=True) <= 1)] = -1
        word = r2.argmax(axis=1)
        better = r2[np.arange(len(active)), word] > best[active] + TINY
        active, word, r2 = active[better], word[better], r2[better]
        kept[active, word] = 0
        best[active] = r2[np.arange(len(active)), word]
    return kept > 0


def _means(biases: Array, kept: NDArray[np.bool_]) -> Array:
    """Mean of the kept words that are there, (s, n)."""
    there = ~np.isnan(biases)
    sums = np.matmul(np.where(there, biases, 0.0), kept[:, :, None].astype(float))[:, :, 0]
    return _ratio(sums, np.matmul(there.astype(float), kept[:, :, None].astype(float))[:, :, 0])


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


def _draws(n: int, share: float, repetitions: int, rng) -> list[NDArray[np.bool_]]:
    """For each repetition, which cultures words are selected on."""
    if not 0 < share <= 1:
        raise ValueError(
            f"share: expected a share of the cultures above 0 and up to 1, got {share}"
        )
    size = max(3, round(share * n))
    if size == n:
        return [np.ones(n, bool)]
    return [np.isin(np.arange(n), rng.choice(n, size, replace=False)) for _ in range(repetitions)]


def _permuted(gap: Array, groups: NDArray, rng) -> Array:
    shuffled = gap.copy()
    for group in np.unique(groups):
        inside = np.flatnonzero(groups == group)
        shuffled[inside] = gap[rng.permutation(inside)]
    return shuffled


def _share_as_large(values: Array) -> float:
    """p-value of the first of some values among all of them, itself included."""
    return float("nan") if np.isnan(values[0]) else float((values >= values[0] - TINY).mean())


def _complete(biases: ArrayLike, gap: ArrayLike) -> tuple[Array, Array]:
    biases, gap, _ = _usable(biases, gap, None)
    return biases, gap


def _usable(
    biases: ArrayLike, gap: ArrayLike, groups: ArrayLike | None
) -> tuple[Array, Array, NDArray]:
    """Checked arrays without the cultures that have no gap or no word."""
    biases, gap = np.asarray(biases, float), np.asarray(gap, float)
    groups = np.zeros(len(gap), int) if groups is None else np.asarray(groups)
    if biases.ndim != 2 or gap.shape != biases.shape[:1] or groups.shape != gap.shape:
        raise ValueError(
            f"expected (n, w) biases, (n,) values of a gap and (n,) groups, got {biases.shape}, {gap.shape} "
            f"and {groups.shape}"
        )
    usable = ~np.isnan(gap) & ~np.isnan(biases).all(axis=1)
    if usable.sum() < 3:
        raise ValueError(
            f"expected 3 cultures or more with a bias and a gap, got {usable.sum()}; their codes must agree"
        )
    return biases[usable], gap[usable], groups[usable]
