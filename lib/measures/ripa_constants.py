"""The two constants of RIPA in counts: what rule gives them, and where a verdict turns on them.

Without error the length of a pair's difference is ``|x - y| = sqrt((alpha - csPMI) / lambda)``, so
both constants only stand in for a length that can be measured.

Shapes: n words, p pairs, s shifts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from lib.checks import real_numbers
from lib.measures.amplification import mean_over_pairs

Floats = NDArray[np.float64]

HIGHEST_SHIFT = 50.0  # a csPMI is below 0, and lengths of vectors stay below this squared distance


def shift_by_lengths(lengths: ArrayLike, cspmis: ArrayLike, scale: float = 1.0) -> float:
    """The alpha with which the lengths of differences come nearest to those that counts give.

    The mean squared difference of ``|x - y|`` and ``sqrt((alpha - csPMI) / lambda)`` is least.

    Parameters
    ----------
    lengths : array_like, shape (p,)
        ``|x - y|`` of each pair.
    cspmis : array_like, shape (p,)
        From `lib.measures.cooccurrence.cspmi`; a pair that never meets (minus infinity) is left out.
    scale : float
        lambda.

    Returns
    -------
    float
        Above every csPMI.

    Raises
    ------
    ValueError
        Where shapes disagree, no pair meets, or scale is not above 0.

    References
    ----------
    Ethayarajh, Duvenaud & Hirst (2019), Section 6.2.

    Examples
    --------
    >>> round(shift_by_lengths([3.0, 2.0], [-10.0, -5.0]), 6)
    -1.0
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
    """The lambda at which the text's mean size equals that of the vectors, for each alpha.

    With a larger lambda the same vectors count as amplified, with a smaller one as toned down.

    Parameters
    ----------
    ratios : array_like, shape (n, p)
        Log ratios of the text, NaN where not known.
    cspmis : array_like, shape (p,)
        Of the pairs.
    size : float
        Mean absolute score of the words in the vectors, over the same pairs.
    shifts : array_like, shape (s,)
        Values of alpha.

    Returns
    -------
    numpy.ndarray, shape (s,)
        NaN for an alpha that is not above every csPMI.

    Raises
    ------
    ValueError
        For a size that is not above 0.

    Examples
    --------
    >>> scale_of_a_copy([[3.0]], [-10.0], 0.5, shifts=[-1.0, -6.0, -11.0]).tolist()
    [4.0, 9.0, nan]
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
