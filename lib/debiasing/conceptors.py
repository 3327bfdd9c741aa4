"""Conceptors: soft projections on what a list of vectors spans, and their logic.

    gender = disjunction(conceptor(pronouns, 2), conceptor(names, 2))    # what either list spans
    debiased = apply(negation(gender), words)                            # damps it

Shapes: n words, d dimensions. Vectors are rows, where the papers write columns. A conceptor is a
symmetric (d, d) matrix with eigenvalues from 0 to 1, so that ``words @ C`` is ``C w`` for each row
w. More than two: ``functools.reduce(disjunction, conceptors)``; the order does not matter.
"""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from lib.debiasing.rows import (
    BLOCK_BYTES,
    Array,
    change_rows,
    checked_rows,
    finite,
    less_components,
    singular_vectors,
)

STORAGE = 1e-5  # how far from symmetric, or outside [0, 1], a conceptor stored as float32 may be
ROUNDING = 1e-12  # what counts as zero beside the largest eigenvalue


def conceptor(Z: ArrayLike, aperture: float) -> Array:
    """Conceptor of a word list: a soft projection on the directions in which its vectors are long.

    Parameters
    ----------
    Z : array_like of shape (n, d)
        Vectors of the list's words or tokens, as they are: not centred.
    aperture : float
        Above 0. Towards 0 the conceptor vanishes, towards infinity it becomes the projection on
        the span of Z. Vectors twice as long are the same as twice the aperture.

    Returns
    -------
    ndarray of shape (d, d)
        Symmetric, with eigenvalues ``s / (s + aperture**-2)`` in [0, 1) for those of R.

    Raises
    ------
    ValueError
        Where Z is not (n, d) or not finite, or the aperture is not a finite number above 0.

    References
    ----------
    Karve, Ungar & Sedoc (2019), equation 2: ``C = R (R + aperture**-2 I)**-1`` with
    ``R = Z.T @ Z / n``; their k is n.

    Examples
    --------
    >>> conceptor([[2, 0], [0, 0]], aperture=1).tolist()  # R = diag(2, 0)
    [[0.6666666666666666, 0.0], [0.0, 0.0]]
    """
    if not (isinstance(aperture, Real) and 0 < aperture < np.inf):
        raise ValueError(
            f"aperture: expected a finite number above 0, got {aperture!r}; "
            "for the limit at infinity, project_out(words, Z)"
        )
    Z = checked_rows("Z", Z)
    lengths, directions = singular_vectors(Z, np.zeros(Z.shape[1]))
    with np.errstate(divide="ignore", over="ignore"):
        kept = 1 / (1 + (np.sqrt(len(Z)) / float(aperture) / lengths) ** 2)
    return _symmetric((directions.T * kept) @ directions)


def negation(C: ArrayLike) -> Array:
    """NOT C: what a conceptor leaves out. Applied to words, it damps the directions that C keeps.

    Parameters
    ----------
    C : array_like of shape (d, d)
        A conceptor.

    Returns
    -------
    ndarray of shape (d, d)
        ``I - C``, with eigenvalues in (0, 1] for C from `conceptor`, in [0, 1] in general.

    Raises
    ------
    ValueError
        Where C is no conceptor.

    References
    ----------
    Karve, Ungar & Sedoc (2019), equation 3.

    Examples
    --------
    >>> negation([[0.75, 0], [0, 0]]).tolist()
    [[0.25, 0.0], [0.0, 1.0]]
    """
    (C,) = _conceptors(C=C)
    return np.eye(len(C)) - C


def conjunction(C: ArrayLike, B: ArrayLike) -> Array:
    """C AND B: what both conceptors keep.

    Parameters
    ----------
    C, B : array_like of shape (d, d)
        Conceptors, singular ones included.

    Returns
    -------
    ndarray of shape (d, d)
        ``(C**-1 + B**-1 - I)**-1`` with eigenvalues in [0, 1]; C AND B = B AND C.

    Raises
    ------
    ValueError
        Where one is no conceptor, or their sizes differ.

    Notes
    -----
    Computed as ``B (C + B - C B)^+ C``, the same where there are inverses, and else the limit from
    invertible conceptors: Jaeger's (2014) definition on the intersection of the two ranges. For two
    projections it is the projection on what they share.

    References
    ----------
    Karve, Ungar & Sedoc (2019), equation 4.

    Examples
    --------
    >>> conjunction([[0.5]], [[0.5]]).round(4).item()  # 1 / (2 + 2 - 1)
    0.3333
    """
    C, B = _conceptors(C=C, B=B)
    return _symmetric(B @ np.linalg.lstsq(C + B - C @ B, C, rcond=ROUNDING)[0])


def disjunction(C: ArrayLike, B: ArrayLike) -> Array:
    """C OR B: what either conceptor keeps.

    Parameters
    ----------
    C, B : array_like of shape (d, d)
        Conceptors, singular ones included.

    Returns
    -------
    ndarray of shape (d, d)
        With eigenvalues in [0, 1]. Two lists count alike whatever their sizes: at one aperture a
        the R add up, which for lists of one size is the conceptor of both lists at a √2.

    Raises
    ------
    ValueError
        Where one is no conceptor, or their sizes differ.

    References
    ----------
    Karve, Ungar & Sedoc (2019), equation 5: ``NOT (NOT C AND NOT B)``.

    Examples
    --------
    >>> disjunction([[0.5]], [[0.5]]).round(4).item()
    0.6667
    """
    C, B = _conceptors(C=C, B=B)
    return negation(conjunction(negation(C), negation(B)))


def apply(
    C: ArrayLike, words: ArrayLike, *, memory: int = BLOCK_BYTES, out: Array | None = None
) -> Array:
    """The words as a conceptor lets them through: ``C w``. To debias, pass the negation.

    Parameters
    ----------
    C : array_like of shape (d, d)
        A conceptor, used as given.
    words : array_like of shape (n, d)
        An array or a memmap.
    memory : int
        Bytes for the blocks it is done in.
    out : ndarray of shape (n, d), optional
        An array or memmap to fill, other than words, for what is too large to hold.

    Returns
    -------
    ndarray of shape (n, d)
        In the precision of words, or `out`; no word becomes longer.

    Raises
    ------
    ValueError
        Where C is no conceptor, shapes disagree, or a word is not finite (`out` then holds the
        blocks before it).

    References
    ----------
    Karve, Ungar & Sedoc (2019), Section 2.1: the new vector of every word is ``G v``, with G the
    negated conceptor.

    Examples
    --------
    >>> apply(negation([[0.75, 0], [0, 0]]), [[4.0, 1.0]]).tolist()
    [[1.0, 1.0]]
    """
    (C,) = _conceptors(C=C)
    words = checked_rows("words", words, len(C))
    removed, directions = np.linalg.eigh(np.eye(len(C)) - C)
    few = np.abs(removed) > ROUNDING
    if 4 * few.sum() > len(C):
        return change_rows(words, lambda block: block @ C.astype(block.dtype), memory, out)
    directions, shares = directions[:, few].T, directions[:, few] * removed[few]
    return change_rows(words, lambda block: less_components(block, directions, shares), memory, out)


def _conceptors(**matrices: ArrayLike) -> list[Array]:
    """The matrices as float64 conceptors of one size, eigenvalues off by rounding set to 0 or 1."""
    checked = []
    for name, values in matrices.items():
        C = finite(name, checked_rows(name, values)[:].astype(np.float64))
        if C.shape[0] != C.shape[1]:
            raise ValueError(
                f"{name}: expected a (d, d) conceptor, got shape {C.shape}; "
                "make one by conceptor(Z, aperture)"
            )
        if np.abs(C - C.T).max() > STORAGE:
            raise ValueError(
                f"{name}: expected a symmetric matrix, got one that is not; "
                "make it by conceptor, negation, …"
            )
        eigenvalues, eigenvectors = np.linalg.eigh(C)
        low, high = eigenvalues[0], eigenvalues[-1]
        if low < -STORAGE or high > 1 + STORAGE:
            raise ValueError(
                f"{name}: expected eigenvalues in [0, 1], got {low:.3g} to {high:.3g}; "
                "pass conceptor(Z, aperture), not R"
            )
        if low < -ROUNDING or high > 1 + ROUNDING:
            C = (eigenvectors * eigenvalues.clip(0, 1)) @ eigenvectors.T
        checked.append(C)
    sizes = [len(C) for C in checked]
    if len(set(sizes)) > 1:
        raise ValueError(
            f"{' and '.join(matrices)}: expected one size, got {sizes} dimensions; "
            "make both in one space"
        )
    return checked


def _symmetric(matrix: Array) -> Array:
    return (matrix + matrix.T) / 2
