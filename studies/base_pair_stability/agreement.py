"""Agreement of base pairs, as the paper reports it: one table, agreement with a truth, and agreement beside geometry.

Scores are (n, p): n words judged by p base pairs, the sign of a score is the judgement. What agreement of any raters needs
is in `lib.agreement`, and stands here, too, so that the chapter has one name for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.agreement import (
    direction_kappa,
    gwet_ac1,
    kappa_between_raters,
    kappa_without_each,
    magnitude_change_rate,
    pairwise_kappa,
    percent_agreement,
    same_direction_share,
    score_correlation,
)
from lib.checks import real_numbers
from lib.inference.sums import p_of_draws

__all__ = [
    "agreement_with_truth",
    "direction_kappa",
    "gwet_ac1",
    "kappa_between_raters",
    "kappa_from_angle",
    "kappa_without_each",
    "mantel",
    "pairwise_kappa",
    "percent_agreement",
    "row_p_values",
    "same_direction_share",
    "score_correlation",
    "stability_table",
]
Floats = NDArray[np.float64]


def stability_table(
    scores: Mapping[str, ArrayLike], scales: Mapping[str, float], *, zeros: str = "second"
) -> pd.DataFrame:
    """How stable each measure is over its base pairs: Table 2 and Section 6, with Gwet's AC1 and the score correlation beside.

    `scales` holds the change that counts as relevant, as in `magnitude_change_rate`; a row for each measure, NaN where
    undefined.
    """
    rows = {}
    for measure, values in scores.items():
        scale = scales[measure]
        changes = 100 * magnitude_change_rate(values, scale) if scale > 0 else np.nan
        rows[measure] = {
            "Fleiss kappa": direction_kappa(values, zeros=zeros),
            "percent agreement": 100 * percent_agreement(values, zeros=zeros),
            "Gwet AC1": gwet_ac1(values, zeros=zeros),
            "score ICC": score_correlation(values),
            "same direction (%)": 100 * same_direction_share(values, zeros=zeros),
            "relevant changes (%)": changes,
            "complement (%)": 100 - changes,
            "zeros": int((np.asarray(values) == 0).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def agreement_with_truth(scores: ArrayLike, truth: ArrayLike, *, zeros: str = "second") -> Floats:
    """Cohen's kappa (p,) of the sides that each base pair gives to words with those they have, the signs of `truth` (n,)."""
    scores = real_numbers("scores", scores)
    known = np.broadcast_to(real_numbers("truth", truth)[:, None], scores.shape)
    return pairwise_kappa(scores, known, zeros=zeros)


def kappa_from_angle(cosines: ArrayLike) -> Floats:
    """Agreement of two directions that geometry alone predicts for words scattered evenly: 1 - 2 arccos(cosine)/pi.

    Two half-spaces at an angle give a word the same sign with probability 1 - angle/pi, and chance gives one half.
    """
    values = real_numbers("cosines", cosines)
    if (np.abs(values) > 1 + 1e-6).any():  # rounding aside
        worst = values.flat[np.nanargmax(np.abs(values))]
        raise ValueError(f"cosines: expected numbers from -1 to 1; got {worst:.6g}")
    angles: Floats = np.arccos(np.clip(values, -1, 1))
    return 1 - 2 * angles / np.pi


def row_p_values(first: ArrayLike, second: ArrayLike, *, diagonal: bool = True) -> Floats:
    """Two-sided p (p,) of the correlation of two matrices (p, p) over the same things, row by row: Section 7.

    The cell of a thing with itself counts in the paper: `diagonal`. NaN for rows with fewer than three cells, or with cells
    that are all alike.
    """
    first, second = real_numbers("first", first).copy(), real_numbers("second", second)
    if (
        first.ndim != 2
        or first.shape[0] != first.shape[1]
        or not first.size
        or second.shape != first.shape
    ):
        raise ValueError(
            "first and second: expected two square matrices over the same things; "
            f"got shapes {first.shape} and {second.shape}"
        )
    if not diagonal:
        np.fill_diagonal(first, np.nan)
    known = np.isfinite(first) & np.isfinite(second)
    p_values = np.full(len(first), np.nan)
    for row, cells in enumerate(known):
        x, y = first[row, cells], second[row, cells]
        if len(x) > 2 and np.ptp(x) > 0 and np.ptp(y) > 0:
            p_values[row] = stats.pearsonr(x, y).pvalue
    return p_values


@dataclass(frozen=True)
class Mantel:
    """Correlation of the cells off the diagonal, and the share of relabellings that correlate at least as much, two-sided."""

    correlation: float
    p_value: float
    permutations: int


def mantel(
    first: ArrayLike,
    second: ArrayLike,
    *,
    permutations: int = 9_999,
    rng: np.random.Generator | int | None = None,
) -> Mantel:
    """Whether two symmetric matrices over the same things go together, tested by relabelling the things of one (Mantel, 1967).

    A p of the correlation of cells would take the cells of a row for independent. Cells that are NaN in either are left
    out.
    """
    first, second = real_numbers("first", first), real_numbers("second", second)
    square = first.ndim == 2 and first.shape[0] == first.shape[1] >= 4
    if not square or first.shape != second.shape:
        raise ValueError(
            "expected two square matrices of one size, 4 x 4 or more, "
            f"got {first.shape} and {second.shape}"
        )
    generator = np.random.default_rng(rng)
    cells = np.triu_indices(len(first), k=1)

    def correlation(order: NDArray[np.integer]) -> float:
        a, b = first[np.ix_(order, order)][cells], second[cells]
        known = np.isfinite(a) & np.isfinite(b)
        return float(np.corrcoef(a[known], b[known])[0, 1])

    observed = correlation(np.arange(len(first)))
    relabelled = np.array(
        [correlation(generator.permutation(len(first))) for _ in range(permutations)]
    )
    pvalue = p_of_draws(abs(observed), np.abs(relabelled), tolerance=1e-12)
    return Mantel(observed, pvalue, permutations)
