"""Hard projections: directions taken out of vectors, and hard debiasing as it was published first.

    debiased = project_out(words, female - male)     # removes the span of the pairs
    debiased = hard_debias(words, pair_direction(female, male), spared=..., equal=...)

Shapes: n words, d dimensions, k directions, p pairs.
"""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from lib.checks import real_numbers
from lib.debiasing.rows import (
    BLOCK_BYTES,
    Array,
    change_rows,
    checked_rows,
    finite,
    less_components,
    singular_vectors,
)


def project_out(
    words: ArrayLike, directions: ArrayLike, *, memory: int = BLOCK_BYTES, out: Array | None = None
) -> Array:
    """The words without the span of some directions: projected on its orthogonal complement.

    Parameters
    ----------
    words : array_like of shape (n, d)
        An array or a memmap.
    directions : array_like of shape (k, d) or (d,)
        Of any lengths, dependent or not.
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
        Where shapes disagree, a value is not finite, a direction has no length, or the directions
        span the whole space.

    Notes
    -----
    Words are unbiased toward pairs only when the directions span all their differences (female −
    male, not the first component), words are not scaled to unit length, and the vectors factorise
    their matrix without error.

    References
    ----------
    Bolukbasi et al. (2016), "neutralize" without rescaling; Ethayarajh, Duvenaud & Hirst (2019),
    Debiasing Theorem.

    Examples
    --------
    >>> project_out([[3.0, 4.0]], [0, 5]).tolist()
    [[3.0, 0.0]]
    """
    words = checked_rows("words", words)
    directions = finite(
        "directions", checked_rows("directions", np.atleast_2d(directions), words.shape[1])[:]
    )
    precision = np.finfo(np.promote_types(directions.dtype, np.float32)).eps
    lengths = np.linalg.norm(directions.astype(np.float64), axis=1, keepdims=True)
    if not lengths.all():
        raise ValueError(
            f"directions: expected vectors with a length, got zeros in row {lengths.argmin()}; "
            "leave it out"
        )
    _, sizes, basis = np.linalg.svd(directions / lengths, full_matrices=False)
    basis = basis[sizes > max(directions.shape) * precision * sizes[0]]
    if len(basis) == words.shape[1]:
        raise ValueError(
            f"directions: expected to span less than the {len(basis)} dimensions, got all; "
            "pass fewer"
        )
    return change_rows(words, lambda block: less_components(block, basis, basis.T), memory, out)


def principal_directions(Z: ArrayLike, k: int = 1, *, centred: bool = True) -> Array:
    """The k directions in which the vectors of a list vary most, for `project_out` and for plots.

    Parameters
    ----------
    Z : array_like of shape (n, d)
        For Bolukbasi's direction pass pair differences with ``centred=False``, the same as words
        less the mean of their pair.
    k : int
        How many, 1 to the number of directions in which Z varies.
    centred : bool
        Whether the mean vector is subtracted first.

    Returns
    -------
    ndarray of shape (k, d)
        Orthonormal, the largest first, each with its largest coordinate positive.

    Raises
    ------
    ValueError
        Where Z is not (n, d) or not finite, or varies in fewer than k directions.

    References
    ----------
    Mu & Viswanath (2018), Algorithm 1; Karve, Ungar & Sedoc (2019) remove the first of the list.

    Examples
    --------
    >>> principal_directions([[0, 1], [0, 5], [0, 9]]).round(9).tolist()
    [[0.0, 1.0]]
    """
    Z = checked_rows("Z", Z)
    mean: Array = np.zeros(Z.shape[1])
    if centred:
        mean = np.asarray(np.mean(Z, axis=0, dtype=np.float64))
    lengths, directions = singular_vectors(Z, mean)
    rank = int((lengths > 0).sum())
    if not (isinstance(k, Integral) and 1 <= k <= rank):
        raise ValueError(
            f"k: expected 1 to {rank}, the directions in which Z varies, got {k!r}; "
            "lower k or add words"
        )
    first: Array = directions[:k]
    largest = np.abs(first).argmax(axis=1)[:, None]
    return first * np.sign(np.take_along_axis(first, largest, axis=1))


def pair_direction(female: ArrayLike, male: ArrayLike) -> Array:
    """The direction that word pairs share: the first principal component of their differences.

    Parameters
    ----------
    female, male : array_like of shape (p, d)
        Row j of one facing row j of the other, as they are.

    Returns
    -------
    ndarray of shape (d,)
        Of length 1, pointing to the female side of the mean difference.

    Raises
    ------
    ValueError
        Where shapes disagree or the two words of every pair share one vector.

    References
    ----------
    Bolukbasi et al. (2016): words less the mean of their pair, which is half the difference, one
    way and the other.

    Examples
    --------
    >>> pair_direction([[3, 0]], [[1, 0]]).tolist()
    [1.0, 0.0]
    """
    female, male = real_numbers("female", female), real_numbers("male", male)
    if female.shape != male.shape:
        raise ValueError(
            f"expected as many female as male vectors, got {female.shape} and {male.shape}"
        )
    direction: Array = principal_directions(female - male, 1, centred=False)[0]
    return direction if (female - male).mean(axis=0) @ direction >= 0 else -direction


def hard_debias(
    words: ArrayLike, direction: ArrayLike, *, spared: ArrayLike, equal: ArrayLike
) -> Array:
    """Take a direction out of all words that are not spared; make pairs differ by nothing else.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Raw vectors.
    direction : array_like of shape (d,)
        Of any length.
    spared : array_like of shape (n,)
        True for words that keep the direction (gender-specific ones).
    equal : array_like of shape (p, 2)
        Rows of pairs that are set the same distance either side of what they share, in the order
        of the list.

    Returns
    -------
    ndarray of shape (n, d)
        Rows of unit length.

    Raises
    ------
    ValueError
        Where shapes disagree or a word has nothing beside the direction.

    References
    ----------
    Bolukbasi et al. (2016), "neutralize and equalize", in the order of their code, neutralising
    before scaling.

    Examples
    --------
    >>> hard_debias([[3, 4], [1, 1]], [1, 0], spared=[False, True], equal=[]).round(3).tolist()
    [[0.0, 1.0], [0.707, 0.707]]
    """
    words, direction = real_numbers("words", words), real_numbers("direction", direction)
    spared, equal = np.asarray(spared, bool), np.asarray(equal, np.intp).reshape(-1, 2)
    if words.ndim != 2 or direction.shape != words.shape[1:] or spared.shape != words.shape[:1]:
        raise ValueError(
            "expected words (n, d), a direction (d,) and (n,) spared, "
            f"got {words.shape}, {direction.shape}, {spared.shape}"
        )
    direction = direction / np.linalg.norm(direction)
    changed = _unit(np.where(spared[:, None], words, project_out(words, direction)))
    for first, second in equal:
        shared = (changed[first] + changed[second]) / 2
        shared = shared - shared @ direction * direction
        reach = np.sqrt(max(0.0, 1 - shared @ shared))
        if (changed[first] - changed[second]) @ direction < 0:
            reach = -reach
        changed[first], changed[second] = shared + reach * direction, shared - reach * direction
    return _unit(changed)


def _unit(words: Array) -> Array:
    lengths: Array = np.linalg.norm(words, axis=1, keepdims=True)
    if not (lengths > 1e-9).all():
        raise ValueError(
            "words: expected some length beside the direction, "
            f"got none in row {int(lengths.argmin())}"
        )
    return words / lengths
