"""The two constants of RIPA in counts: what rule gives them, and where a verdict turns on them.

Without error the length of a pair's difference is ``|x - y| = sqrt((alpha - csPMI) / lambda)``, so both constants only
stand in for a length that can be measured. Shapes: n words, p pairs, s shifts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from lib.checks import real_numbers
from studies.ripa.text_and_vectors import mean_over_pairs

Floats = NDArray[np.float64]


def fit_constants(squared_distances: ArrayLike, cspmis: ArrayLike) -> tuple[float, float]:
    """lambda and alpha of ``csPMI = -lambda |x - y|^2 + alpha``, by least squares over pairs that meet (finite csPMI)."""
    squared_distances, cspmis = (
        real_numbers("squared_distances", squared_distances),
        real_numbers("cspmis", cspmis),
    )
    finite = np.isfinite(cspmis)
    if finite.sum() < 3:
        raise ValueError(f"expected three or more pairs that occur together, got {finite.sum()}")
    slope, intercept = np.polyfit(squared_distances[finite], cspmis[finite], 1)
    return float(-slope), float(intercept)


HIGHEST_SHIFT = 50.0  # a csPMI is below 0, and lengths of vectors stay below this squared distance


def shift_by_lengths(lengths: ArrayLike, cspmis: ArrayLike, scale: float = 1.0) -> float:
    """The alpha with which ``sqrt((alpha - csPMI) / scale)`` comes nearest to the lengths ``|x - y|`` (p,): Section 6.2.

    Least squares, above every csPMI; a pair that never meets (minus infinity) is left out.
    """
    measured, shifted = real_numbers("lengths", lengths), real_numbers("cspmis", cspmis)
    meets = np.isfinite(shifted)
    if measured.ndim != 1 or measured.shape != shifted.shape or not meets.any() or scale <= 0:
        raise ValueError(
            f"expected (p,) lengths and csPMIs, some finite, and a scale above 0; got shapes "
            f"{measured.shape} and {shifted.shape}, {meets.sum()} finite, scale {scale:g}"
        )
    measured, shifted = measured[meets], shifted[meets]

    def misfit(shift: float) -> float:
        return float(((measured - np.sqrt((shift - shifted) / scale)) ** 2).sum())

    lowest = float(shifted.max())
    highest = max(HIGHEST_SHIFT, lowest + 2 * scale * float((measured**2).max()))
    found = optimize.minimize_scalar(
        misfit, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-9}
    )
    return float(found.x)


def scale_of_a_copy(ratios: ArrayLike, cspmis: ArrayLike, size: float, shifts: ArrayLike) -> Floats:
    """The lambda (s,) at which the text's mean size equals that of the vectors, for each alpha (NaN if not above every csPMI).

    With a larger lambda the same vectors count as amplified, with a smaller one as toned down. Takes log ratios of the text
    (n, p), NaN where not known, and the mean absolute score of the words in the vectors, over the same pairs.
    """
    leans, shifted = real_numbers("ratios", ratios), real_numbers("cspmis", cspmis)
    if not size > 0:
        raise ValueError(f"size: expected a mean size above 0, got {size!r}")
    known = ~np.isnan(leans)
    scales = np.full(np.shape(shifts), np.nan)
    for place, shift in enumerate(real_numbers("shifts", shifts)):
        squared = shift - shifted
        if (squared > 0).all():
            in_text = mean_over_pairs(leans / np.sqrt(squared), known)
            scales[place] = (np.nanmean(np.abs(in_text)) / size) ** 2
    return scales
