"""Tables over the grid: every score beside every gap, by where the spread comes from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.checks import one_of
from lib.inference.grouped import between_groups, clustered_correlation, within_groups
from lib.inference.sums import p_of_draws
from studies.predictive_validity.forcing import AS_TRAINED
from studies.predictive_validity.scores import SCORES

GAPS = ("coreference", "coreference, same jobs", "sentiment", "biographies")
# The score whose words and direction are those of the gap, stated before anything was computed
MATCHED = {
    "coreference": "WEAT jobs",
    "coreference, same jobs": "WEAT jobs",
    "sentiment": "WEAT pleasant, women",
    "biographies": "WEAT jobs",
}
FEWEST = 3  # corpora, beyond which there is a correlation
SPREADS = ("between corpora", "between seeds")


def natural_correlations(
    grid: pd.DataFrame,
    *,
    scores: Sequence[str] = SCORES,
    bound: float = 0.5,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Every score with every gap over vectors as they were trained: between corpora and between seeds.

    Columns spread, score, gap, r, low, high, p, equivalence p (against `bound`), verdict and n (corpora, or as many independent points
    as the seeds are worth). Vectors that lack a score are left out of its rows; a spread with too few is left out.
    """
    generator = np.random.default_rng(rng)
    natural = grid[grid["arm"] == AS_TRAINED]
    rows = []
    for score in scores:
        held = natural.dropna(subset=[score])
        for gap in GAPS:
            x, y, corpora = held[score], held[f"{gap} gap"], held["corpus"]
            about = {"bound": bound, "n_resamples": n_resamples, "rng": generator}
            several = corpora.nunique() > FEWEST
            if several and np.ptp(x) > 0:
                c = between_groups(x, y, corpora, **about)
                rows.append(_row(SPREADS[0], score, gap, c, c.n))
            if several and len(held) >= 2 * corpora.nunique():
                w = within_groups(x, y, corpora, **about)
                rows.append(_row(SPREADS[1], score, gap, w, round(w.points)))
    return pd.DataFrame(rows)


def _row(spread: str, score: str, gap: str, result, n: int) -> dict[str, object]:
    return {
        "spread": spread,
        "score": score,
        "gap": gap,
        "r": result.r,
        "low": result.low,
        "high": result.high,
        "p": result.pvalue,
        "equivalence p": result.equivalence_pvalue,
        "verdict": result.verdict,
        "n": n,
    }


def largest_by_chance(
    grid: pd.DataFrame,
    *,
    scores: Sequence[str] = SCORES,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float, float]:
    """The largest size of r between corpora over all scores and gaps; the 95 % point of the same when the gaps' corpora are permuted, all
    gaps together; and p."""
    natural = grid[grid["arm"] == AS_TRAINED]
    gaps = [f"{gap} gap" for gap in GAPS]
    means = natural.groupby("corpus")[[*scores, *gaps]].mean()
    generator = np.random.default_rng(rng)
    orders = [np.arange(len(means))]
    orders += [generator.permutation(len(means)) for _ in range(n_resamples)]
    y = means[gaps].to_numpy()[np.array(orders)]  # (draws, corpora, gaps); the first is as it is
    sizes = np.zeros(len(orders))
    for score in scores:
        held = natural.groupby("corpus")[score].count().eq(natural["corpus"].value_counts())
        held = held.reindex(means.index).to_numpy()
        if held.sum() > FEWEST:
            x = _standard(means[score].to_numpy()[held], axis=0)
            r = np.einsum("c,ncg->ng", x, _standard(y[:, held], axis=1)) / held.sum()
            sizes = np.maximum(sizes, np.abs(r).max(axis=1))
    p = p_of_draws(sizes[0], sizes[1:], tolerance=1e-12)
    return float(sizes[0]), float(np.quantile(sizes[1:], 0.95)), p


def _standard(values: np.ndarray, axis: int) -> np.ndarray:
    return (values - values.mean(axis=axis, keepdims=True)) / values.std(axis=axis, keepdims=True)


def forced_correlations(
    grid: pd.DataFrame,
    score_of: dict[str, str] | None = None,
    *,
    strongest: float = np.inf,
) -> pd.DataFrame:
    """Each gap with its score (by default that of `MATCHED`) over vectors that were moved, by which words were moved: arm, gap, score, r,
    low, high and n; vectors as trained are in each arm, strengths of a size above `strongest` are left out."""
    rows = []
    arms = [
        arm for arm in grid["arm"].unique() if (grid.loc[grid["arm"] == arm, "strength"] != 0).any()
    ]
    for arm in arms:
        part = grid[grid["arm"].isin([arm, AS_TRAINED]) & (grid["strength"].abs() <= strongest)]
        for gap, score in (score_of or MATCHED).items():
            held = part.dropna(subset=[score])
            c = clustered_correlation(held[score], held[f"{gap} gap"], held["corpus"])
            rows.append({"arm": arm, "gap": gap, "score": score, **vars(c), "n": len(held)})
    return pd.DataFrame(rows)


def by_strength(grid: pd.DataFrame, arm: str, column: str) -> pd.DataFrame:
    """A score or "… gap" of each set of vectors in one arm, (corpus, seed) × strengths, as `share_found` takes it; vectors as trained are
    strength 0."""
    one_of("arm", arm, list(grid["arm"].unique()))
    part = grid[grid["arm"].isin([arm, AS_TRAINED])]
    return part.pivot(index=["corpus", "seed"], columns="strength", values=column)
