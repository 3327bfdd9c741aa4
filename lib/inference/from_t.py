"""What a printed t statistic says about an effect size."""

import numpy as np


def effect_size_from_t(t: float, n: int) -> float:
    """The effect size that goes with Student's t of two lists of n values each.

    The effect size is the difference of the means in sample deviations of all 2n values together,
    as in WEAT; t divides it by the deviation within the lists. So one follows from the other, and a
    file that keeps both can be checked against itself.

    Parameters
    ----------
    t : float
        Of two lists of equal length, with one variance for both.
    n : int
        Values in each list, 2 or more.

    Returns
    -------
    float
        With the sign of t; at most 2 sqrt((n - 1/2)/n) in size.

    Raises
    ------
    ValueError
        For fewer than two values or a t that is no number.

    Examples
    --------
    >>> from scipy import stats
    >>> from lib.association import effect_size
    >>> x, y = [1.0, 2.0, 4.0], [0.0, 1.0, 1.0]
    >>> t = stats.ttest_ind(x, y).statistic
    >>> round(effect_size_from_t(t, 3), 6) == round(effect_size(x, y), 6)
    True
    """
    if n < 2:
        raise ValueError(f"n: expected 2 values or more in each list, got {n!r}")
    if not np.isfinite(t):
        raise ValueError(f"t: expected a number, got {t!r}")
    # t² = d'² n / 2 within the lists; the spread of all is that within and that of the two means
    return float(t * np.sqrt((2 * n - 1) / (n * (n - 1) + n * t**2 / 2)))
