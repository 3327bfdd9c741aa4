"""Debiasing of word vectors on arrays: hard projection, and conceptors with their logic.

    gender = disjunction(conceptor(pronouns, 2), conceptor(names, 2))    # what either list spans, softly
    debiased = apply(negation(gender), words)                            # damps it: conceptor debiasing
    debiased = project_out(words, female - male)                         # removes the span of the pairs

Shapes: n words, d dimensions, k directions. Vectors are rows, where the papers write columns. A conceptor is a symmetric
(d, d) matrix with eigenvalues from 0 to 1, so that ``words @ C`` is ``C w`` for each row w. More than two:
``functools.reduce(disjunction, conceptors)``; the order does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]

BLOCK = 2**22  # bytes of a block of rows: what a cache holds is fastest
STORED = 1e-5  # how far a conceptor may be from symmetric, or its eigenvalues from [0, 1]: float32 storage
ROUNDING = 1e-12  # what counts as zero beside the largest eigenvalue


def conceptor(Z: ArrayLike, aperture: float) -> Array:
    """Conceptor of a word list: a soft projection on the directions in which its vectors are long.

    Z : (n, d) vectors of the list's words or tokens, as they are: not centred; aperture : number above 0. Towards 0 the
    conceptor vanishes, towards infinity it becomes the projection on the span of Z.
    Returns (d, d) float64, symmetric; eigenvalues ``s / (s + aperture^-2)`` for those of R, in [0, 1) up to rounding.
    Raises ValueError when Z is not (n, d) or not finite, or the aperture is not a finite number above 0.
    ``C = R (R + aperture^-2 I)^-1``, ``R = Z'Z / n``: Karve, Ungar & Sedoc (2019), equation 2, whose k is n.
    """
    if not (isinstance(aperture, Real) and 0 < aperture < np.inf):
        raise ValueError(
            f"aperture: expected a finite number above 0, got {aperture!r}; for the limit at infinity, project_out(words, Z)"
        )
    Z = _vectors("Z", Z)
    lengths, directions = _singular(Z, np.zeros(Z.shape[1]))
    with np.errstate(divide="ignore", over="ignore"):
        kept = 1 / (1 + (np.sqrt(len(Z)) / float(aperture) / lengths) ** 2)
    return _symmetric((directions.T * kept) @ directions)


def negation(C: ArrayLike) -> Array:
    """NOT C: what a conceptor leaves out. Applied to words, it damps the directions that C keeps.

    C : (d, d) conceptor. Returns (d, d); eigenvalues in (0, 1] for C from `conceptor`, [0, 1] in general.
    Raises ValueError when C is no conceptor.
    ``I - C``: Karve, Ungar & Sedoc (2019), equation 3.
    """
    (C,) = _conceptors(C=C)
    return np.eye(len(C)) - C


def conjunction(C: ArrayLike, B: ArrayLike) -> Array:
    """C AND B: what both conceptors keep.

    C, B : (d, d) conceptors, singular ones included. Returns (d, d); eigenvalues in [0, 1]; C AND B = B AND C.
    Raises ValueError when one is no conceptor, or their sizes differ.
    ``(C^-1 + B^-1 - I)^-1``: Karve, Ungar & Sedoc (2019), equation 4. Computed as ``B (C + B - C B)^+ C``, the same where
    there are inverses, and else the limit from invertible conceptors: Jaeger's (2014) definition on the intersection of the
    two ranges. For two projections it is the projection on what they share.
    """
    C, B = _conceptors(C=C, B=B)
    return _symmetric(B @ np.linalg.lstsq(C + B - C @ B, C, rcond=ROUNDING)[0])


def disjunction(C: ArrayLike, B: ArrayLike) -> Array:
    """C OR B: what either conceptor keeps.

    C, B : (d, d) conceptors, singular ones included. Returns (d, d); eigenvalues in [0, 1]. Two lists count alike whatever
    their sizes: at one aperture a the R add up, which for lists of one size is the conceptor of both lists at a √2.
    Raises ValueError when one is no conceptor, or their sizes differ.
    ``NOT (NOT C AND NOT B)``: Karve, Ungar & Sedoc (2019), equation 5.
    """
    C, B = _conceptors(C=C, B=B)
    return negation(conjunction(negation(C), negation(B)))


def apply(
    C: ArrayLike, words: ArrayLike, *, memory: int = BLOCK, out: Array | None = None
) -> Array:
    """The words as a conceptor lets them through: ``C w``. To debias, pass the negation: ``apply(negation(C), words)``.

    C : (d, d) conceptor, used as given; words : (n, d) array or memmap; memory : bytes for the blocks it is done in;
    out : (n, d) array or memmap to fill, other than words, for what is too large to hold.
    Returns (n, d) in the precision of words, or out; no word becomes longer.
    Raises ValueError when C is no conceptor, shapes disagree, or a word is not finite (out then holds the blocks before it).
    Karve, Ungar & Sedoc (2019), Section 2.1: the new vector of every word is ``G v``, with G the negated conceptor.
    """
    (C,) = _conceptors(C=C)
    words = _vectors("words", words, len(C))
    removed, directions = np.linalg.eigh(np.eye(len(C)) - C)
    few = np.abs(removed) > ROUNDING
    if 4 * few.sum() > len(C):
        return _by_blocks(words, lambda block: block @ _like(C, block), memory, out)
    removed, directions = (
        directions[:, few] * removed[few],
        directions[:, few].T,
    )  # a short list: fewer multiplications
    return _by_blocks(words, lambda block: _without(block, directions, removed), memory, out)


def project_out(
    words: ArrayLike, directions: ArrayLike, *, memory: int = BLOCK, out: Array | None = None
) -> Array:
    """The words without the span of some directions: their projection on its orthogonal complement.

    words : (n, d) array or memmap; directions : (k, d), or (d,) for one, of any lengths, dependent or not; memory, out : as
    in `apply`. Words are unbiased toward pairs only when the directions span all their differences (female - male, not the
    first component), words are not scaled to unit length, and the vectors factorise their matrix without error.
    Returns (n, d) in the precision of words, or out; no word becomes longer.
    Raises ValueError when shapes disagree, a value is not finite, a direction has no length, or they span the whole space.
    Bolukbasi et al. (2016), "neutralize" without rescaling; Ethayarajh, Duvenaud & Hirst (2019), Debiasing Theorem.
    """
    words = _vectors("words", words)
    directions = _finite(
        "directions", _vectors("directions", np.atleast_2d(directions), words.shape[1])[:]
    )
    precision = np.finfo(np.promote_types(directions.dtype, np.float32)).eps
    lengths = np.linalg.norm(directions.astype(np.float64), axis=1, keepdims=True)
    if not lengths.all():
        raise ValueError(
            f"directions: expected vectors with a length, got zeros in row {lengths.argmin()}; leave it out"
        )
    _, sizes, basis = np.linalg.svd(directions / lengths, full_matrices=False)
    basis = basis[sizes > max(directions.shape) * precision * sizes[0]]
    if len(basis) == words.shape[1]:
        raise ValueError(
            f"directions: expected to span less than the {len(basis)} dimensions, got all; pass fewer"
        )
    return _by_blocks(words, lambda block: _without(block, basis, basis.T), memory, out)


def principal_directions(Z: ArrayLike, k: int = 1, *, centred: bool = True) -> Array:
    """The k directions in which the vectors of a list vary most, for `project_out` and for plots.

    Z : (n, d); centred : subtract the mean vector first. For Bolukbasi's direction pass pair differences with centred=False
    (the same as words less the mean of their pair).
    Returns (k, d) float64, orthonormal, the largest first, each with its largest coordinate positive.
    Raises ValueError when Z is not (n, d) or not finite, or varies in fewer than k directions.
    Mu & Viswanath (2018), Algorithm 1; Karve, Ungar & Sedoc (2019) remove the first of the word list.
    """
    Z = _vectors("Z", Z)
    mean = np.mean(Z, axis=0, dtype=np.float64) if centred else np.zeros(Z.shape[1])
    lengths, directions = _singular(Z, mean)
    rank = int((lengths > 0).sum())
    if not (isinstance(k, Integral) and 1 <= k <= rank):
        raise ValueError(
            f"k: expected 1 to {rank}, the directions in which Z varies, got {k!r}; lower k or add words"
        )
    first = directions[:k]
    return first * np.sign(np.take_along_axis(first, np.abs(first).argmax(axis=1)[:, None], axis=1))


def _vectors(name: str, values: ArrayLike, width: int | None = None) -> Array:
    array = values if isinstance(getattr(values, "dtype", None), np.dtype) else np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise ValueError(
            f"{name}: expected numbers, got {array.dtype}; look words up first: embedding.rows(words).vectors"
        )
    if len(array.shape) != 2:
        raise ValueError(f"{name}: expected a 2-d array, one vector a row, got shape {array.shape}")
    if array.shape[1] == 0 or (array.shape[0] == 0 and name != "words"):
        raise ValueError(
            f"{name}: expected at least one vector of one dimension, got shape {array.shape}"
        )
    if width not in (None, array.shape[1]):
        raise ValueError(
            f"{name}: expected {width} dimensions, got {array.shape[1]}; take both from one embedding"
        )
    return array


def _conceptors(**matrices: ArrayLike) -> list[Array]:
    checked = []
    for name, values in matrices.items():
        C = _finite(name, _vectors(name, values)[:].astype(np.float64))
        if C.shape[0] != C.shape[1]:
            raise ValueError(
                f"{name}: expected a (d, d) conceptor, got shape {C.shape}; make one by conceptor(Z, aperture)"
            )
        if np.abs(C - C.T).max() > STORED:
            raise ValueError(
                f"{name}: expected a symmetric matrix, got one that is not; make it by conceptor, negation, …"
            )
        values, vectors = np.linalg.eigh(C)
        low, high = values[0], values[-1]
        if low < -STORED or high > 1 + STORED:
            spread = f"{low:.3g} to {high:.3g}"
            raise ValueError(
                f"{name}: expected eigenvalues in [0, 1], got {spread}; pass conceptor(Z, aperture), not R"
            )
        if low < -ROUNDING or high > 1 + ROUNDING:
            C = (vectors * values.clip(0, 1)) @ vectors.T
        checked.append(C)
    sizes = [len(C) for C in checked]
    if len(set(sizes)) > 1:
        raise ValueError(
            f"{' and '.join(matrices)}: expected one size, got {sizes} dimensions; make both in one space"
        )
    return checked


def _finite(name: str, rows: Array, start: int = 0) -> Array:
    with np.errstate(all="ignore"):
        suspect = not np.isfinite(rows.sum())  # one pass; a sum may also overflow
    flawed = ~np.isfinite(rows).all(axis=1) if suspect else np.zeros(1, bool)
    if flawed.any():
        row = start + int(flawed.argmax())
        raise ValueError(
            f"{name}: expected finite numbers, got NaN or infinity in row {row:,}; leave such rows out"
        )
    return rows


def _spans(shape: tuple[int, ...], memory: int, itemsize: int = 8) -> Iterator[tuple[int, int]]:
    if not memory >= 1:
        raise ValueError(
            f"memory: expected a number of bytes above 0, got {memory!r}; a row is done at a time at least"
        )
    step = max(1, int(memory) // (2 * itemsize * shape[1]))
    return ((start, min(start + step, shape[0])) for start in range(0, shape[0], step))


def _by_blocks(
    words: Array, change: Callable[[Array], Array], memory: int, out: Array | None
) -> Array:
    kept = words.dtype if words.dtype.kind == "f" else np.dtype(np.float64)
    working = np.promote_types(kept, np.float32)  # no arithmetic in float16
    if out is None:
        out = np.empty(words.shape, kept)
    elif out.shape != tuple(words.shape) or out.dtype.kind != "f":
        raise ValueError(
            f"out: expected floats of shape {tuple(words.shape)}, got {out.dtype} of shape {out.shape}"
        )
    elif isinstance(words, np.ndarray) and np.may_share_memory(out, words):
        raise ValueError(
            "out: expected an array apart from words, got one that shares their memory; pass a new one"
        )
    for start, stop in _spans(words.shape, memory, working.itemsize):
        with np.errstate(invalid="ignore"):
            block = change(np.asarray(words[start:stop], working))
        out[start:stop] = _finite("words", block, start)
    return out


def _without(block: Array, directions: Array, removed: Array) -> Array:
    """Rows less their components along (k, d) orthonormal directions, times (d, k): the directions, or a share of each."""
    component = (block @ _like(removed, block)) @ _like(directions, block)
    return np.subtract(block, component, out=component)


def _like(matrix: Array, block: Array) -> Array:
    return matrix.astype(block.dtype)


def _singular(Z: Array, mean: Array) -> tuple[Array, Array]:
    """Singular values and right singular vectors of Z less a mean, by blocks; those at rounding level are exact zeros."""
    triangle = np.empty((0, Z.shape[1]))
    for start, stop in _spans(Z.shape, max(2**24, 16 * Z.shape[1] ** 2)):  # d rows at least
        block = _finite("Z", np.asarray(Z[start:stop], np.float64), start)
        triangle = np.linalg.qr(np.concatenate([triangle, block - mean]), mode="r")
    _, lengths, directions = np.linalg.svd(triangle, full_matrices=False)
    lengths[lengths <= max(Z.shape) * np.finfo(float).eps * lengths[0]] = 0
    return lengths, directions


def _symmetric(matrix: Array) -> Array:
    return (matrix + matrix.T) / 2
