"""What each row adds to log loss, accuracy and F1: all three are ratios of sums over rows."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.coreference.checks import checked_female, checked_rows
from lib.coreference.scores import losses

Floats = NDArray[np.float64]

SIDES = ("masculine", "feminine", "overall", "ratio")
NEITHER = 2


def row_terms(probabilities: ArrayLike, answers: ArrayLike, clip: float = 1e-15) -> Floats:
    """The five terms of each row: 1, its loss, right or not, names found twice, names said and true.

    The F1 of GAP's scorer is the fourth sum over the fifth: 2 tp over 2 tp + fp + fn, where only A
    and B are predictions.

    Parameters
    ----------
    probabilities : array_like of shape (n, 3)
        Of A, B and NEITHER; rows are rescaled to sum to 1, as Kaggle does.
    answers : array_like of int, shape (n,)
        0, 1 or 2.
    clip : float
        Probabilities are kept within `clip` and 1 − `clip`.

    Returns
    -------
    ndarray of shape (n, 5)
        Terms.

    Raises
    ------
    ValueError
        As `lib.coreference.scores.losses`.

    Examples
    --------
    >>> row_terms([[0.5, 0.25, 0.25], [0.1, 0.1, 0.8]], [0, 1]).round(2)
    array([[1.  , 0.69, 1.  , 2.  , 2.  ],
           [1.  , 2.3 , 0.  , 0.  , 1.  ]])
    """
    rows, truth = checked_rows(probabilities, answers)
    predicted = rows.argmax(axis=1)
    right = predicted == truth
    named, true_name = predicted != NEITHER, truth != NEITHER
    found = 2 * (right & true_name)
    return np.column_stack(
        [np.ones(len(truth)), losses(rows, truth, clip), right, found, named * 1 + true_name]
    )


def measures_from(sums: ArrayLike) -> Floats:
    """Log loss, accuracy and F1 from sums of `row_terms`.

    Parameters
    ----------
    sums : array_like of shape (..., 5)
        Sums over rows.

    Returns
    -------
    ndarray of shape (..., 3)
        In the order of `SCORES`; NaN where nothing was summed.

    Examples
    --------
    >>> measures_from([2, 3.0, 1, 2, 3]).round(2)
    array([1.5 , 0.5 , 0.67])
    """
    rows, loss, right, found, names = np.moveaxis(real_numbers("sums", sums), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([loss / rows, right / rows, found / names], axis=-1)


def sides_from(masculine: ArrayLike, feminine: ArrayLike) -> Floats:
    """The three measures for both groups, overall, and their ratio, below 1 if worse on feminine.

    Parameters
    ----------
    masculine, feminine : array_like of shape (..., 5)
        Sums of `row_terms` over the rows of each group.

    Returns
    -------
    ndarray of shape (..., 3, 4)
        `SCORES` by `SIDES`; the ratio is masculine over feminine for log loss and feminine over
        masculine otherwise.

    Examples
    --------
    >>> sides_from([2, 3.0, 2, 4, 4], [2, 4.0, 1, 2, 4])[2]
    array([1.  , 0.5 , 0.75, 0.5 ])
    """
    first, second = real_numbers("masculine", masculine), real_numbers("feminine", feminine)
    values = [measures_from(sums) for sums in (first, second, first + second)]
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = values[1] / values[0]
        ratio[..., 0] = 1 / ratio[..., 0]
    return np.stack([*values, ratio], axis=-1)


def by_group(terms: Floats, female: ArrayLike) -> Floats:
    """Terms of each row twice: in the first half of columns if masculine, in the second if feminine.

    Parameters
    ----------
    terms : ndarray of shape (n, k)
        Terms by row.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.

    Returns
    -------
    ndarray of shape (n, 2 k)
        Zero in the other half.

    Raises
    ------
    ValueError
        Unless `female` is True or False for each row, with both among them.

    Examples
    --------
    >>> by_group(np.array([[1.0], [2.0]]), [True, False])
    array([[0., 1.],
           [2., 0.]])
    """
    group = checked_female(female, len(terms))
    return np.hstack([terms * ~group[:, None], terms * group[:, None]])
