"""Arrays of this package, checked: probabilities of three answers, codes of answers, genders of pronouns."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers


def checked_rows(
    probabilities: ArrayLike, answers: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Probabilities and answers of the same passages, or a clear error.

    Parameters
    ----------
    probabilities : array_like, shape (n, 3)
        Of A, B and NEITHER; rows need not sum to 1.
    answers : array_like of int, shape (n,)
        0 for A, 1 for B, 2 for NEITHER.

    Returns
    -------
    tuple of ndarray
        The same, as float and int.

    Raises
    ------
    ValueError
        For shapes that do not fit, no passages, probabilities that are negative, no numbers or all 0, or other codes.

    Examples
    --------
    >>> checked_rows([[0.5, 0.25, 0.25]], [0])
    (array([[0.5 , 0.25, 0.25]]), array([0]))
    """
    rows, right = real_numbers("probabilities", probabilities), checked_codes("answers", answers)
    if rows.shape != (len(right), 3) or not len(right):
        raise ValueError(
            f"expected probabilities of shape (n, 3) and n ≥ 1 answers, got {rows.shape} and {right.shape}"
        )
    bad = ~np.isfinite(rows).all(axis=1) | (rows < 0).any(axis=1) | ~(rows.sum(axis=1) > 0)
    if bad.any():
        raise ValueError(
            f"row {int(bad.argmax())}: expected probabilities, got {rows[bad.argmax()].tolist()}; "
            "lib.coreference.predictions.aligned checks a file"
        )
    return rows, right


def checked_codes(name: str, values: ArrayLike, like: ArrayLike | None = None) -> NDArray[np.intp]:
    """Answers or predictions as 0 (A), 1 (B) and 2 (NEITHER), or a clear error.

    Parameters
    ----------
    name : str
        What the message calls them.
    values : array_like of int, shape (n,)
        Codes.
    like : array_like, shape (n,), optional
        Codes of the same passages.

    Returns
    -------
    ndarray of int, shape (n,)
        The same.

    Raises
    ------
    ValueError
        For other codes, or as many as are not in `like`.

    Examples
    --------
    >>> checked_codes("predicted", [0, 2])
    array([0, 2])
    """
    given = np.asarray(values)
    if given.ndim != 1 or not np.isin(given, (0, 1, 2)).all():
        raise ValueError(
            f"{name}: expected a list of 0 (A), 1 (B) and 2 (NEITHER); lib.coreference.predictions.codes makes "
            "them of the names"
        )
    if like is not None and given.shape != np.shape(like):
        raise ValueError(
            f"expected as many predictions as answers, got {len(given)} and {len(np.asarray(like))}"
        )
    return given.astype(np.intp)


def checked_female(female: ArrayLike, n: int) -> NDArray[np.bool_]:
    """True for feminine pronouns and False for masculine ones, both among them, or a clear error.

    Parameters
    ----------
    female : array_like of bool, shape (n,)
        By passage.
    n : int
        How many passages there are.

    Returns
    -------
    ndarray of bool, shape (n,)
        The same.

    Raises
    ------
    ValueError
        For other values, another length, or one gender only.

    Examples
    --------
    >>> checked_female([True, False], 2)
    array([ True, False])
    """
    group = np.asarray(female)
    if group.dtype != bool or group.shape != (n,):
        raise ValueError(
            f"female: expected True or False for each of {n} passages, "
            f"got {group.dtype} of shape {group.shape}"
        )
    if group.all() or not group.any():
        raise ValueError(f"female: expected pronouns of both genders, got {n} of one")
    return group
