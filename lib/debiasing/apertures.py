"""Apertures in units of the length of a list's vectors, and the quick way to damp a short list.

A conceptor is not free of scale: aperture 2 on vectors twice as long is aperture 4. Measured in root
mean square lengths of its own list, an aperture means the same in every space and for every list.

Shapes: n words, d dimensions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.debiasing.rows import checked_rows, finite, less_components, singular_vectors

Array = NDArray[np.floating]


def root_mean_square_length(Z: ArrayLike) -> float:
    """The root of the mean squared length of some vectors.

    Parameters
    ----------
    Z : array_like of shape (n, d)
        One vector or more.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    ValueError
        Where Z is not (n, d), is empty or not finite.

    Examples
    --------
    >>> root_mean_square_length([[3.0, 4.0], [0.0, 5.0]])
    5.0
    """
    rows = finite("Z", np.asarray(checked_rows("Z", Z), np.float64))
    return float(np.sqrt(np.square(rows).sum(axis=1).mean()))


def in_lengths(Z: ArrayLike) -> NDArray[np.float64]:
    """The vectors of a list, brought to a root mean square length of 1: one factor for all.

    The conceptor of these at aperture a is that of Z at a over its root mean square length.

    Parameters
    ----------
    Z : array_like of shape (n, d)
        Vectors of a list; of (0, d) nothing is changed.

    Returns
    -------
    ndarray of shape (n, d)

    Raises
    ------
    ValueError
        Where all vectors are zero, or as `root_mean_square_length`.

    Examples
    --------
    >>> in_lengths([[3.0, 4.0], [0.0, 5.0]]).tolist()
    [[0.6, 0.8], [0.0, 1.0]]
    """
    rows = real_numbers("Z", Z)
    if rows.ndim == 2 and not len(rows):
        return rows
    length = root_mean_square_length(rows)
    if not length:
        raise ValueError("Z: expected a vector with a length, got zeros alone; leave the list out")
    return rows / length


def damped(Z: ArrayLike, aperture: float) -> Callable[[ArrayLike], Array]:
    """The negated conceptor of a list as a change of words, aperture in lengths of the list.

    Parameters
    ----------
    Z : array_like of shape (n, d)
        Vectors of the list.
    aperture : float
        Above 0, in units of the root mean square length of Z.

    Returns
    -------
    callable
        From (m, d) words to (m, d). What `conceptor_negation` does with ``aperture`` over that
        length; no (d, d) matrix is made, so that many short lists are quick.

    Raises
    ------
    ValueError
        For an aperture that is no finite number above 0, and as `in_lengths`.

    References
    ----------
    Karve, Ungar & Sedoc (2019), Section 2.1.

    Examples
    --------
    >>> damped([[2.0, 0.0]], aperture=1)([[6.0, 1.0]]).round(6).tolist()
    [[3.0, 1.0]]
    """
    if not 0 < aperture < np.inf:
        raise ValueError(f"aperture: expected a finite number above 0, got {aperture!r}")
    rows = checked_rows("Z", in_lengths(Z))
    lengths, directions = singular_vectors(rows, np.zeros(rows.shape[1]))
    strengths = np.square(lengths) / len(rows)
    shares = strengths / (strengths + 1 / aperture**2)

    def change(words: ArrayLike) -> Array:
        block = checked_rows("words", words, rows.shape[1])
        return less_components(np.asarray(block, float), directions, directions.T * shares)

    return change
